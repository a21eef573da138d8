import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import root, { type Test, test } from 'tap'
import { injectFetch } from '../../src/engine/client.ts'
import { contractCoverage } from '../../src/engine/coverage.ts'
import { type Failure, FailureError } from '../../src/engine/errors.ts'
import { readConfig } from '../../src/service/config/config.ts'
import { createMetrics } from '../../src/service/observability/metrics.ts'
import { type Authenticate, buildApp, defineService } from '../../src/service/service.ts'
import { compiled, type Json } from '../engine/serve.ts'
import { createKey, sign, startIssuer } from './credentials/issuer.ts'

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

/** Returns a definition that accepts any key; the test sets the principal. */
function definition(principal: (key: string) => unknown = (key) => key) {
  return defineService({
    contract,
    handlers: () => ({
      open: async () => ({ status: 404, body: 'nothing is here' }),
      ready: async () => ({ status: 204 }),
      secured: async () => ({ status: 204 })
    }),
    security: { key: (key: string) => principal(key) },
    errorBody: ({ message }: Failure) => ({ message })
  })
}

const statuses = async (ask: () => Promise<{ readonly statusCode: number }>, count: number) =>
  (await Array.fromAsync({ length: count }, ask)).map(({ statusCode }) => statusCode)

const environment = { RATE_LIMIT: '2/1m' }

test('RATE_LIMIT counts by address where an operation is open, and nothing beside the contract', async (t) => {
  const app = await buildApp(definition(), { environment })
  t.teardown(() => app.close())
  t.strictSame(await statuses(async () => app.inject('/-/live'), 3), [200, 200, 200])
  t.strictSame(await statuses(async () => app.inject('/open'), 3), [404, 404, 429])
  t.equal((await app.inject({ url: '/open', remoteAddress: '192.0.2.9' })).statusCode, 404)
})

const principals: readonly { what: string; principal: (key: string) => unknown; want: number }[] = [
  { what: 'an id', principal: (key) => ({ id: key }), want: 204 },
  { what: 'an id that is a number', principal: (key) => ({ id: key.length }), want: 204 },
  { what: 'a text, which may be the credential', principal: (key) => key, want: 429 },
  { what: 'an object without an id', principal: (key) => ({ key }), want: 429 }
]

for (const { what, principal, want } of principals) {
  test(`of a principal that is ${what}, RATE_LIMIT counts ${want === 204 ? 'the id' : 'the address'}`, async (t) => {
    const app = await buildApp(definition(principal), { environment })
    t.teardown(() => app.close())
    const ask = (key: string) => async () => app.inject({ url: '/secured', headers: { 'x-key': key } })
    t.strictSame(await statuses(ask('a'), 3), [204, 204, 429])
    t.equal((await ask('bb')()).statusCode, want)
  })
}

test('with TRUST_PROXY, RATE_LIMIT counts by an address that is one, and never nobody', async (t) => {
  const app = await buildApp(definition(), { environment: { ...environment, TRUST_PROXY: 'true' } })
  t.teardown(() => app.close())
  const ask = (sent: string) => async () => app.inject({ url: '/open', headers: { 'x-forwarded-for': sent } })
  t.strictSame(await statuses(ask('203.0.113.7:1'), 2), [404, 404])
  t.strictSame(await statuses(ask('[::1]:2'), 2), [404, 404])
  t.equal((await ask('203.0.113.7:3')()).statusCode, 429, 'the port does not count')
  t.strictSame(
    await statuses(ask('x'.repeat(14_000)), 3),
    [404, 404, 429],
    'the address of the connection counts'
  )
  t.equal((await ask('another')()).statusCode, 429)
})

test('without errorLabel the metrics count refusals by their status', async (t) => {
  const metrics = createMetrics()
  const app = await buildApp(definition(), { metrics })
  t.teardown(() => app.close())
  await app.inject('/open')
  await app.inject('/secured')
  const exposed = await metrics.registry.metrics()
  for (const status of [404, 401]) t.match(exposed, `http_refusals_total{error="${status}"} 1`)
})

function tokenDefinition() {
  const { handlers, errorBody } = definition()
  const security = (authenticate: Authenticate) => ({ key: authenticate })
  return defineService({ contract, handlers, errorBody, security })
}

const tokenFile = (t: Test, text: string) => {
  const file = join(t.testdir(), 'tokens')
  writeFileSync(file, text, { mode: 0o600 })
  return { AUTH_TOKENS_FILE: file }
}

test('the tokens of AUTH_* are accepted, as by the process; without them, no token is', async (t) => {
  const signing = await createKey('k1')
  const issuer = await startIssuer(signing)
  t.teardown(() => issuer.close())
  const jwks = { AUTH_JWKS_URL: issuer.url.href, AUTH_ISSUER: 'https://id.example', AUTH_AUDIENCE: 'plants' }
  const auth = { tokens: ['a'], tokensFile: undefined, jwks: undefined }
  const read = readConfig({}, { tokens: true })
  if ('problems' in read) throw new Error(read.problems.join())
  const authenticate = (key: string) => ({ id: key, scopes: [], claims: {} })
  const secured = tokenDefinition()
  for (const [what, options, key, want] of [
    ['no AUTH_*', {}, 'a', 401],
    ['AUTH_TOKENS', { environment: { AUTH_TOKENS: 'a,b' } }, 'b', 204],
    ['another token', { environment: { AUTH_TOKENS: 'a,b' } }, 'c', 401],
    ['AUTH_TOKENS_FILE', { environment: tokenFile(t, 'a\n') }, 'a', 204],
    ['a config', { config: { ...read.config, auth } }, 'a', 204],
    ['an issuer', { environment: jwks }, await sign(signing), 204],
    ['authenticate in their place', { environment: { AUTH_TOKENS: 'b' }, authenticate }, 'a', 204]
  ] as const) {
    const app = await buildApp(secured, options)
    t.teardown(() => app.close())
    t.equal((await app.inject({ url: '/secured', headers: { 'x-key': key } })).statusCode, want, what)
  }
})

test('a token file that cannot be read is a sentence', async (t) => {
  const environment = { AUTH_TOKENS_FILE: join(t.testdir(), 'none') }
  await t.rejects(buildApp(tokenDefinition(), { environment }), {
    name: 'StartError',
    message: /^AUTH_TOKENS_FILE: /
  })
})

test('a wrong variable is a sentence', async (t) => {
  await t.rejects(buildApp(definition(), { environment: { BODY_LIMIT: 'x' } }), {
    name: 'StartError',
    message: /^BODY_LIMIT is "x"; expected a whole number/
  })
})

test('an operation at the path of a health check is served in its place', async (t) => {
  const app = await buildApp(definition(), {})
  t.teardown(() => app.close())
  t.equal((await app.inject('/-/ready')).statusCode, 204)
  t.strictSame((await app.inject('/-/live')).json(), { status: 'live' })
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
  const cookies: Json = {
    paths: { '/a': { post: { operationId: 'change', security: [{ sid: [] }], responses: answers } } },
    components: { securitySchemes: { sid: { type: 'apiKey', in: 'cookie', name: 'sid' } } }
  }
  const changing = {
    contract: await compiled(t, cookies),
    handlers: () => ({ change: async () => ({ status: 204 }) }),
    security: { sid: () => ({ id: 'ada' }) },
    errorBody: ({ message }: Failure) => ({ message })
  }
  const environment = { CORS_ORIGIN: 'https://app.example', BASE_URL: 'https://own.example/api' }
  const send = async (refuseCrossSite: boolean, given: Record<string, string>, origin: string) => {
    const app = await buildApp(defineService({ ...changing, refuseCrossSite }), { environment: given })
    t.teardown(() => app.close())
    const headers = { cookie: 'sid=1', origin, host: 'inner.example', 'sec-fetch-site': 'cross-site' }
    const url = given === environment ? '/api/a' : '/a'
    return (await app.inject({ method: 'POST', url, headers })).statusCode
  }
  t.equal(await send(true, environment, 'https://app.example'), 204)
  t.equal(await send(true, environment, 'https://own.example'), 204)
  t.equal(await send(true, environment, 'https://evil.example'), 403)
  t.equal(await send(true, {}, 'https://own.example'), 403)
  t.equal(await send(false, {}, 'https://evil.example'), 204)
})

test('coverage counts what the requests of a service show', async (t) => {
  const coverage = contractCoverage(contract)
  const app = await buildApp(definition(), { environment: {}, coverage })
  t.teardown(() => app.close())
  await app.inject({ url: '/secured', headers: { 'x-key': 'a' } })
  t.match(coverage.report().operations, { seen: 1, declared: 3 })
})

test('a service is served below the path of the first server, unless BASE_URL says otherwise', async (t) => {
  const below = await compiled(root, { ...document, servers: [{ url: 'https://api.example/v1/' }] })
  const statusesOf = async (environment: Record<string, string>, paths: readonly string[]) => {
    const app = await buildApp({ ...definition(), contract: below }, { environment })
    const answers = await Promise.all(paths.map((path) => app.inject(path)))
    await app.close()
    return answers.map(({ statusCode }) => statusCode)
  }
  const paths = ['/-/ready', '/v1/-/ready', '/v1/docs', '/v1/-/live', '/v2/-/ready']
  t.strictSame(await statusesOf({}, paths), [404, 204, 200, 200, 404])
  t.strictSame(await statusesOf({ BASE_URL: 'https://x.example/v2' }, paths), [404, 404, 404, 404, 204])
  t.strictSame(await statusesOf({ BASE_URL: 'https://x.example' }, ['/docs', '/v1/docs']), [200, 404])
  const app = await buildApp({ ...definition(), contract: below }, { environment: {} })
  t.teardown(() => app.close())
  const fetch = injectFetch(app)
  const found = ['/-/ready', '/v1/-/ready', 'http://x.example/v1/-/live', '/v1x'].map((url) => fetch(url, {}))
  t.strictSame(
    (await Promise.all(found)).map(({ status }) => status),
    [204, 204, 200, 404]
  )
})

test('what leads to a 500 is reported with its stack, and nothing else is', async (t) => {
  const thrown: readonly Error[] = [
    new TypeError('a defect'),
    new FailureError('not-implemented'),
    new FailureError('not-found'),
    new DOMException('left', 'AbortError')
  ]
  const { handlers, ...others } = definition()
  t.type(handlers, 'function')
  const next = thrown.values()
  const failing = { open: () => Promise.reject(next.next().value), ready: async () => ({ status: 204 }) }
  const told: string[] = []
  const app = await buildApp(
    { ...others, handlers: () => ({ ...failing, secured: failing.ready }) },
    { onDefect: (text) => told.push(text) }
  )
  t.teardown(() => app.close())
  t.strictSame(await statuses(async () => app.inject('/open'), thrown.length), [500, 501, 404, 500])
  t.equal(told.length, 1)
  t.match(told[0], /^.*: TypeError: a defect\n {4}at /)
})
