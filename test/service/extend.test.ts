/** Plugins, hooks and routes of `extend`, over real sockets. */
import { once } from 'node:events'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import websocket from '@fastify/websocket'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { test } from 'tap'
import { buildApp, defineService } from '../../src/service/service.ts'
import { until } from '../time.ts'
import { type Extend, parts, serve } from './extended.ts'

const json = { 'content-type': 'application/json' }

test('a route beside the contract parses bodies as Fastify does, and has what every route of a service has', async (t) => {
  const { ask, lines, metrics } = await serve(t, async (app) => {
    app.post('/hooks/:source', async ({ body, params }) => ({ body, ...Object(params) }))
    app.addContentTypeParser('text/csv', { parseAs: 'string' }, (_request, body, done) =>
      done(null, String(body).split(','))
    )
  })
  const sent = await ask('/hooks/shop', { method: 'POST', headers: json, body: '{"a":1}' })
  t.match(sent, { status: 200, text: '{"body":{"a":1},"source":"shop"}' })
  t.match(sent.headers, { 'x-request-id': String, 'x-content-type-options': 'nosniff' })
  await until(() => lines.length > 0)
  t.match(lines, [{ msg: 'request', method: 'POST', route: '/hooks/:source', status: 200, ms: Number }])
  t.match(
    await metrics.registry.metrics(),
    'http_request_duration_seconds_count{operation="POST /hooks/:source",status="200"} 1\n'
  )
  const csv = await ask('/hooks/a', { method: 'POST', headers: { 'content-type': 'text/csv' }, body: 'a,b' })
  t.match(JSON.parse(csv.text), { body: ['a', 'b'] })
})

const refusals: readonly { what: string; path: string; init?: RequestInit; status: number; code: string }[] =
  [
    {
      what: 'broken JSON',
      path: '/hooks',
      init: { method: 'POST', headers: json, body: '{' },
      status: 400,
      code: 'malformed-body'
    },
    {
      what: 'a body that is too large',
      path: '/hooks',
      init: { method: 'POST', headers: json, body: `"${'x'.repeat(200)}"` },
      status: 413,
      code: 'body-too-large'
    },
    {
      what: 'another media type',
      path: '/hooks',
      init: { method: 'POST', headers: { 'content-type': 'x/y' }, body: 'x' },
      status: 415,
      code: 'unsupported-media-type'
    },
    { what: 'an error', path: '/broken', status: 500, code: 'internal' },
    { what: 'an unknown path', path: '/nowhere', status: 404, code: 'not-found' },
    { what: 'another method', path: '/hooks', status: 405, code: 'method-not-allowed' },
    {
      what: 'another method of the contract',
      path: '/things',
      init: { method: 'PUT' },
      status: 405,
      code: 'method-not-allowed'
    }
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
    { environment: { BODY_LIMIT: '100' } }
  )
  for (const { what, path, init, status, code } of refusals) {
    const refused = await ask(path, init)
    t.equal(refused.status, status, what)
    t.match(JSON.parse(refused.text), { code }, what)
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

test('@fastify/multipart reads forms beside the contract', async (t) => {
  const { ask } = await serve(t, async (app) => {
    await app.register(multipart)
    app.post('/files', async (request) => {
      const file = await request.file()
      return { name: file?.filename, size: (await file?.toBuffer())?.length }
    })
  })
  const body = new FormData()
  body.append('file', new Blob(['abc']), 'a.txt')
  t.match(await ask('/files', { method: 'POST', body }), { status: 200, text: '{"name":"a.txt","size":3}' })
})

test('below a BASE_URL with a path, routes beside the contract have the path, too', async (t) => {
  const { ask } = await serve(
    t,
    async (app) => {
      t.equal(app.prefix, '/api')
      app.get('/beside', async ({ routeOptions }) => ({ url: routeOptions.url }))
      app.register(async (inner) => inner.get('/', async () => ({ inner: true })), { prefix: '/inner' })
    },
    { environment: { BASE_URL: 'https://x.example/api' } }
  )
  t.match(await ask('/api/beside'), { status: 200, text: '{"url":"/api/beside"}' })
  for (const path of ['/api/inner', '/api/inner/']) t.match(await ask(path), { text: '{"inner":true}' })
  t.match(await ask('/api/things'), { status: 200 })
  for (const path of ['/beside', '/inner/']) t.match(await ask(path), { status: 404 })
})

const things =
  'which is the operation list of the contract \\(GET /things\\): remove it, or give it another path$'
const collisions: readonly {
  what: string
  extend: Extend
  message: RegExp
  environment?: Record<string, string>
}[] = [
  {
    what: 'a route of the contract',
    extend: (app) => app.get('/things', () => 1),
    message: new RegExp(`^extend adds GET /things, ${things}`)
  },
  {
    what: 'its HEAD',
    extend: (app) => app.head('/things', () => 1),
    message: new RegExp(`^extend adds HEAD /things, ${things}`)
  },
  {
    what: 'the HEAD of a GET',
    extend: (app) => app.get('/only-head', () => 1),
    message: /^extend adds HEAD \/only-head, which is the operation probe/
  },
  {
    what: 'another name of a parameter',
    extend: (app) => app.post('/things/:id', () => 1),
    message:
      /^extend adds POST \/things\/:id, which is the operation change of the contract \(POST \/things\/\{thingId\}\)/
  },
  {
    what: 'a pattern',
    extend: (app) => app.post('/things/:id(^(?:a|b)\\d+$)', () => 1),
    message: /which is the operation change/
  },
  {
    what: 'a constraint',
    extend: (app) => app.get('/things', { constraints: { host: 'a.example' } }, () => 1),
    message: /which is the operation list/
  },
  {
    what: 'all methods',
    extend: (app) => app.all('/things', () => 1),
    message: /^extend adds GET \/things, .*/
  },
  {
    what: 'a plugin that is loaded later',
    extend: (app) => void app.register(async (inner) => inner.get('/things', () => 1)),
    message: /which is the operation list/
  },
  {
    what: 'the docs',
    extend: (app) => app.get('/docs', () => 1),
    message: /^extend adds GET \/docs, which is a route of every service: remove it, or give it another path$/
  },
  {
    what: 'the root',
    extend: (app) => app.get('/', () => 1),
    message: /^extend adds GET \/, which is a route of every service/
  },
  {
    what: 'a health check',
    extend: (app) => app.get('/-/live', () => 1),
    message: /^extend adds GET \/-\/live, which is a route of every service/
  },
  {
    what: 'the docs below a base path',
    extend: (app) => app.get('/docs', () => 1),
    message: /^extend adds GET \/api\/docs, which is a route of every service/,
    environment: { BASE_URL: 'https://x.example/api' }
  },
  {
    what: 'several',
    extend: (app) => app.get('/docs', () => 1).get('/things', () => 1),
    message: /GET \/docs.*\n.*GET \/things/
  },
  {
    what: 'twice the same',
    extend: (app) => app.get('/a', () => 1).get('/a', () => 1),
    message: /^extend: Method 'GET' already declared for route '\/a'/
  },
  {
    what: 'no plugin',
    extend: (app) => void app.register('x' as never),
    message: /^extend: Plugin must be a function or a promise/
  },
  {
    what: 'a not-found handler for all paths',
    extend: (app) => app.setNotFoundHandler(() => undefined),
    message:
      /^extend: setNotFoundHandler: .* error shape of the contract; set the handler in a plugin with a prefix$/
  }
]

for (const { what, extend, message, environment = {} } of collisions)
  test(`extend is refused with a sentence: ${what}`, async (t) => {
    let closed = 0
    const closing: Extend = async (app) => {
      app.addHook('onClose', async () => {
        closed += 1
      })
      await extend(app)
    }
    await t.rejects(buildApp(defineService({ ...parts, extend: closing }), { environment }), {
      name: 'StartError',
      message
    })
    t.equal(closed, 1, 'what it opened is closed')
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

test('a mistake in extend keeps its stack', async (t) => {
  const extend: Extend = (app) => void app.register(async () => Object(undefined).a.b)
  await t.rejects(buildApp(defineService({ ...parts, extend }), {}), {
    name: 'TypeError',
    stack: /extend\.test/
  })
})

test('an error handler of extend leaves the errors of the contract alone', async (t) => {
  const { ask } = await serve(t, (app) => {
    app.setErrorHandler((_error, _request, reply) => reply.code(418).send({ own: true }))
    app.get('/own', async () => {
      throw new Error('x')
    })
  })
  t.match(await ask('/own'), { status: 418 })
  const refused = await ask('/things/1', { method: 'POST', headers: json, body: '{}' })
  t.match(refused, { status: 400, text: /"code":"mismatch"/ })
  t.match(await ask('/nowhere'), { status: 404, text: /"code":"not-found"/ })
})

test('RATE_LIMIT counts routes beside the contract by address, and neither docs nor health checks', async (t) => {
  const { ask } = await serve(t, (app) => app.get('/beside', async () => ({})), {
    environment: { RATE_LIMIT: '2/1m' }
  })
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

test('a service without a log has one that writes nothing', async (t) => {
  const given: string[] = []
  const extend = (_app: FastifyInstance, { log }: { readonly log: FastifyBaseLogger }) => {
    given.push(log.level)
    log.level = 'info'
    log.info('nobody reads this')
  }
  const app = await buildApp(defineService({ ...parts, extend }), { environment: {} })
  await app.close()
  t.strictSame(given, ['silent'])
})
