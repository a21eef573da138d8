/** Plugins, hooks and routes of `extend`, over real sockets. */
import { once } from 'node:events'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import websocket from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import root, { type Test, test } from 'tap'
import type { Failure } from '../../src/engine/errors.ts'
import type { Environment } from '../../src/service/config/config.ts'
import { createLog } from '../../src/service/observability/log.ts'
import { createMetrics } from '../../src/service/observability/metrics.ts'
import { buildApp, defineService } from '../../src/service/service.ts'
import { unshed } from '../e2e/running.ts'
import { compiled, type Json } from '../engine/serve.ts'
import { until } from '../time.ts'

const answer = { description: '', content: { 'application/json': { schema: { type: 'object' } } } }
const id = { name: 'thingId', in: 'path', required: true, schema: { type: 'string' } }
const document: Json = {
  paths: {
    '/things': { get: { operationId: 'list', responses: { 200: answer } } },
    '/things/{thingId}': { post: { operationId: 'change', parameters: [id], responses: { 200: answer } } },
    '/only-head': { head: { operationId: 'probe', responses: { 204: { description: '' } } } }
  }
}
const contract = await compiled(root, document)

/** Definition of a service with three operations. */
const parts = {
  contract,
  security: {},
  handlers: () => ({
    list: async () => ({ status: 200, body: {} }),
    change: async () => ({ status: 200, body: {} }),
    probe: async () => ({ status: 204 })
  }),
  errorBody: ({ code, message }: Failure) => ({ code, message })
}

type Extend = (app: FastifyInstance) => unknown

/** Starts the service with `extend`. */
async function serve(t: Test, extend: Extend, environment: Environment = {}) {
  const lines: Record<string, unknown>[] = []
  const log = createLog('info', { write: (line) => lines.push(JSON.parse(line)) })
  const metrics = createMetrics()
  const app = await buildApp(defineService({ ...parts, extend }), { environment, log, metrics })
  t.teardown(() => app.close())
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  lines.length = 0
  const ask = async (path: string, init?: RequestInit) => {
    const response = await unshed(() => fetch(`${origin}${path}`, init))
    const text = await response.text()
    return { status: response.status, headers: Object.fromEntries(response.headers), text }
  }
  return { ask, lines, metrics, app }
}

test('a route beside the contract parses bodies as Fastify does, and has what every route of a service has', async (t) => {
  const { ask, lines, metrics } = await serve(t, async (app) => {
    app.post('/hooks/:source', async ({ body, params }) => ({ body, ...Object(params) }))
    app.addContentTypeParser('text/csv', { parseAs: 'string' }, (_request, body, done) =>
      done(null, String(body).split(','))
    )
  })
  const sent = await ask('/hooks/shop', post('{"a":1}'))
  t.match(sent, { status: 200, text: '{"body":{"a":1},"source":"shop"}' })
  t.match(sent.headers, { 'x-request-id': String, 'x-content-type-options': 'nosniff' })
  await until(() => lines.length > 0)
  t.match(lines, [{ msg: 'request', method: 'POST', route: '/hooks/:source', status: 200, ms: Number }])
  t.match(
    await metrics.registry.metrics(),
    'http_request_duration_seconds_count{operation="POST /hooks/:source",status="200"} 1\n'
  )
  const csv = await ask('/hooks/a', post('a,b', 'text/csv'))
  t.match(JSON.parse(csv.text), { body: ['a', 'b'] })
})

const post = (body: string, type = 'application/json') => ({
  method: 'POST',
  headers: { 'content-type': type },
  body
})

/** Refused requests beside the contract, which have its error shape. */
const refusals: readonly (readonly [path: string, init: RequestInit, status: number, code: string])[] = [
  ['/hooks', post('{'), 400, 'malformed-body'],
  ['/hooks', post(`"${'x'.repeat(200)}"`), 413, 'body-too-large'],
  ['/hooks', post('x', 'x/y'), 415, 'unsupported-media-type'],
  ['/broken', {}, 500, 'internal'],
  ['/nowhere', {}, 404, 'not-found'],
  ['/hooks', {}, 405, 'method-not-allowed'],
  ['/things', { method: 'PUT' }, 405, 'method-not-allowed']
]

test('errors beside the contract have its error shape', async (t) => {
  const { ask } = await serve(
    t,
    (app) => {
      app.post('/hooks', async () => ({}))
      app.get('/broken', async () => {
        throw new Error('secret')
      })
    },
    { BODY_LIMIT: '100' }
  )
  for (const [path, init, status, code] of refusals) {
    const refused = await ask(path, init)
    t.match({ ...refused, ...JSON.parse(refused.text) }, { status, code }, `${code} ${path}`)
    t.notMatch(refused.text, /secret/)
  }
})

test('plugins, hooks and decorators apply to the contract, the docs and the routes beside', async (t) => {
  const { ask } = await serve(t, async (app) => {
    await app.register(cookie)
    app.register(helmet, { contentSecurityPolicy: false })
    app.decorateRequest('visits', 0)
    app.addHook('onRequest', async (request, reply) => {
      reply.header('x-visit', request.cookies['visit'] ?? 'none')
    })
    app.get('/beside', async (_request, reply) => reply.setCookie('visit', '1').send({}))
  })
  const headers = { cookie: 'visit=2' }
  for (const path of ['/things', '/docs', '/-/live', '/beside']) {
    const answered = await ask(path, { headers })
    t.match(answered.headers, { 'x-visit': '2', 'x-dns-prefetch-control': 'off' }, path)
  }
  t.match((await ask('/beside')).headers, { 'set-cookie': 'visit=1', 'x-visit': 'none' })
})

test('below a BASE_URL with a path, routes beside the contract have the path, too', async (t) => {
  const { ask } = await serve(
    t,
    async (app) => {
      t.equal(app.prefix, '/api')
      app.get('/beside', async ({ routeOptions }) => ({ url: routeOptions.url }))
      app.register(async (inner) => inner.get('/', async () => ({ inner: true })), { prefix: '/inner' })
    },
    { BASE_URL: 'https://x.example/api' }
  )
  t.match(await ask('/api/beside'), { status: 200, text: '{"url":"/api/beside"}' })
  for (const path of ['/api/inner', '/api/inner/']) t.match(await ask(path), { text: '{"inner":true}' })
  t.match(await ask('/api/things'), { status: 200 })
  for (const path of ['/beside', '/inner/']) t.match(await ask(path), { status: 404 })
})

const ofService = 'which is a route of every service: remove it, or give it another path$'
const list =
  'which is the operation list of the contract \\(GET /things\\): remove it, or give it another path$'
const change = 'which is the operation change of the contract \\(POST /things/\\{thingId\\}\\)'

/** Mistakes of `extend`, and the beginning of the sentence by which each is refused. */
const collisions: readonly (readonly [extend: Extend, message: string, environment?: Environment])[] = [
  [(app) => app.get('/things', () => 1), `extend adds GET /things, ${list}`],
  [(app) => app.get('/only-head', () => 1), 'extend adds HEAD /only-head, which is the operation probe'],
  [(app) => app.post('/things/:id', () => 1), `extend adds POST /things/:id, ${change}`],
  [(app) => app.get('/things', { constraints: { host: 'a.example' } }, () => 1), `.*, ${list}`],
  [(app) => void app.register(async (inner) => inner.get('/things', () => 1)), `.*, ${list}`],
  [(app) => app.get('/docs', () => 1), `extend adds GET /docs, ${ofService}`],
  [(app) => app.get('/-/live', () => 1), `extend adds GET /-/live, ${ofService}`],
  [(app) => app.get('/docs', () => 1), 'extend adds GET /api/docs, ', { BASE_URL: 'https://x.example/api' }],
  [(app) => app.get('/docs', () => 1).get('/things', () => 1), '.*GET /docs.*\\n.*GET /things'],
  [
    (app) => app.get('/a', () => 1).get('/a', () => 1),
    "extend: Method 'GET' already declared for route '/a'"
  ],
  [(app) => void app.register('x' as never), 'extend: Plugin must be a function or a promise'],
  [
    (app) => app.setNotFoundHandler(() => undefined),
    'extend: setNotFoundHandler: .* error shape of the contract; set the handler in a plugin with a prefix$'
  ]
]

test('extend is refused with a sentence, and what it opened is closed', async (t) => {
  for (const [extend, message, environment = {}] of collisions) {
    let closed = 0
    const closing: Extend = async (app) => {
      app.addHook('onClose', async () => void closed++)
      await extend(app)
    }
    const built = buildApp(defineService({ ...parts, extend: closing }), { environment })
    await t.rejects(built, { name: 'StartError', message: new RegExp(`^${message}`) }, message)
    t.equal(closed, 1, message)
  }
})

test('a route whose path resembles one of the contract is none of it', async (t) => {
  const { ask } = await serve(t, (app) => {
    app.get('/things::export', async () => ({ own: 'export' }))
    app.get('/things/:id', async () => ({ own: 'get' }))
    app.post('/things', async () => ({ own: 'post' }))
  })
  t.match(await ask('/things:export'), { status: 200, text: '{"own":"export"}' })
  t.match(await ask('/things/1'), { status: 200, text: '{"own":"get"}' })
  t.match(await ask('/things', { method: 'POST' }), { status: 200, text: '{"own":"post"}' })
  t.match(await ask('/things/1', { method: 'PUT' }), { status: 405, headers: { allow: 'GET, HEAD, POST' } })
})

test('an error handler of extend leaves the errors of the contract alone', async (t) => {
  const { ask } = await serve(t, (app) => {
    app.setErrorHandler((_error, _request, reply) => reply.code(418).send({ own: true }))
    app.get('/own', async () => {
      throw new Error('x')
    })
  })
  t.match(await ask('/own'), { status: 418 })
  const refused = await ask('/things/1', post('{}'))
  t.match(refused, { status: 400, text: /"code":"mismatch"/ })
  t.match(await ask('/nowhere'), { status: 404, text: /"code":"not-found"/ })
})

test('RATE_LIMIT counts routes beside the contract by address, and neither docs nor health checks', async (t) => {
  const { ask } = await serve(t, (app) => app.get('/beside', async () => ({})), { RATE_LIMIT: '2/1m' })
  for (const path of ['/-/live', '/openapi.yaml', '/beside', '/things'])
    t.equal((await ask(path)).status, 200, path)
  t.match(await ask('/beside'), { status: 429, headers: { 'retry-after': String } })
  t.match(await ask('/things'), { status: 429 })
  t.equal((await ask('/-/live')).status, 200)
})

test('a drain leaves WebSockets to their plugin, which closes them', async (t) => {
  const { app } = await serve(t, async (extended) => {
    await extended.register(websocket)
    extended.get('/talk', { websocket: true }, (socket) => socket.send('hello'))
  })
  const client = new WebSocket(`${app.listeningOrigin.replace('http', 'ws')}/talk`)
  await once(client, 'message')
  const closed = once(client, 'close')
  await app.connections.drain()
  t.match(await closed, [{ wasClean: true }])
})

test('routes beside the contract may have schemas, as Fastify documents', async (t) => {
  const { ask } = await serve(t, (app) => {
    app.addSchema({ $id: 'page', type: 'object', properties: { size: { type: 'integer', default: 7 } } })
    app.get('/pages', {
      schema: {
        querystring: { $ref: 'page#' },
        headers: { type: 'object', required: ['X-Kind'], properties: { 'X-Kind': { enum: ['a'] } } },
        response: { 200: { type: 'object', properties: { size: { type: 'integer' } } } }
      },
      handler: async ({ query }) => ({ ...Object(query), more: true })
    })
  })
  const headers = { 'x-kind': 'a' }
  t.match(await ask('/pages?size=3', { headers }), { status: 200, text: '{"size":3}' })
  t.match(await ask('/pages', { headers }), { status: 200, text: '{"size":7}' })
  t.match(await ask('/pages?size=x', { headers }), { status: 400, text: /"code":/ })
  t.match(await ask('/pages'), { status: 400 })
})

test('a schema that is compiled while the service runs needs a route with a schema', async (t) => {
  const { ask, lines } = await serve(t, (app) => {
    app.get('/late', async (request) => request.compileValidationSchema({ type: 'object' })({}))
  })
  t.match(await ask('/late'), { status: 500 })
  await until(() => lines.length > 1)
  t.match(lines, [{ err: { message: /route with a schema/ } }, { status: 500 }])
})
