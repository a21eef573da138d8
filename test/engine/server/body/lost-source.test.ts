/** Bodies that have ended, or are lost, before anybody reads them, such as while the code of the contract is loaded. */
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import Fastify, { type FastifyReply } from 'fastify'
import t, { type Test } from 'tap'
import { BodyStream } from '../../../../src/engine/server/body/body-stream.ts'
import { readBytes } from '../../../../src/engine/server/body/payload.ts'
import { until } from '../../../time.ts'
import { ask, request } from '../../serve.ts'

/** Sends one body, and returns what `read` makes of its request. */
async function outcome(t: Test, read: (reply: FastifyReply) => Promise<unknown>): Promise<unknown> {
  const app = Fastify({ forceCloseConnections: true })
  t.teardown(() => app.close())
  let found: unknown
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.addHook('onRequest', async (_request, reply) => {
    found = await read(reply).catch((error: unknown) => error)
    return reply.send('')
  })
  app.post('/', async () => '')
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const type = { 'Content-Type': 'application/octet-stream' }
  await ask(Number(port), request('POST /', 'abc', type)).catch(() => undefined)
  await until(() => found !== undefined)
  return found
}

const lose = async ({ request: { raw } }: FastifyReply) => {
  raw.on('error', () => undefined).destroy()
  await once(raw, 'close')
}

t.test('a body that is lost before it is read', async (t) => {
  const read = async (reply: FastifyReply) => {
    await lose(reply)
    return readBytes(reply.request.raw, 10)
  }
  t.match(await outcome(t, read), { failure: { status: 400 } })
  const stream = async (reply: FastifyReply) => {
    await lose(reply)
    return buffer(new BodyStream(reply, 10))
  }
  t.match(await outcome(t, stream), { failure: { status: 400 } })
})

t.test('a body that has ended before it is read is empty, and breaks its length', async (t) => {
  const read = async (reply: FastifyReply) => {
    await buffer(reply.request.raw)
    return (await buffer(new BodyStream(reply, 10))).length
  }
  t.equal(await outcome(t, read), 0)
  const longer = async (reply: FastifyReply) => {
    reply.request.raw.headers['content-length'] = '4'
    return buffer(new BodyStream(reply, 10))
  }
  t.match(await outcome(t, longer), { failure: { status: 400 } })
})
