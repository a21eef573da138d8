/** The application of a definition: requests on real sockets, with their log lines and metrics, and `buildApp` for tests. */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import root, { type Test, test } from 'tap'
import { contractCoverage } from '../../src/engine/coverage.ts'
import { type Failure, FailureError } from '../../src/engine/errors.ts'
import { buildService } from '../../src/service/build.ts'
import { type Environment, readConfig } from '../../src/service/config/config.ts'
import type { ServiceStore } from '../../src/service/definition.ts'
import { createLog } from '../../src/service/observability/log.ts'
import { createMetrics } from '../../src/service/observability/metrics.ts'
import { type Authenticate, buildApp, defineService } from '../../src/service/service.ts'
import { compiled, type Json } from '../engine/serve.ts'
import { until } from '../time.ts'
import { createKey, sign, startIssuer } from './credentials/issuer.ts'

root.setTimeout(900_000)

const text = { description: '', content: { 'application/json': {}, 'text/plain': {} } }
const bearer = { type: 'http', scheme: 'bearer' }
const things = await compiled(root, {
  security: [{ bearer: [] }],
  paths: {
    '/things': {
      get: { operationId: 'list', responses: { 200: text } },
      post: {
        operationId: 'make',
        requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
        responses: { 200: text }
      },
      delete: {
        operationId: 'clear',
        parameters: [{ name: 'mode', in: 'query', schema: { type: 'string' } }],
        responses: { 200: text, 404: text, 409: text }
      }
    }
  },
  components: { securitySchemes: { bearer } }
})

interface Context {
  readonly scopes: readonly string[]
  readonly request: FastifyRequest
}

class Conflict extends Error {}

const store: ServiceStore = { depth: 0, ready: async () => true, close: async () => {} }

/** A service of this contract, in which `GET` needs a permission that the token `guest` does not give. */
async function service(t: Test, environment: Environment) {
  /** Depths of the store that `around` has seen. */
  const depths: number[] = []
  const definition = defineService({
    contract: things,
    handlers: (_store: ServiceStore) => ({
      list: async () => ({ status: 200, body: 'x' }),
      make: async () => ({ status: 200, body: 'x' }),
      clear: async ({ query }: { query: { mode?: string } }) => {
        if (query.mode !== undefined) throw new Conflict(query.mode)
        return { status: 404, body: { code: 'unknown' } }
      }
    }),
    security: (authenticate) => ({
      bearer: async (token: string, context: Context) => {
        const principal = await authenticate(token, context)
        if (token === 'guest' && context.request.method === 'GET')
          throw new FailureError('forbidden', { principal })
        return principal
      }
    }),
    openStore: async () => store,
    errorBody: ({ code }: Failure) => ({ code }),
    errorResponse: (error) =>
      error instanceof Conflict
        ? { status: Number(error.message), body: { code: error.message } }
        : undefined,
    around: async (_request, handle, { store }) => {
      depths.push(Number(store.depth))
      return handle()
    },
    errorLabel: (body) => String(Object(body).code)
  })
  const config = readConfig(environment)
  const lines: Record<string, unknown>[] = []
  const log = createLog('info', { write: (line) => lines.push(JSON.parse(line)) })
  const authenticate = (token: string) =>
    token === 'eve' ? undefined : { id: `token:${token}`, scopes: [], claims: {} }
  const metrics = createMetrics()
  const app = await buildService(definition, { config, store, authenticate, log, metrics })
  t.teardown(() => app.server.closeAllConnections())
  t.teardown(() => app.close())
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  lines.length = 0
  /** Sends a request; repeats it when it is shed, as on a stalled machine. */
  const ask = async (asked: RequestInit, path = '/things') => {
    const logged = lines.length
    for (;;) {
      const answer = await fetch(origin + path, asked)
      if (answer.headers.get('retry-after') !== '1' || answer.status !== 503) return answer
      await answer.body?.cancel()
      await until(() => lines.length > logged)
      lines.length = logged
    }
  }
  return { app, ask, origin, lines, metrics, depths }
}

const post = (body: string, type = 'application/json') => ({
  method: 'POST',
  headers: { 'content-type': type },
  body
})

/** Requests of one token, in turn; the rate limit counts all of them. */
const refusals: readonly (readonly [status: number, error: string | undefined, request: RequestInit])[] = [
  [403, 'forbidden', {}],
  [406, 'not-acceptable', { method: 'POST', headers: { accept: 'image/png' } }],
  [400, 'missing-body', { method: 'POST' }],
  [413, 'body-too-large', post('x'.repeat(200))],
  [415, 'unsupported-media-type', post('x', 'x/y')],
  [400, 'malformed-body', post('{')],
  [400, 'mismatch', post('[]')],
  [400, 'mismatch', { ...post('{}'), method: 'DELETE' }],
  [404, 'unknown', { method: 'DELETE' }],
  [200, undefined, post('{}')],
  [429, 'too-many-requests', {}]
]

test('every refusal after authentication is counted by RATE_LIMIT, and logged with its number, reason and principal', async (t) => {
  const { ask, lines } = await service(t, { RATE_LIMIT: '10/1m', BODY_LIMIT: '100' })
  for (const [index, [status, error, request]] of refusals.entries()) {
    const headers = { authorization: 'Bearer guest', ...request.headers }
    const answer = await ask({ ...request, headers })
    t.equal(answer.status, status, `${index}: ${await answer.text()}`)
    t.equal(answer.headers.get('ratelimit-remaining'), String(Math.max(0, 9 - index)), `${index}`)
    await until(() => lines.length > index)
    const reason = error === undefined || error === 'unknown' ? undefined : String
    t.match(lines[index], { status, error, reason, principal: 'token:guest', remoteAddress: '127.0.0.1' })
  }
})

test('errorResponse maps what a handler throws, and around is called with the store', async (t) => {
  const { ask, lines, depths } = await service(t, {})
  const headers = { authorization: 'Bearer admin' }
  const clear = async (mode: string) => {
    const answer = await ask({ method: 'DELETE', headers }, `/things?mode=${mode}`)
    return [answer.status, await answer.json()]
  }
  t.strictSame(await clear('409'), [409, { code: '409' }])
  t.strictSame(depths, [0])
  t.strictSame(await clear('410'), [500, { code: 'response-mismatch' }])
  t.ok(lines.some(({ msg }) => msg === 'clear answered 410: status 410 is not declared'))
})

test('requests refused before authentication are counted for no token', async (t) => {
  const { ask } = await service(t, { RATE_LIMIT: '1/1m' })
  const headers = { authorization: 'Bearer guest' }
  t.equal((await ask({ headers: { authorization: 'Bearer eve' } })).status, 401)
  t.equal((await ask({ headers }, '/nowhere')).status, 404)
  t.equal((await ask({ method: 'PATCH', headers })).status, 405)
  t.equal((await ask({ headers })).status, 403)
  t.equal((await ask({ headers })).status, 429)
})

async function connected(t: Test, origin: string, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1').on('error', () => undefined)
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

test('a connection that is closed without an answer is logged and counted', async (t) => {
  const { app, origin, lines, metrics } = await service(t, {})
  const closed = async (text: string, line: { failure: string; reason: string; status: number }) => {
    lines.length = 0
    await once(await connected(t, origin, text), 'close')
    const refused = () => lines.filter(({ failure }) => failure !== undefined)
    await until(() => refused().length > 0)
    t.match(refused(), [{ ...line, remoteAddress: '127.0.0.1', msg: 'request' }])
    t.match(await metrics.registry.metrics(), new RegExp(`http_refusals_total{error="${line.failure}"} 1\n`))
  }
  const get = 'GET /things HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good\r\n\r\n'
  const reason = 'more than 100 requests of a connection wait for their answers'
  await closed(get.repeat(200), { failure: 'too-many-requests', reason, status: 429 })
  app.server.maxConnections = 1
  await connected(t, origin, '')
  await closed('', { failure: 'overloaded', reason: 'there are more than 1 connections', status: 503 })
})

test('beyond 64 MiB of all bodies a request is refused before its body is read', async (t) => {
  const size = 30 * 1024 * 1024
  const { app, ask, origin, lines } = await service(t, { BODY_LIMIT: String(size), REQUEST_TIMEOUT: '60000' })
  const sockets: Socket[] = []
  app.server.on('connection', (socket) => sockets.push(socket))
  const head = `POST /things HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\nExpect: 100-continue\r\n\r\n`
  /** Returns the log lines of refused requests; a shed request, as on a stalled machine, has no principal. */
  const refused = () => lines.filter(({ principal }) => principal !== undefined)
  const answered = async () => {
    for (;;) {
      const logged = lines.length
      const client = await connected(t, origin, head)
      const answer = String(await once(client, 'data'))
      if (/^HTTP\/1.1 100/.test(answer)) return { client, answer }
      await until(() => lines.length > logged)
      if (refused().length > 0) return { client, answer }
    }
  }
  const clients = [(await answered()).client, (await answered()).client]
  for (const client of clients) client.write(Buffer.alloc(size - 1, ' '))
  await until(() => sockets.filter(({ bytesRead }) => bytesRead >= size).length === 2)
  t.match((await answered()).answer, /^HTTP\/1.1 503 .*connection: close.*"overloaded"/is)
  t.match(refused(), [{ status: 503, error: 'overloaded', principal: 'token:good' }])
  const headers = { authorization: 'Bearer good', 'content-type': 'application/json' }
  t.equal((await ask({ ...post('{}'), headers })).status, 200, 'small bodies are received')
})

const answers = {
  204: { description: '', headers: { 'X-Count': { schema: { type: 'integer' } } } },
  404: { description: '', content: { 'application/json': {} } }
}
const trace = { name: 'X-Trace', in: 'header', schema: { type: 'string' } }
const document: Json = {
  paths: {
    '/open': { get: { operationId: 'open', parameters: [trace], responses: answers } },
    '/-/ready': { get: { operationId: 'ready', responses: answers } },
    '/secured': { get: { operationId: 'secured', security: [{ key: [] }], responses: answers } }
  },
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } }
}

const contract = await compiled(root, document)
const found = async () => ({ status: 204 })
const parts = {
  contract,
  handlers: () => ({
    open: async () => ({ status: 404, body: 'nothing is here' }),
    ready: found,
    secured: found
  }),
  errorBody: ({ message }: Failure) => ({ message })
}

/** Returns a definition that accepts any key; the test sets the principal. */
const definition = (principal: (key: string) => unknown = (key) => key) =>
  defineService({ ...parts, security: { key: (key: string) => principal(key) } })

type Options = Partial<Parameters<typeof buildApp<never, undefined>>[1]>

/** Returns a function that asks the application: `/open`, `/open from 192.0.2.9`, `/secured with KEY`. */
async function built(t: Test, options: Options, service = definition()) {
  const app = await buildApp(service, options)
  t.teardown(() => app.close())
  return async (asked: string, headers: Record<string, string> = {}) => {
    const [url = '', remoteAddress] = asked.split(' from ')
    const [path = '', key] = url.split(' with ')
    const sent = { ...headers, ...(key !== undefined && { 'x-key': key }) }
    return app.inject({ url: path, headers: sent, ...(remoteAddress !== undefined && { remoteAddress }) })
  }
}

type Ask = Awaited<ReturnType<typeof built>>
const statuses = async (ask: Ask, asked: readonly string[], headers = {}) =>
  (await Array.fromAsync(asked, (each) => ask(each, headers))).map(({ statusCode }) => statusCode)

const limited = { RATE_LIMIT: '2/1m' }

test('RATE_LIMIT counts by the id of a principal, otherwise by the address, and nothing beside the contract', async (t) => {
  const open = await built(t, { environment: limited })
  t.strictSame(await statuses(open, Array(3).fill('/-/live')), [200, 200, 200])
  const asked = ['/open', '/open', '/open', '/open from 192.0.2.9']
  t.strictSame(await statuses(open, asked), [404, 404, 429, 404])
  const principals: readonly (readonly [principal: (key: string) => unknown, other: number])[] = [
    [(key) => ({ id: key }), 204],
    [(key) => ({ id: key.length }), 204],
    [(key) => key, 429],
    [(key) => ({ key }), 429]
  ]
  for (const [principal, other] of principals) {
    const ask = await built(t, { environment: limited }, definition(principal))
    const asked = ['a', 'a', 'a', 'bb'].map((key) => `/secured with ${key}`)
    t.strictSame(await statuses(ask, asked), [204, 204, 429, other], String(principal))
  }
})

test('with TRUST_PROXY, RATE_LIMIT counts by an address that is one, and never nobody', async (t) => {
  const ask = await built(t, { environment: { ...limited, TRUST_PROXY: 'true' } })
  const count = async (sent: string) => (await ask('/open', { 'x-forwarded-for': sent })).statusCode
  const sent = ['203.0.113.7:1', '203.0.113.7:2', '[::1]:2', '203.0.113.7:3', 'x'.repeat(14_000), 'x', 'y']
  t.strictSame(await Array.fromAsync(sent, count), [404, 404, 404, 429, 404, 404, 429])
})

test('without errorLabel the metrics count refusals by their status; coverage counts what requests show', async (t) => {
  const [metrics, coverage] = [createMetrics(), contractCoverage(contract)]
  const ask = await built(t, { metrics, coverage })
  await statuses(ask, ['/open', '/secured', '/secured with a'])
  const exposed = await metrics.registry.metrics()
  for (const status of [404, 401]) t.match(exposed, `http_refusals_total{error="${status}"} 1`)
  t.match(coverage.report().operations, { seen: 1, declared: 3 })
})

test('the tokens of AUTH_* are accepted, as by the process; without them, no token is', async (t) => {
  const signing = await createKey('k1')
  const issuer = await startIssuer(signing)
  t.teardown(() => issuer.close())
  const jwks = { AUTH_JWKS_URL: issuer.url.href, AUTH_ISSUER: 'https://id.example', AUTH_AUDIENCE: 'plants' }
  const file = join(t.testdir(), 'tokens')
  writeFileSync(file, 'a\n', { mode: 0o600 })
  const config = readConfig({ AUTH_TOKENS: 'a' }, { tokens: true })
  const authenticate = (key: string) => ({ id: key, scopes: [], claims: {} })
  const secured = defineService({
    ...parts,
    security: (authenticate: Authenticate) => ({ key: authenticate })
  })
  const rows: readonly (readonly [options: Options, key: string, status: number])[] = [
    [{}, 'a', 401],
    [{ environment: { AUTH_TOKENS: 'a,b' } }, 'b', 204],
    [{ environment: { AUTH_TOKENS_FILE: file } }, 'a', 204],
    [{ config }, 'a', 204],
    [{ environment: jwks }, await sign(signing), 204],
    [{ environment: { AUTH_TOKENS: 'b' }, authenticate }, 'a', 204]
  ]
  for (const [options, key, status] of rows)
    t.strictSame(await statuses(await built(t, options, secured), [`/secured with ${key}`]), [status])
  for (const [name, value, message] of [
    ['AUTH_TOKENS_FILE', `${file}.none`, /^AUTH_TOKENS_FILE: /],
    ['BODY_LIMIT', 'x', /^BODY_LIMIT is "x"; expected a whole number/]
  ] as const)
    await t.rejects(buildApp(secured, { environment: { [name]: value } }), { name: 'StartError', message })
})

test('a page of another origin may send and read the headers that the contract declares', async (t) => {
  const origin = 'https://app.example'
  const app = await buildApp(definition(), { environment: { CORS_ORIGIN: origin } })
  t.teardown(() => app.close())
  const headers = { origin, 'access-control-request-method': 'GET' }
  t.match((await app.inject({ method: 'OPTIONS', url: '/open', headers })).headers, {
    'access-control-allow-headers': /^authorization, .*, x-trace, x-key$/,
    'access-control-expose-headers': /, x-count$/
  })
})

test('refuseCrossSite accepts pages of CORS_ORIGIN and BASE_URL, and no others', async (t) => {
  const contract = await compiled(t, {
    paths: { '/a': { post: { operationId: 'change', security: [{ sid: [] }], responses: answers } } },
    components: { securitySchemes: { sid: { type: 'apiKey', in: 'cookie', name: 'sid' } } }
  })
  const { errorBody } = parts
  const changing = {
    contract,
    handlers: () => ({ change: found }),
    security: { sid: () => ({ id: 'ada' }) },
    errorBody
  }
  const known = { CORS_ORIGIN: 'https://app.example', BASE_URL: 'https://own.example/api' }
  const rows: readonly (readonly [
    refuse: boolean,
    environment: Environment,
    origin: string,
    status: number
  ])[] = [
    [true, known, 'https://app.example', 204],
    [true, known, 'https://own.example', 204],
    [true, known, 'https://evil.example', 403],
    [true, {}, 'https://own.example', 403],
    [false, {}, 'https://evil.example', 204]
  ]
  for (const [refuseCrossSite, environment, origin, status] of rows) {
    const app = await buildApp(defineService({ ...changing, refuseCrossSite }), { environment })
    t.teardown(() => app.close())
    const headers = { cookie: 'sid=1', origin, host: 'inner.example', 'sec-fetch-site': 'cross-site' }
    const url = environment === known ? '/api/a' : '/a'
    t.equal((await app.inject({ method: 'POST', url, headers })).statusCode, status, origin)
  }
})

test('a service is served below the path of the first server, unless BASE_URL says otherwise', async (t) => {
  const below = await compiled(root, { ...document, servers: [{ url: 'https://api.example/v1/' }] })
  const service = { ...definition(), contract: below }
  // An operation at the path of a health check is served in its place.
  const paths = ['/-/ready', '/v1/-/ready', '/v1/docs', '/v1/-/live', '/v2/-/ready', '/docs']
  const rows: readonly (readonly [environment: Environment, statuses: readonly number[]])[] = [
    [{}, [404, 204, 200, 200, 404, 302]],
    [{ BASE_URL: 'https://x.example/v2' }, [404, 404, 404, 404, 204, 302]],
    [{ BASE_URL: 'https://x.example' }, [204, 404, 404, 404, 404, 200]]
  ]
  for (const [environment, want] of rows)
    t.strictSame(await statuses(await built(t, { environment }, service), paths), want)
})

test('what leads to a 500 is reported with its stack, and nothing else is', async (t) => {
  const thrown = [
    new TypeError('a defect'),
    new FailureError('not-implemented'),
    new FailureError('not-found'),
    new DOMException('left', 'AbortError')
  ]
  const next = thrown.values()
  const told: string[] = []
  const handlers = () => ({ ...parts.handlers(), open: () => Promise.reject(next.next().value) })
  const ask = await built(t, { onDefect: (text) => told.push(text) }, { ...definition(), handlers })
  t.strictSame(await statuses(ask, Array(4).fill('/open')), [500, 501, 404, 500])
  t.equal(told.length, 1)
  t.match(told[0], /^.*: TypeError: a defect\n {4}at /)
})
