/** Spans of requests on real sockets: names, attributes, errors, parents. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { SpanStatusCode } from '@opentelemetry/api'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { contractRoutes } from '../../../../src/engine/server.ts'
import { sleep } from '../../../time.ts'
import { compiled, headOf, type Json, request, serve } from '../../serve.ts'
import { serverSpan, spansOf, tracer, treeOf } from './provider.ts'

t.setTimeout(900_000)

const json = { description: 'ok', content: { 'application/json': {} } }
const events = {
  description: 'ok',
  content: { 'text/event-stream': { schema: { type: 'object', properties: { data: { type: 'integer' } } } } }
}
const document: Json = {
  openapi: '3.2.0',
  paths: {
    '/things/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: 'getThing', responses: { 200: json } },
      additionalOperations: { PURGE: { operationId: 'purgeThing', responses: { 200: json } } }
    },
    '/things': {
      post: {
        operationId: 'makeThing',
        security: [{ bearer: [] }],
        requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
        responses: { 200: json }
      }
    },
    '/events': { get: { operationId: 'listen', responses: { 200: events } } }
  },
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } }
}

const security = {
  bearer: (token: string) => {
    tracer.startActiveSpan('lookup', (span) => span.end())
    return token === 'good'
  }
}

const left = Promise.withResolvers<void>()
const handlers = {
  getThing: async ({ params: { id } }: { params: { id: string } }) => {
    if (id === 'broken') throw new RangeError('hunter2')
    if (id === 'undeclared') return { status: 418 }
    if (id === 'slow') await left.promise
    return { status: 200, body: {} }
  },
  purgeThing: () => ({ status: 200, body: {} }),
  makeThing: async () => {
    await tracer.startActiveSpan('query', async (span) => span.end())
    return { status: 200, body: {} }
  },
  listen: ({ url }: { url: string }) => ({
    status: 200,
    body: url.includes('broken') ? broken() : endless()
  })
}

async function* endless() {
  for (let data = 0; ; data++) {
    yield { data }
    await sleep(10)
  }
}

async function* broken() {
  yield { data: 1 }
  throw new Error('hunter2')
}

const served = (t: Test, more = {}) => serve(t, document, { handlers, security, ...more })

t.test('a span has what the conventions for HTTP servers say, and no query', async (t) => {
  const { port, ask } = await served(t, { basePath: '/api', fastify: { trustProxy: '127.0.0.1' } })
  const headers = {
    Host: 'things.example:8443',
    'User-Agent': 'agent/1',
    'X-Forwarded-For': '192.0.2.7',
    'X-Forwarded-Proto': 'https'
  }
  const spans = await spansOf(() => ask(request('GET /api/things/7?token=hunter2', undefined, headers)))
  const span = serverSpan(spans)
  const { 'network.peer.port': peerPort, ...attributes } = span.attributes
  t.ok(Number(peerPort) > 0 && peerPort !== port)
  t.equal(span.name, 'GET /api/things/{id}')
  t.strictSame(attributes, {
    'http.request.method': 'GET',
    'http.response.status_code': 200,
    'http.route': '/api/things/{id}',
    operationId: 'getThing',
    'url.path': '/api/things/7',
    'url.scheme': 'https',
    'server.address': 'things.example',
    'server.port': 8443,
    'client.address': '192.0.2.7',
    'network.peer.address': '127.0.0.1',
    'network.protocol.version': '1.1',
    'user_agent.original': 'agent/1'
  })
  t.notMatch(
    JSON.stringify(spans.map(({ attributes, events, status }) => [attributes, events, status])),
    'hunter2'
  )
  t.equal(span.parentSpanContext, undefined)
})

t.test('spans of security handlers and handlers are its children', async (t) => {
  const { ask } = await served(t)
  const make = (token: string, body: string) =>
    request('POST /things', body, { Authorization: `Bearer ${token}` })
  const lookup = ['lookup', []] as const
  const rows = [
    [make('good', '{"size":1}'), [lookup, ['query', []]]],
    [make('good', '{'), [lookup]],
    [make('bad', '{}'), [lookup]]
  ] as const
  for (const [bytes, children] of rows)
    t.strictSame(treeOf(await spansOf(() => ask(bytes))), [['POST /things', children]], String(bytes))
})

const id = '0af7651916cd43dd8448eb211c80319c'

t.test(
  'the span that traceparent names is the parent, whatever was active when the server began to listen',
  async (t) => {
    const { ask } = await tracer.startActiveSpan('start', async (span) => {
      const found = await served(t)
      span.end()
      return found
    })
    const parent = { traceparent: `00-${id}-b7ad6b7169203331-01` }
    const span = serverSpan(await spansOf(() => ask(request('GET /things/7', undefined, parent))))
    t.match(span.parentSpanContext, { traceId: id, spanId: 'b7ad6b7169203331', isRemote: true })
    t.equal(span.spanContext().traceId, id)
    const wrong = serverSpan(
      await spansOf(() => ask(request('GET /things/7', undefined, { traceparent: 'x' })))
    )
    t.equal(wrong.parentSpanContext, undefined)
    t.not(wrong.spanContext().traceId, id)
  }
)

const { ERROR, UNSET } = SpanStatusCode

/** Request, and what its span has: name, status, kind of its error. */
const rows: readonly (readonly [line: string, name: string, status: number, error?: string])[] = [
  ['GET /things/7', 'GET /things/{id}', 200],
  ['HEAD /things/7', 'HEAD /things/{id}', 200],
  ['PURGE /things/7', 'HTTP /things/{id}', 200],
  ['GET /things/broken', 'GET /things/{id}', 500, 'internal'],
  ['GET /things/undeclared', 'GET /things/{id}', 500, 'response-mismatch'],
  ['GET /beside', 'GET /beside', 502, '502'],
  ['DELETE /things', 'DELETE', 405],
  ['GET /unknown', 'GET', 404],
  ['POST /things', 'POST /things', 401]
]

t.test('the name of a span has few values, and a refusal of the client’s request is no error', async (t) => {
  const extend = (app: { get: (path: string, handler: (...values: never[]) => unknown) => unknown }) =>
    void app.get('/beside', (_request, reply: { code: (status: number) => { send: () => unknown } }) =>
      reply.code(502).send()
    )
  const { port, ask } = await served(t, { extend })
  for (const [line, name, status, error] of rows) {
    const [, head] = /^HEAD .(.*)/.exec(line) ?? []
    const run = () => (head === undefined ? ask(request(line)) : headOf(port, head))
    const span = serverSpan(await spansOf(run))
    t.equal(span.name, name, line)
    t.equal(span.attributes['http.response.status_code'], status, line)
    t.equal(span.attributes['error.type'], error, line)
    t.strictSame(span.status, { code: error === undefined ? UNSET : ERROR }, line)
    t.notMatch(JSON.stringify([span.attributes, span.events]), 'hunter2')
    const isKnown = !line.startsWith('PURGE')
    t.equal(span.attributes['http.request.method'], isKnown ? line.split(' ')[0] : '_OTHER')
    t.equal(span.attributes['http.request.method_original'], isKnown ? undefined : 'PURGE')
  }
})

t.test('a request without Host has no address of the server', async (t) => {
  const { ask } = await served(t)
  const span = serverSpan(await spansOf(() => ask(request('GET /things/7', undefined, { Host: undefined }))))
  t.equal(span.attributes['http.response.status_code'], 400)
  t.notOk('server.address' in span.attributes)
  t.notOk('server.port' in span.attributes)
})

t.test('a client that leaves before its response is an error of its own kind', async (t) => {
  const { port } = await served(t)
  const span = serverSpan(
    await spansOf(async () => {
      const socket = connect(port, '127.0.0.1')
      socket.write(request('GET /things/slow'))
      await sleep(100)
      socket.resetAndDestroy()
    })
  )
  left.resolve()
  t.notOk('http.response.status_code' in span.attributes)
  t.equal(span.attributes['error.type'], 'client_disconnected')
  t.strictSame(span.status, { code: ERROR })
})

t.test(
  'the span of a stream ends with it; an error within it is another one than that of a client that leaves',
  async (t) => {
    const { port, ask } = await served(t)
    const spans = await spansOf(async () => {
      const socket = connect(port, '127.0.0.1')
      socket.write(request('GET /events'))
      await once(socket, 'data')
      tracer.startSpan('the client leaves').end()
      socket.resetAndDestroy()
    })
    const abandoned = serverSpan(spans)
    t.strictSame(
      spans.map(({ name }) => name),
      ['the client leaves', 'GET /events'],
      'it ends after the client left'
    )
    t.equal(abandoned.attributes['http.response.status_code'], 200)
    t.equal(abandoned.attributes['error.type'], 'client_disconnected')
    const failed = serverSpan(await spansOf(() => ask(request('GET /events?broken')).catch(() => undefined)))
    t.equal(failed.attributes['http.response.status_code'], 200)
    t.equal(failed.attributes['error.type'], 'internal')
    t.strictSame(failed.status, { code: ERROR })
  }
)

t.test(
  'contracts in a Fastify of the user: one span for each request, with the prefix in its route',
  async (t) => {
    const contract = await compiled(t, document)
    const errorBody = ({ code }: { code: string }) => ({ code })
    const options = { contract, handlers, errorBody, security } as never
    const app = Fastify()
    await app.register(contractRoutes, Object.assign({ prefix: '/v1' }, options))
    const extended = await served(t, {
      extend: (server: typeof app) =>
        void server.register(contractRoutes, Object.assign({ prefix: '/v2/::x' }, options))
    })
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    t.teardown(() => app.close())
    const [url, port] = [new URL(address), extended.port]
    for (const [target, name] of [
      [`http://127.0.0.1:${url.port}/v1/things/7`, 'GET /v1/things/{id}'],
      [`http://127.0.0.1:${url.port}/v1/unknown`, 'GET'],
      [`http://127.0.0.1:${port}/v2/:x/things/7`, 'GET /v2/:x/things/{id}']
    ] as const) {
      const span = serverSpan(await spansOf(async () => (await fetch(target)).text()))
      t.equal(span.name, name)
    }
  }
)
