/** Request ids, security headers, CORS, rate limits and the limits of node:http. */
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import { type Test, test } from 'tap'
import { FailureError } from '../../../src/engine/server/errors/failure.ts'
import { type Environment, readConfig } from '../../../src/service/config/config.ts'
import { allowOrigins, createRequestIds, securityHeaders } from '../../../src/service/http/headers.ts'
import { byteLimits, limitOptions, limits } from '../../../src/service/http/limits.ts'
import { limitRate } from '../../../src/service/http/load.ts'
import { createService } from './service.ts'

test('the policies of the API and of the page; Strict-Transport-Security is sent on HTTPS only', async (t) => {
  t.strictSame(securityHeaders(false).api, {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'x-content-type-options': 'nosniff'
  })
  const { 'content-security-policy': policy = '', ...others } = securityHeaders(false).page
  t.notOk('strict-transport-security' in others)
  for (const headers of Object.values(securityHeaders(true)))
    t.match(headers, { 'strict-transport-security': /^max-age=\d+$/ })
  const directives = new Map(policy.split(';').map((each) => [each.split(' ')[0], each.split(' ').slice(1)]))
  t.strictSame([directives.get('script-src'), directives.get('default-src')], [["'self'"], ["'none'"]])
  for (const source of [...directives.values()].flat()) t.match(source, /^('.*'|data:|blob:)$/)
})

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const parent = (id: string) => ({ traceparent: `00-${id}-00f067aa0ba902b7-01` })

/** Headers of a client, and the id that the service takes from them; otherwise it makes one. */
const ids: readonly (readonly [headers: Record<string, string>, want?: string])[] = [
  [{}],
  ...['abc-123', 'Root=1-67891233-abcdef012345678912345678', 'x'.repeat(128)].map(
    (id) => [{ 'x-request-id': id }, id] as const
  ),
  ...['x'.repeat(129), 'two words', '"}{"level":60', ''].map((id) => [{ 'x-request-id': id }] as const),
  [parent(trace), trace],
  [{ traceparent: `cc-${trace}-00f067aa0ba902b7-01-later` }, trace],
  [{ 'x-request-id': 'mine', ...parent(trace) }, 'mine'],
  [{ 'x-request-id': 'a b', ...parent(trace) }, trace],
  [parent('0'.repeat(32))],
  [{ traceparent: `00-${trace}-${'0'.repeat(16)}-01` }],
  [{ traceparent: `ff-${trace}-00f067aa0ba902b7-01` }],
  [parent(trace.toUpperCase())]
]

test('a valid id of the client is kept, any other is replaced by a new one', async (t) => {
  const requestId = createRequestIds()
  const made = ids.filter(([, want]) => want === undefined).map(([headers]) => requestId({ headers }))
  for (const id of made) t.match(id, /^[\w-]{12}-[0-9a-z]+$/)
  t.equal(new Set(made).size, made.length, 'each of its own')
  for (const [headers, want] of ids) if (want !== undefined) t.equal(requestId({ headers }), want)
})

const page = 'https://app.example'

async function withCors(t: Test, ...origins: readonly string[]) {
  const app = createService(t)
  await allowOrigins(app, origins, { operations: [], securitySchemes: {} })
  app.addHook('onRequest', async ({ headers }) => {
    if (headers.authorization === undefined) throw new FailureError('no-credentials')
  })
  app.post('/plants', async () => 'ok')
  app.setNotFoundHandler((_request, reply) => reply.code(405).send())
  return async (method: 'OPTIONS' | 'POST', headers: Record<string, string>) => {
    const answer = await app.inject({ method, url: '/plants', headers })
    const named = Object.entries(answer.headers).filter(([name]) => name.startsWith('access-control-'))
    return { status: answer.statusCode, vary: answer.headers.vary, cors: Object.fromEntries(named) }
  }
}

const authorization = 'yes'
const preflight = (origin: string) => ({
  origin,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization'
})
const vary = /origin/i

test('pages of allowed origins may send and read; every answer varies by origin, for shared caches', async (t) => {
  const ask = await withCors(t, 'https://other.example', page)
  t.strictSame((await ask('OPTIONS', preflight(page))).cors, {
    'access-control-allow-origin': page,
    'access-control-allow-methods': 'GET, HEAD',
    'access-control-allow-headers': 'authorization, content-type, x-request-id, traceparent, tracestate',
    'access-control-expose-headers':
      'retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, www-authenticate, x-request-id',
    'access-control-max-age': '7200'
  })
  t.match(await ask('OPTIONS', preflight(page)), { status: 204, vary }, 'without credentials')
  const allowed = { 'access-control-allow-origin': page, 'access-control-allow-credentials': undefined }
  t.match(await ask('POST', { origin: page, authorization }), { status: 200, vary, cors: allowed })
  t.match(await ask('POST', { origin: page }), { status: 401, vary, cors: allowed }, 'a refusal, too')
  t.match(await ask('OPTIONS', { origin: page, authorization }), { status: 405 }, 'no preflight')
  const strangers = [
    'https://evil.example',
    'https://app.example.evil.example',
    'http://app.example',
    `${page}:444`
  ]
  for (const origin of [...strangers, 'null']) {
    t.strictSame((await ask('OPTIONS', preflight(origin))).cors, {})
    t.match(await ask('OPTIONS', preflight(origin)), { status: 401, vary }, 'treated like any OPTIONS')
    t.strictSame((await ask('POST', { origin, authorization })).cors, {})
  }
  const same = await ask('POST', { authorization })
  t.match(same, { status: 200, vary })
  t.strictSame(same.cors, {})
  const none = await (await withCors(t))('OPTIONS', preflight(page))
  t.strictSame(none, { status: 401, vary: undefined, cors: {} }, 'without CORS_ORIGIN')
})

/** Takes the `authorization` header as the principal. */
async function limited(t: Test, max?: number) {
  const app = createService(t)
  const limit = max === undefined ? undefined : { max, windowMs: 60_000 }
  await limitRate(app, limit, ({ headers }) => headers.authorization)
  app.post('/', async () => 'ok')
  return async (principal?: string, payload?: string) => {
    const type = payload === undefined ? {} : { 'content-type': 'application/json' }
    const headers = { ...(principal && { authorization: principal }), ...type }
    const answer = await app.inject({ method: 'POST', url: '/', headers, ...(payload && { payload }) })
    const { headers: found } = answer
    const shown = ['limit', 'remaining', 'reset'].map((name) => found[`ratelimit-${name}`])
    return { status: answer.statusCode, shown: [...shown, found['retry-after']].join(), text: answer.payload }
  }
}

test('requests beyond the limit of a principal get 429 with Retry-After, and every answer states the limit', async (t) => {
  const ask = await limited(t, 2)
  t.match(await ask('alice'), { status: 200, shown: '2,1,60,' })
  t.match(await ask('bob'), { status: 200, shown: '2,1,60,' })
  t.match(await ask('alice', '{}'), { status: 200, shown: '2,0,60,' })
  const message = 'more than 2 requests in 60 s; Retry-After says when to come back'
  const text = JSON.stringify({ code: 'too-many-requests', message })
  t.strictSame(
    await ask('alice', 'no json'),
    { status: 429, shown: '2,0,60,60', text },
    'the body is not read'
  )
  for (let turn = 0; turn < 3; turn += 1) t.equal((await ask()).status, 200, 'nobody is not counted')
  t.match(await (await limited(t))('alice'), { status: 200, shown: ',,,' }, 'without a limit')
})

const options = (environment: Environment) => {
  const config = readConfig(environment)
  return limitOptions(config)
}

test('the contract states every limit that a client must know', async (t) => {
  const { bodyLimit, requestTimeout } = options({})
  const { maxHeaderBytes, keepAliveTimeout, maxBodyBytes, maxUnreadBytes, maxConnections } = limits
  const bytes = [maxHeaderBytes, bodyLimit, maxBodyBytes, maxUnreadBytes].map((limit) => `${limit} bytes`)
  const times = [requestTimeout, keepAliveTimeout].map((limit) => `${limit} ms`)
  const contract = readFileSync('openapi.yaml', 'utf8')
  for (const limit of [...bytes, ...times, `${maxConnections}`])
    t.ok(contract.includes(`| ${limit} |`), limit)
  t.equal(byteLimits({ bodyLimit: 2 * maxBodyBytes }).maxBodyBytes, 2 * maxBodyBytes, 'room for any body')
})

test('a request may take longer than the 300 s that Node knows', async (t) => {
  for (const requestTimeout of ['1', '600000', '2147483647']) {
    const app = Fastify(options({ REQUEST_TIMEOUT: requestTimeout }))
    t.equal(app.server.requestTimeout, Number(requestTimeout))
    t.ok(app.server.headersTimeout <= Number(requestTimeout))
    await app.close()
  }
})
