/** Contract beside @fastify/compress, in a server of the engine and in somebody's Fastify. */
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { createGunzip, gunzipSync, gzipSync } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance, preParsingHookHandler } from 'fastify'
import t from 'tap'
import { FailureError } from '../../../../src/engine/errors.ts'
import { until } from '../../../time.ts'
import { request, serve, servePlugins } from '../../serve.ts'
import { Source, streams } from '../responses/streams.ts'
import { exchange } from '../transport/raw-client.ts'
import { hosts } from './hosts.ts'

const decoding = async (app: FastifyInstance) => {
  await app.register(compress)
  app.post('/own', async ({ body }) => body)
}
const gzipped = { 'Content-Encoding': 'gzip' }
const acceptsGzip = { 'Accept-Encoding': 'gzip' }
/** Sizes of a response: kept as it is, compressed at once, sent in slices and compressed as a stream. */
const sizes = { small: 10, medium: 5000, large: 300_000 }

t.test('responses are compressed as those of other routes are', async (t) => {
  const getThing = ({ params: { id } }: { params: { id: string } }) =>
    id === 'none' ? { status: 204 } : { status: 200, body: 'x'.repeat(sizes[id as keyof typeof sizes]) }
  for (const { name, base, app, ask } of await hosts(t, { plugins: decoding, handlers: { getThing } })) {
    for (const [id, size] of Object.entries(sizes)) {
      const answer = await app.inject({ url: `${base}/things/${id}`, headers: acceptsGzip })
      const { statusCode, headers, rawPayload } = answer
      const coding = id === 'small' ? undefined : 'gzip'
      t.strictSame([statusCode, headers['content-encoding']], [200, coding], `${name}: ${id}`)
      t.equal(JSON.parse(String(coding ? gunzipSync(rawPayload) : rawPayload)).length, size, `${name}: ${id}`)
      const length = headers['content-length'] ?? rawPayload.length
      t.equal(Number(length), rawPayload.length, `${name}: ${id}: length`)
    }
    const none = await ask(request(`GET ${base}/things/none`, undefined, acceptsGzip))
    t.match([none.status, none.headers.get('content-encoding')], [204, undefined], name)
  }
})

t.test('requests in a content coding are decoded before they are validated', async (t) => {
  const valid = gzipSync('{"size":3}')
  const malformed = { status: 400, value: { code: /^malformed/ } }
  const unsupported = { status: 415, value: { code: 'unsupported-media-type' } }
  const rows: readonly (readonly [body: Buffer | string, answer: object, coding?: string | undefined])[] = [
    [valid, { status: 200, value: { size: 3 } }],
    [gzipSync('{"size":"x"}'), { status: 400, value: { code: 'mismatch' } }],
    [gzipSync(`{"size":3,"more":"${'x'.repeat(40_000)}"}`), { status: 200 }],
    [gzipSync('x'.repeat(20_000_000)), { status: 413, value: { code: 'body-too-large' } }],
    ['not gzip', malformed],
    [valid.subarray(0, -4), malformed],
    [Buffer.concat([valid.subarray(0, 12), valid.subarray(14)]), malformed],
    ['x', unsupported, 'compress'],
    ['{"size":3}', { status: 200 }, undefined]
  ]
  for (const { name, base, ask } of await hosts(t, { plugins: decoding, fastify: { bodyLimit: 50_000 } })) {
    for (const [body, answer, ...codings] of rows) {
      const headers = codings.length === 0 ? gzipped : { 'Content-Encoding': codings[0] }
      t.match(await ask(request(`POST ${base}/things`, body, headers)), answer, name)
    }
    t.match(await ask(request('POST /own', valid, gzipped)), { status: 200, value: { size: 3 } }, name)
  }
  for (const { name, base, ask } of await hosts(t, {}))
    t.match(await ask(request(`POST ${base}/things`, valid, gzipped)), unsupported, `${name}: no plugin`)
})

t.test('a body that decodes to too many bytes is refused, and the rest of it is not decoded', async (t) => {
  let decoded = 0
  const counting = async (app: FastifyInstance) => {
    await decoding(app)
    const count: preParsingHookHandler = (_request, _reply, payload, done) =>
      done(
        null,
        payload.on('data', ({ length }: Buffer) => (decoded += length))
      )
    app.addHook('onRoute', (route) => {
      route.preParsing = [...[route.preParsing ?? []].flat(), count]
    })
  }
  const bomb = gzipSync(Buffer.alloc(30_000_000))
  for (const { name, base, port } of await hosts(t, { plugins: counting, fastify: { bodyLimit: 50_000 } })) {
    decoded = 0
    const post = (body: Buffer) => request(`POST ${base}/things`, body, gzipped)
    const text = Buffer.concat([post(bomb), post(gzipSync('{"size":3}'))]).toString('latin1')
    const { responses } = await exchange(port, text, { wait: 5000, enough: 2 })
    t.match(responses, [{ status: 413 }, { status: 200 }], name)
    t.ok(decoded < 1_000_000, `${name}: ${decoded} bytes decoded`)
  }
})

t.test('other streams that hooks give are read, and their errors are answered by their status', async (t) => {
  const rows: readonly (readonly [answer: object, error?: Error])[] = [
    [{ status: 200, value: { size: 3 } }],
    [{ status: 400, value: { code: 'malformed-body' } }, new Error('not decoded')],
    [
      { status: 413, value: { code: 'body-too-large' } },
      Object.assign(new Error('too large'), { statusCode: 413 })
    ],
    [{ status: 415, value: { code: 'unsupported-media-type' } }, new FailureError('unsupported-media-type')]
  ]
  for (const [answer, error] of rows) {
    const chunks = () => (error === undefined ? ['{"size":', '3}'] : failing(error))
    const decoding = async (app: FastifyInstance) =>
      void app.addHook('preParsing', async () => Readable.from(chunks()))
    for (const { name, base, ask } of await hosts(t, { plugins: decoding }))
      t.match(await ask(request(`POST ${base}/things`, 'x', gzipped)), answer, name)
  }
})

async function* failing(error: Error): AsyncGenerator<string> {
  yield '{'
  throw error
}

t.test('decoded bytes count towards those of all bodies', async (t) => {
  const body = gzipSync(`{"size":3,"more":"${'x'.repeat(40_000)}"}`)
  let release: ((result: object) => void) | undefined
  const takeThing = () => new Promise((resolve) => (release = resolve))
  const limits = { fastify: { bodyLimit: 50_000 }, maxBodyBytes: 50_000 }
  for (const { name, base, ask } of await hosts(t, {
    plugins: decoding,
    handlers: { takeThing },
    ...limits
  })) {
    const post = request(`POST ${base}/things`, body, gzipped)
    const first = ask(post)
    await until(() => release !== undefined)
    t.match(await ask(post), { status: 503, value: { code: 'overloaded' } }, name)
    release?.({ status: 200, body: {} })
    release = undefined
    t.match(await first, { status: 200 }, name)
  }
})

const plugins = async (app: FastifyInstance) => {
  await app.register(compress, { customTypes: /jsonl|event-stream/, threshold: 0 })
}
const starts = { server: serve, plugin: servePlugins }
/** Returns as much as can be decoded, and if that is all. */
async function decoded(bytes: string): Promise<{ text: string; isWhole: boolean }> {
  const gunzip = createGunzip()
  let text = ''
  gunzip.on('data', (data) => (text += data)).end(Buffer.from(bytes, 'latin1'))
  const isWhole = await finished(gunzip).then(
    () => true,
    () => false
  )
  return { isWhole, text }
}

for (const [name, start] of Object.entries(starts))
  t.test(`${name}: streams of items are compressed as they are sent`, async (t) => {
    const failures: string[] = []
    const onFailure = ({ code }: { code: string }) => void failures.push(code)
    const served = await streams(t, { plugins, onFailure, heartbeat: 20 }, start)
    const { app, answer } = served
    const options = { headers: 'Accept-Encoding: gzip\r\n' }
    const open = (path: string) => served.open(path, options)
    const begin = (path: string) => served.begin(path, new Source(), options)

    answer(() => [{ id: 1 }, { id: 2 }])
    const whole = await open('lines')
    await until(whole.isWhole)
    t.match(whole.text(), /content-encoding: gzip\r\n/)
    t.equal(String(gunzipSync(Buffer.from(whole.body(), 'latin1'))), '{"id":1}\n{"id":2}\n')

    answer(() => [{ id: 'wrong' }])
    const wrong = await open('lines')
    await until(() => wrong.text().includes('response-mismatch') || wrong.body().length > 20)
    t.match(wrong.text(), /^HTTP\/1.1 500 /, 'the first item decides the status')

    answer(() => [{ id: 1 }, { id: 'wrong' }])
    const broken = await open('lines')
    await until(() => broken.ending() !== 'open')
    t.same([broken.isWhole(), (await decoded(broken.body())).isWhole], [false, false])

    const { client: silent, source } = await begin('events')
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

    const { client: draining, source: left } = await begin('lines')
    const closed = app.close()
    left.give({ id: 7 })
    await closed
    await until(draining.isWhole)
    t.equal((await decoded(draining.body())).text, '{"id":7}\n')
    t.same([left.returned, failures], [1, ['response-mismatch', 'response-mismatch']])
  })
