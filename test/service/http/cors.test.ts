import { type Test, test } from 'tap'
import { FailureError } from '../../../src/engine/server/errors/failure.ts'
import { allowOrigins } from '../../../src/service/http/cors.ts'
import { createService } from './service.ts'

const page = 'https://app.example'

async function service(t: Test, ...origins: readonly string[]) {
  const app = createService(t)
  await allowOrigins(app, { origins, methods: ['GET', 'POST'], requestHeaders: [], responseHeaders: [] })
  app.addHook('onRequest', async ({ headers }) => {
    if (headers.authorization === undefined) throw new FailureError('no-credentials')
  })
  app.post('/plants', async () => 'ok')
  app.setNotFoundHandler((_request, reply) => reply.code(405).send())
  return app
}

const preflight = (origin: string) => ({
  method: 'OPTIONS' as const,
  url: '/plants',
  headers: {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization'
  }
})

const corsHeaders = (headers: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')))

test('a preflight of an allowed origin is answered, without credentials', async (t) => {
  const answer = await (await service(t, page)).inject(preflight(page))
  t.equal(answer.statusCode, 204)
  t.match(answer.headers.vary, /origin/i)
  t.strictSame(corsHeaders(answer.headers), {
    'access-control-allow-origin': page,
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'authorization, content-type, x-request-id, traceparent, tracestate',
    'access-control-expose-headers':
      'retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, www-authenticate, x-request-id',
    'access-control-max-age': '7200'
  })
})

test('answers to an allowed origin have CORS headers, refusals too', async (t) => {
  const app = await service(t, 'https://other.example', page)
  for (const authorization of [undefined, 'yes']) {
    const headers = { origin: page, ...(authorization && { authorization }) }
    const answer = await app.inject({ method: 'POST', url: '/plants', headers })
    t.equal(answer.statusCode, authorization ? 200 : 401)
    t.equal(answer.headers['access-control-allow-origin'], page)
    t.notOk('access-control-allow-credentials' in answer.headers)
  }
})

const strangers = [
  'https://evil.example',
  'https://app.example.evil.example',
  'http://app.example',
  `${page}:444`,
  'null'
]

test('another origin gets no CORS headers, neither for a preflight nor for a request', async (t) => {
  const app = await service(t, page)
  for (const origin of strangers) {
    const answered = await app.inject(preflight(origin))
    t.equal(answered.statusCode, 401, 'its preflight is treated like any OPTIONS')
    t.strictSame(corsHeaders(answered.headers), {})
    t.match(answered.headers.vary, /origin/i)
    const headers = { origin, authorization: 'yes' }
    const answer = await app.inject({ method: 'POST', url: '/plants', headers })
    t.strictSame(corsHeaders(answer.headers), {})
  }
})

test('a request without Origin gets no CORS headers', async (t) => {
  const app = await service(t, page)
  const answer = await app.inject({ method: 'POST', url: '/plants', headers: { authorization: 'yes' } })
  t.equal(answer.statusCode, 200)
  t.strictSame(corsHeaders(answer.headers), {})
})

test('OPTIONS without Access-Control-Request-Method is not a preflight', async (t) => {
  const app = await service(t, page)
  const answer = await app.inject({
    method: 'OPTIONS',
    url: '/plants',
    headers: { origin: page, authorization: 'yes' }
  })
  t.equal(answer.statusCode, 405)
})

test('without CORS_ORIGIN no answer has CORS headers', async (t) => {
  const app = await service(t)
  const answered = await app.inject(preflight(page))
  t.not(answered.statusCode, 204)
  t.strictSame(corsHeaders(answered.headers), {})
  t.notOk('vary' in answered.headers)
})

test('answers to other origins vary by origin too, for shared caches', async (t) => {
  const app = await service(t, page)
  const answer = await app.inject({ method: 'POST', url: '/plants', headers: { authorization: 'yes' } })
  t.match(answer.headers.vary, /origin/i)
})
