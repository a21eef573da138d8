/** Contract beside @fastify/compress. */
import { Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyInstance, preParsingHookHandler } from 'fastify'
import t from 'tap'
import { FailureError } from '../../../../src/engine/errors.ts'
import { until } from '../../../time.ts'
import { request } from '../../serve.ts'
import { exchange } from '../transport/raw-client.ts'
import { hosts } from './hosts.ts'

const extend = async (app: FastifyInstance) => {
  await app.register(compress)
  app.post('/own', async ({ body }) => body)
}
const gzipped = { 'Content-Encoding': 'gzip' }
const acceptsGzip = { 'Accept-Encoding': 'gzip' }
/** Sizes of a response: kept as it is, compressed at once, sent in slices and compressed as a stream. */
const sizes = { small: 10, medium: 5000, large: 300_000 }

t.test('responses are compressed as those of other routes are', async (t) => {
  const handlers = {
    getThing: ({ params: { id } }: { params: { id: string } }) =>
      id === 'none' ? { status: 204 } : { status: 200, body: 'x'.repeat(sizes[id as keyof typeof sizes]) }
  }
  for (const { name, base, app, ask } of await hosts(t, { extend, handlers })) {
    for (const [id, size] of Object.entries(sizes)) {
      const { statusCode, headers, rawPayload } = await app.inject({
        url: `${base}/things/${id}`,
        headers: acceptsGzip
      })
      const isCompressed = id !== 'small'
      t.equal(statusCode, 200, `${name}: ${id}`)
      t.equal(headers['content-encoding'], isCompressed ? 'gzip' : undefined, `${name}: ${id}`)
      t.equal(
        JSON.parse(String(isCompressed ? gunzipSync(rawPayload) : rawPayload)).length,
        size,
        `${name}: ${id}`
      )
      t.ok(
        Number(headers['content-length'] ?? rawPayload.length) === rawPayload.length,
        `${name}: ${id}: length`
      )
    }
    const none = await ask(request(`GET ${base}/things/none`, undefined, acceptsGzip))
    t.match([none.status, none.headers.get('content-encoding')], [204, undefined], name)
  }
})
t.test('requests in a content coding are decoded before they are validated', async (t) => {
  for (const { name, base, ask } of await hosts(t, { extend, fastify: { bodyLimit: 50_000 } })) {
    const post = (body: Buffer, headers = {}) =>
      ask(request(`POST ${base}/things`, body, { ...gzipped, ...headers }))
    const valid = gzipSync('{"size":3}')
    t.match(await post(valid), { status: 200, value: { size: 3 } }, name)
    t.match(await post(gzipSync('{"size":"x"}')), { status: 400, value: { code: 'mismatch' } }, name)
    const padded = gzipSync(`{"size":3,"more":"${'x'.repeat(40_000)}"}`)
    t.match(await post(padded), { status: 200 }, name)
    t.match(
      await post(gzipSync('x'.repeat(20_000_000))),
      { status: 413, value: { code: 'body-too-large' } },
      name
    )
    for (const broken of [
      Buffer.from('not gzip'),
      valid.subarray(0, -4),
      Buffer.concat([valid.subarray(0, 12), valid.subarray(14)])
    ])
      t.match(await post(broken), { status: 400, value: { code: /^malformed/ } }, name)
    t.match(
      await ask(request(`POST ${base}/things`, 'x', { 'Content-Encoding': 'compress' })),
      { status: 415, value: { code: 'unsupported-media-type' } },
      name
    )
    t.match(await ask(request('POST /own', valid, gzipped)), { status: 200, value: { size: 3 } }, name)
    t.match(await ask(request(`POST ${base}/things`, '{"size":3}')), { status: 200 }, `${name}: as it is`)
  }
})

t.test('a body that decodes to too many bytes is refused, and the rest of it is not decoded', async (t) => {
  let decoded = 0
  const counting = async (app: FastifyInstance) => {
    await extend(app)
    app.addHook('onRoute', (route) => {
      const count: preParsingHookHandler = (_request, _reply, payload, done) => {
        done(
          null,
          payload.on('data', ({ length }: Buffer) => (decoded += length))
        )
      }
      route.preParsing = [...[route.preParsing ?? []].flat(), count]
    })
  }
  const bomb = gzipSync(Buffer.alloc(30_000_000))
  for (const { name, base, port } of await hosts(t, { extend: counting, fastify: { bodyLimit: 50_000 } })) {
    decoded = 0
    const text = Buffer.concat([
      request(`POST ${base}/things`, bomb, gzipped),
      request(`POST ${base}/things`, gzipSync('{"size":3}'), gzipped)
    ])
    const { responses } = await exchange(port, text.toString('latin1'), { wait: 5000, enough: 2 })
    t.same(
      responses.map(({ status }) => status),
      [413, 200],
      name
    )
    t.ok(decoded < 1_000_000, `${name}: ${decoded} bytes decoded`)
  }
})

t.test(
  'other streams that hooks give are read, too, and their errors are answered by their status',
  async (t) => {
    const rows: [status: number, code: string, error: Error | undefined][] = [
      [200, '', undefined],
      [400, 'malformed-body', new Error('not decoded')],
      [413, 'body-too-large', Object.assign(new Error('too large'), { statusCode: 413 })],
      [415, 'unsupported-media-type', new FailureError('unsupported-media-type')]
    ]
    for (const [status, code, error] of rows) {
      const decoding = (app: FastifyInstance) =>
        app.addHook('preParsing', async () =>
          Readable.from(error === undefined ? ['{"size":', '3}'] : failing(error))
        )
      for (const { name, base, ask } of await hosts(t, { extend: decoding })) {
        const answer = await ask(request(`POST ${base}/things`, 'x', gzipped))
        t.match(answer, { status, value: error === undefined ? { size: 3 } : { code } }, name)
      }
    }
  }
)

async function* failing(error: Error): AsyncGenerator<string> {
  yield '{'
  throw error
}

t.test('a body whose decoding fails before the handler reads it is refused', async (t) => {
  const late = async (app: FastifyInstance) => {
    await extend(app)
    let ended: Promise<unknown> | undefined
    const watch: preParsingHookHandler = (_request, _reply, payload, done) => {
      ended = new Promise((resolve) => payload.once('close', resolve))
      done(null, payload)
    }
    app.addHook('onRoute', (route) => {
      route.preParsing = [...[route.preParsing ?? []].flat(), watch]
    })
    app.addHook('preHandler', async () => void (await ended))
  }
  for (const { name, base, ask } of await hosts(t, { extend: late })) {
    const answer = await ask(request(`POST ${base}/things`, 'not gzip', gzipped))
    t.match(answer, { status: 400, value: { code: 'malformed-body' } }, name)
  }
})

t.test('decoded bytes count towards those of all bodies', async (t) => {
  const body = gzipSync(`{"size":3,"more":"${'x'.repeat(40_000)}"}`)
  let release: (() => void) | undefined
  const handlers = {
    takeThing: () =>
      new Promise((resolve) => {
        release = () => resolve({ status: 200, body: {} })
      })
  }
  const fastify = { bodyLimit: 50_000 }
  for (const { name, base, ask } of await hosts(t, { extend, handlers, fastify, maxBodyBytes: 50_000 })) {
    const post = request(`POST ${base}/things`, body, gzipped)
    const first = ask(post)
    await until(() => release !== undefined)
    t.match(await ask(post), { status: 503, value: { code: 'overloaded' } }, name)
    release?.()
    release = undefined
    t.match(await first, { status: 200 }, name)
  }
})

t.test('without the plugin no content coding is accepted', async (t) => {
  for (const { name, base, ask } of await hosts(t, { extend: () => undefined }))
    t.match(
      await ask(request(`POST ${base}/things`, gzipSync('{"size":3}'), gzipped)),
      { status: 415, value: { code: 'unsupported-media-type' } },
      name
    )
})
