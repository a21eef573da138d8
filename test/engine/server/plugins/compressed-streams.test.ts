/** Streams of items beside @fastify/compress, in a server of the engine and in somebody's Fastify. */
import { createGunzip, gunzipSync } from 'node:zlib'
import compress from '@fastify/compress'
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import { contractRoutes, createContractServer } from '../../../../src/engine/server.ts'
import { until } from '../../../time.ts'
import { contract, openClient, Source } from '../responses/streams.ts'

const failures: string[] = []
let body: unknown = []
const options = {
  contract,
  security: {},
  handlers: Object.fromEntries(
    contract.operations.map(({ operationId }) => [operationId, () => ({ status: 200, body })])
  ) as never,
  errorBody: ({ code }: { code: string }) => ({ code }),
  onFailure: ({ code }: { code: string }) => failures.push(code),
  heartbeat: 20
}
const plugins = async (app: FastifyInstance) => {
  await app.register(compress, { customTypes: /jsonl|event-stream/, threshold: 0 })
}
const hosts: Readonly<Record<string, () => Promise<FastifyInstance>>> = {
  server: () => createContractServer({ ...options, extend: plugins }),
  plugin: async () => {
    const app = Fastify()
    await plugins(app)
    await app.register(contractRoutes, options)
    return app
  }
}
const headers = 'Accept-Encoding: gzip\r\n'

/** Returns as much as can be decoded, and if that is all. */
async function decoded(bytes: string): Promise<{ text: string; isWhole: boolean }> {
  const gunzip = createGunzip()
  let text = ''
  gunzip.on('data', (data) => {
    text += data
  })
  const outcome = new Promise<boolean>((resolve) => {
    gunzip.once('error', () => resolve(false)).once('end', () => resolve(true))
  })
  gunzip.end(Buffer.from(bytes, 'latin1'))
  return { isWhole: await outcome, text }
}

for (const [name, host] of Object.entries(hosts))
  t.test(name, async (t) => {
    const app = await host()
    t.teardown(() => app.close())
    const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
    const open = (path: string) => openClient(t, port, path, { headers })

    body = [{ id: 1 }, { id: 2 }]
    const whole = await open('lines')
    await until(whole.isWhole)
    t.match(whole.text(), /content-encoding: gzip\r\n/)
    t.equal(String(gunzipSync(Buffer.from(whole.body(), 'latin1'))), '{"id":1}\n{"id":2}\n')

    body = [{ id: 'wrong' }]
    const wrong = await open('lines')
    await until(() => wrong.text().includes('response-mismatch') || wrong.body().length > 20)
    t.match(wrong.text(), /^HTTP\/1.1 500 /, 'the first item decides the status')

    body = [{ id: 1 }, { id: 'wrong' }]
    const broken = await open('lines')
    await until(() => broken.ending() !== 'open')
    t.same([broken.isWhole(), (await decoded(broken.body())).isWhole], [false, false])

    const source = new Source()
    body = source
    const silent = await open('events')
    await until(() => silent.text() !== '')
    t.match(
      silent.text(),
      /^HTTP\/1.1 200 OK\r\n(.*\r\n)*content-encoding: gzip\r\n/,
      'a heartbeat sends the status'
    )
    source.give({ data: { id: 1 } })
    await until(() => source.pending === 1)
    silent.socket.resetAndDestroy()
    await until(() => source.returned === 1)
    t.same(source.next, 2)

    const left = new Source()
    body = left
    const draining = await open('lines')
    await until(() => left.pending === 1)
    const closed = app.close()
    left.give({ id: 7 })
    await closed
    await until(draining.isWhole)
    t.equal((await decoded(draining.body())).text, '{"id":7}\n')
    t.same([left.returned, failures.splice(0)], [1, ['response-mismatch', 'response-mismatch']])
  })
