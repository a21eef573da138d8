/** Spans of requests on real sockets: names, attributes, errors, parents; and the trace in requests of client and sender. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { FastifyOtelInstrumentation } from '@fastify/otel'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { createClient } from '../../../../src/engine/client.ts'
import { createSender } from '../../../../src/engine/sender.ts'
import { contractRoutes } from '../../../../src/engine/server.ts'
import { tracedFetch } from '../../../../src/engine/tracing.ts'
import { sleep } from '../../../time.ts'
import { json, receiver } from '../../sender/receiver.ts'
import { compiled, headOf, request, serve, servePlugins } from '../../serve.ts'
import { hosts } from '../plugins/hosts.ts'
import { serverSpan, spansOf, tracer, treeOf, withBaggage } from './provider.ts'

t.setTimeout(900_000)

const contract = await compiled(
  t,
  parse(`
openapi: 3.2.0
paths:
  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { operationId: getThing, responses: &json { 200: { description: ok, content: { application/json: {} } } } }
    additionalOperations: { PURGE: { operationId: purgeThing, responses: *json } }
  /things:
    get: { operationId: getThings, responses: *json }
    post:
      operationId: makeThing
      security: [{ bearer: [] }]
      requestBody: &body { required: true, content: { application/json: { schema: { type: object } } } }
      responses: *json
  /events:
    get:
      operationId: listen
      responses:
        200:
          description: ok
          content: { text/event-stream: { schema: { type: object, properties: { data: { type: integer } } } } }
webhooks: { newThing: { post: { requestBody: *body, responses: *json } } }
components: { securitySchemes: { bearer: { type: http, scheme: bearer } } }
`)
)

const security = {
  bearer: (token: string) => {
    tracer.startActiveSpan('lookup', (span) => span.end())
    return token === 'good'
  }
}

const handlers = {
  getThing: async ({ params: { id } }: { params: { id: string } }) => {
    if (id === 'broken') throw new RangeError('hunter2')
    if (id === 'undeclared') return { status: 418 }
    return { status: 200, body: {} }
  },
  getThings: () => ({ status: 200, body: {} }),
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

const served = (t: Test, more = {}) => serve(t, contract, { handlers, security, ...more })

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

t.test('traceparent names the parent, whatever was active when the server began to listen', async (t) => {
  const id = '0af7651916cd43dd8448eb211c80319c'
  const { ask } = await tracer.startActiveSpan('start', async (span) => {
    const found = await served(t)
    span.end()
    return found
  })
  const spanFor = async (traceparent: string) =>
    serverSpan(await spansOf(() => ask(request('GET /things/7', undefined, { traceparent }))))
  const span = await spanFor(`00-${id}-b7ad6b7169203331-01`)
  t.match(span.parentSpanContext, { traceId: id, spanId: 'b7ad6b7169203331', isRemote: true })
  t.equal(span.spanContext().traceId, id)
  const wrong = await spanFor('x')
  t.equal(wrong.parentSpanContext, undefined)
  t.not(wrong.spanContext().traceId, id)
})

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

t.test('the span of a stream ends with it; its errors differ from a client that leaves', async (t) => {
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
})

t.test('contracts in a Fastify of the user have one span for each request, with their prefix', async (t) => {
  const errorBody = ({ code }: { code: string }) => ({ code })
  const within = (prefix: string) => ({ prefix, contract, handlers, errorBody, security }) as never
  const plugin = await servePlugins(t, contract, { handlers, security }, ['/v1'])
  const extended = await served(t, {
    extend: (server: FastifyInstance) => void server.register(contractRoutes, within('/v2/::x'))
  })
  for (const [target, name] of [
    [`http://127.0.0.1:${plugin.port}/v1/things/7`, 'GET /v1/things/{id}'],
    [`http://127.0.0.1:${plugin.port}/v1/unknown`, 'GET'],
    [`http://127.0.0.1:${extended.port}/v2/:x/things/7`, 'GET /v2/:x/things/{id}']
  ] as const) {
    const span = serverSpan(await spansOf(async () => (await fetch(target)).text()))
    t.equal(span.name, name)
  }
})

t.test('@fastify/otel and the engine complete one span, or one below the other', async (t) => {
  const instrumentation = new FastifyOtelInstrumentation()
  const extend = async (app: FastifyInstance) => void (await app.register(instrumentation.plugin()))
  for (const { name, base, isEngine, ask } of await hosts(t, { plugins: extend })) {
    const spans = await spansOf(() => ask(request(`GET ${base}/things/7`)))
    const span = serverSpan(spans)
    t.equal(span.name, `GET ${base}/things/{id}`, name)
    t.match(span.attributes, {
      operationId: 'getThing',
      'http.route': `${base}/things/{id}`,
      'http.response.status_code': 200
    })
    const own = spans.find((each) => each.name === 'request')
    t.equal(own?.kind, isEngine ? SpanKind.INTERNAL : undefined, name)
    for (const each of spans) t.equal(each.spanContext().traceId, span.spanContext().traceId, 'one trace')
  }
})

type Sent = readonly (string | string[] | undefined)[]
type Calls = Readonly<Record<string, (call?: object) => Promise<{ status: number }>>>

/** Sends a request of a client and one of a sender, and returns the headers of a name that they have sent. */
async function sent(
  t: Test,
  headers: Readonly<Record<string, string>> = {},
  name = 'traceparent'
): Promise<Sent> {
  const { url, received } = await receiver(t, [json(200, '{}')])
  const client = createClient(contract, { baseUrl: url, fetch: tracedFetch, headers }) as Calls
  const sender = createSender(contract as never, { allowPrivateAddresses: true, headers } as never) as Calls
  await client['getThings']?.()
  await sender['newThing']?.({ url: `${url}/hook`, body: {} })
  return received.map((request) => request.headers[name])
}

const inSpan = (run: () => Promise<Sent>) =>
  tracer.startActiveSpan('request', async (span) => {
    const { traceId, spanId } = span.spanContext()
    const found = await run()
    span.end()
    return { found, traceId, spanId }
  })

t.test('client and sender send the ids of the span they are in; a header of the caller stays', async (t) => {
  t.strictSame(await sent(t), [undefined, undefined], 'outside of a span')
  const { found, traceId, spanId } = await inSpan(() => sent(t))
  t.strictSame(found, [`00-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}-01`])
  const own = await inSpan(() => sent(t, { traceparent: 'own' }))
  t.strictSame(own.found, ['own', 'own'])
})

t.test('baggage goes to services that the caller names, not to the targets of a sender', async (t) => {
  const { found } = await inSpan(() => withBaggage(() => sent(t, {}, 'baggage')))
  t.strictSame(found, ['tenant=secret', undefined])
})
