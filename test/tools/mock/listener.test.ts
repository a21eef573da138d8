/** The listener of a mock that is replaced while requests are in progress. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { registerDocs } from '../../../src/service/docs/register.ts'
import { json, mocked } from './mocked.ts'

const post = (word: string) => ({
  post: {
    operationId: 'a',
    requestBody: { content: { 'application/json': {} } },
    responses: { 200: json({ const: word }) }
  }
})

/** Sends all of a request but its last byte. */
async function begun(t: Test, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  socket.write('POST /a HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n1')
  return socket
}

t.test('a request that has begun is answered by the server that received it', async (t) => {
  const [first, second] = [
    await mocked(t, { paths: { '/a': post('one') } }),
    await mocked(t, { paths: { '/a': post('two') } })
  ]
  const { listener } = first
  const received = once(first.app.server, 'request')
  const socket = await begun(t, listener.address.port)
  await received
  const replaced = listener.replace(second.app)
  socket.write('2')
  t.match(await text(socket), /"one"$/)
  await replaced
  const { text: answer } = await first.get('/a', {}, { method: 'POST' })
  t.equal(answer, '"two"')
})

t.test('a request that is never complete is cut off', async (t) => {
  const { app, listener } = await mocked(t, { paths: { '/a': post('one') } })
  const received = once(app.server, 'request')
  const socket = await begun(t, listener.address.port)
  await received
  const next = await mocked(t, { paths: {} })
  await listener.replace(next.app)
  t.equal(await text(socket), '')
})

t.test('the docs leave paths to the operations that have them', async (t) => {
  const get = { get: { operationId: 'a', responses: { 200: json({ const: 'mine' }) } } }
  const paths = { '/': get, '/openapi.yaml': { get: { ...get.get, operationId: 'b' } } }
  const { app } = await mocked(t, { paths }, 1, async (app, { contract }) =>
    registerDocs(app, { basePath: '', contract, headers: {} })
  )
  for (const url of ['/', '/openapi.yaml']) t.equal((await app.inject(url)).body, '"mine"')
  t.match((await app.inject('/docs')).body, /<title>x/)
})
