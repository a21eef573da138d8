/** The log line and the metrics of each request, and the reason of its refusal, without data of the client. */
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
  type onRequestHookHandler
} from 'fastify'
import { type Test, test } from 'tap'
import contract from '../../../generated/contract.ts'
import { type FailureCode, FailureError } from '../../../src/engine/errors.ts'
import type { Operation } from '../../../src/engine/model/compiled-contract.ts'
import { admission } from '../../../src/engine/server/operation-route.ts'
import { openApiJson } from '../../../src/engine/server.ts'
import { readConfig } from '../../../src/service/config/config.ts'
import { noteCredentialProblem } from '../../../src/service/credentials/scopes.ts'
import { createLog, silentLog } from '../../../src/service/observability/log.ts'
import { createMetrics } from '../../../src/service/observability/metrics.ts'
import {
  errorResponseReporter,
  failureReporter,
  namesIn,
  observed,
  onEachRequest,
  placesOf,
  refusalOf,
  unknownQuery
} from '../../../src/service/observability/request-log.ts'
import { summaryOf } from '../../../src/service/run.ts'
import { sleep, until } from '../../time.ts'
import { createService } from '../http/service.ts'

const unobserved = { log: silentLog(), metrics: undefined }
const known = [new Set(['labels', 'name']), () => false] as const

const operation: Operation = {
  operationId: 'op',
  method: 'POST',
  path: '/plants/{id}',
  url: '/plants/:id',
  security: [],
  parameters: [],
  responses: {}
}

/** Context of the operation's hook, in which every key is that of one principal. */
const admitting = {
  contract: { title: '', securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } } as never,
  security: { key: () => ({ id: 'token:1' }) },
  guard: () => undefined,
  prefix: ''
}

const withKey: onRequestHookHandler = ({ raw }, _reply, done) => {
  raw.headers['x-key'] = 'any'
  done()
}

const failing = (error: Error) => () => Promise.reject(error)

function logged(level: 'info' | 'debug' | 'error' = 'info') {
  const lines: Record<string, unknown>[] = []
  return { lines, log: createLog(level, { write: (line) => lines.push(JSON.parse(line)) }) }
}

async function service(t: Test, level: 'info' | 'debug' = 'info', options: FastifyServerOptions = {}) {
  const { lines, log: loggerInstance } = logged(level)
  const logController = new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' })
  const app = createService(t, { loggerInstance, logController, genReqId: () => 'id-1', ...options })
  onEachRequest(app, observed(unobserved, { securitySchemes: {} }))
  const isProbe = { config: { isProbe: true } }
  app.route({
    method: 'POST',
    url: '/plants/:id',
    config: { operation },
    onRequest: [withKey, admission({ ...operation, security: [[{ scheme: 'key', scopes: [] }]] }, admitting)],
    handler: async () => 'ok'
  })
  app.get('/-/live', isProbe, async () => 'ok')
  app.get('/plants/-/x', async () => 'ok')
  app.get('/fails', failing(new Error('hidden')))
  app.get('/busy', failing(new FailureError('overloaded')))
  app.get('/-/ready', isProbe, failing(new FailureError('unavailable')))
  app.get('/slow', () => sleep(1_000).then(() => 'ok'))
  await app.listen()
  const { port } = app.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  /** Returns the lines of a request. */
  const ask = async (path: string, init?: RequestInit) => {
    lines.length = 0
    await fetch(url + path, init)
    await until(() => lines.some(({ msg }) => msg === 'request') || path.startsWith('/-/'))
    await sleep(20)
    return lines.filter(({ msg }) => msg === 'request' || level === 'info')
  }
  return { lines, url, ask }
}

const post = {
  method: 'POST',
  headers: { authorization: 'Bearer hunter2', 'content-type': 'application/json' },
  body: '{"hunter2":1}'
}
const line = { level: 30, msg: 'request', requestId: 'id-1', remoteAddress: '127.0.0.1', ms: Number }
const ofOperation = {
  ...line,
  method: 'POST',
  route: '/plants/{id}',
  operationId: 'op',
  principal: 'token:1'
}

/** Log lines of requests at a level; a health check has none. */
const rows: readonly (readonly [level: 'info' | 'debug', path: string, want: readonly object[]])[] = [
  ['info', '/plants/hunter2?token=hunter2', [{ ...ofOperation, status: 200, unknownQuery: undefined }]],
  ['info', '/hunter2', [{ ...line, status: 404, path: undefined, route: undefined }]],
  ['info', '/fails', [{ ...line, status: 500, level: 50, route: '/fails' }]],
  ['info', '/plants/-/x', [{ ...line, status: 200, route: '/plants/-/x' }]],
  ['info', '/busy', [{ ...line, status: 503, level: 40, route: '/busy' }]],
  ['info', '/-/live', []],
  ['info', '/-/ready', []],
  ['debug', '/wrong/base?token=hunter2', [{ status: 404, path: '/wrong/base' }]],
  ['debug', `/${'x'.repeat(14_000)}`, [{ status: 404, path: `/${'x'.repeat(999)}` }]],
  ['debug', '/plants/1?lmit=hunter2', [{ ...ofOperation, status: 200, unknownQuery: ['lmit'] }]]
]

test('the log line of a request holds the route pattern, not the URL, headers or body', async (t) => {
  const asked = { info: (await service(t)).ask, debug: (await service(t, 'debug')).ask }
  for (const [level, path, want] of rows) {
    const lines = await asked[level](path, /^\/plants\/\w/.test(path) ? post : undefined)
    t.match(lines, want, path.slice(0, 40))
    t.equal(lines.length, want.length, path.slice(0, 40))
    t.notMatch(JSON.stringify(lines), 'hunter2')
  }
})

test('a client that leaves before its answer is logged with 499', async (t) => {
  const { lines, url } = await service(t)
  lines.length = 0
  const asked = request(`${url}/slow`).on('error', () => {})
  asked.end()
  await sleep(100)
  asked.destroy()
  await until(() => lines.length > 0)
  t.match(lines, [{ status: 499, route: '/slow' }])
})

const trusting: readonly (readonly [trustProxy: boolean | string[], sent: string, address?: string])[] = [
  [false, '203.0.113.7', '127.0.0.1'],
  [['127.0.0.1'], '203.0.113.7', '203.0.113.7'],
  [true, 'x'.repeat(14_000)],
  [true, 'unknown, 203.0.113.8']
]

test('with trustProxy the address in the log is an IP address or nothing, whatever a client sends', async (t) => {
  for (const [trustProxy, sent, address] of trusting) {
    const { ask } = await service(t, 'info', { trustProxy })
    const [line] = await ask('/plants/1', { method: 'POST', headers: { 'x-forwarded-for': sent } })
    t.equal(line?.['remoteAddress'], address, sent.slice(0, 20))
    t.ok(JSON.stringify(line).length < 1_000)
  }
})

test('a report that throws is logged, and does not end the process', async (t) => {
  const { lines, log: loggerInstance } = logged('error')
  const app = createService(t, { loggerInstance })
  const request = () => {
    throw new Error('secret')
  }
  const metrics = { ...createMetrics(), request }
  onEachRequest(app, observed({ ...unobserved, metrics }, { securitySchemes: {} }))
  app.get('/', async () => 'ok')
  t.equal((await fetch(await app.listen())).status, 200)
  await until(() => lines.length > 0)
  t.match(lines, [{ err: { message: 'secret' }, msg: 'the outcome of a request could not be reported' }])
})

const yaml = `# pastel: a colour
properties:
  labels: { type: object, properties: { "inner": {}, 'it is': {}, plain: {} } }
  'a b':
    description: "hunter2"
parameters:
  - name: X-Trace # hunter2
  - { in: query, name: 'Page' }
  -   schema: { type: array, items: [a, b], default: hunter2 }
      https://x.example: hunter2
`

test('segments are the names of the contract, its parameters in any case; others are hidden', async (t) => {
  const written = namesIn(yaml)
  for (const name of ['labels', 'inner', 'it is', 'plain', 'a b', 'X-Trace', 'x-trace', 'Page'])
    t.ok(written.has(name), name)
  for (const name of ['hunter2', 'pastel', 'a', 'b']) t.notOk(written.has(name), name)
  const text = await contract.yaml()
  const missing = namesIn(openApiJson(text)).difference(namesIn(text))
  t.same(
    [...missing].filter((name) => !/[{}]/.test(name)),
    [],
    'of the contract, as of its JSON'
  )
  for (const place of ['body', 'body/labels/12', 'headers/x-trace']) t.equal(placesOf(place, written), place)
  for (const place of ['body/labels', 'query']) t.equal(placesOf(`${place}/hunter2`, written), `${place}/*`)
  t.equal(placesOf('body/4111111111111111', written), 'body/*')
})

type Parameter = Operation['parameters'][number]

const parameter = (key: string, rest: Partial<Parameter> = {}): Parameter => ({
  name: key,
  key,
  in: 'query',
  required: false,
  style: 'form',
  explode: true,
  shape: { types: ['string'] },
  ...rest
})

const any = { types: [] }
const many = `/plants?${Array.from({ length: 50 }, (_, index) => `${index}${'x'.repeat(1000)}`).join('&')}`
const queries: readonly (readonly [url: string, declared: readonly Parameter[], want: readonly string[]])[] =
  [
    ['/plants', [], []],
    ['/plants?lmit=1&limit=2&lmit=3', [parameter('limit')], ['lmit']],
    ['/plants?id=1', [parameter('id', { in: 'path' })], ['id']],
    ['/plants?api_key=secret&other=1', [], ['other']],
    ['/plants?f[a]=x&fs[a]=x', [parameter('f', { style: 'deepObject', shape: any })], ['fs[a]']],
    ['/plants?x=1&z=1', [parameter('point', { shape: { ...any, properties: { x: any } } })], ['z']],
    ['/plants?x=1', [parameter('any', { shape: { ...any, additional: any } })], []],
    ['/plants?x=1', [parameter('any', { explode: false, shape: { ...any, additional: any } })], ['x']],
    // What stands in a query that is one value is no name.
    ['/plants?%7B%22secret%22%3A1%7D', [parameter('whole', { in: 'querystring' })], []],
    [many, [], Array.from({ length: 10 }, (_, index) => `${index}${'x'.repeat(63)}`)]
  ]

test('only names that the operation declares nowhere are unknown; a few are listed, and their beginnings', async (t) => {
  for (const [url, parameters, want] of queries)
    t.strictSame(unknownQuery(url, { ...operation, parameters }, ['api_key']), want, url.slice(0, 40))
})

type Details = ConstructorParameters<typeof FailureError>[1]

/** Returns a failure with the body that a client got. */
const answered = (code: FailureCode, details?: Details) => ({
  ...new FailureError(code, details).failure,
  body: { type: code }
})

const bodies = {
  errorLabel: (body: unknown) => String(Object(body).type),
  errorReason: (body: unknown) => `because ${Object(body).type}`
}

const taken = { status: 409, body: { type: 'taken' } }

/** Returns a request with the members that are used. */
const bare = () => ({ routeOptions: { config: {} } }) as unknown as FastifyRequest

const problems = [
  { place: 'body/labels/hunter2/0', message: 'must be string' },
  { place: 'body/name', message: 'is required' }
]
const quoting = { message: 'media type text/hunter2 is not supported', reason: 'another media type' }
const formless = 'the credentials do not have the form that the contract declares'
const reasons: readonly (readonly [code: FailureCode, given: Details | string, reason: string])[] = [
  ['mismatch', { problems }, 'body/labels/*/0 must be string; body/name is required'],
  ['no-credentials', {}, 'no credentials were sent'],
  ['unsupported-media-type', quoting, 'another media type'],
  ['credentials-refused', 'exp: has expired', 'exp: has expired'],
  ['credentials-refused', {}, formless],
  [
    'mismatch',
    { problems: Array(20).fill({ ...problems[1], place: `body${'/*'.repeat(5_000)}` }) },
    `body${'/*'.repeat(498)}`
  ]
]

test('the log learns the reason of a refusal, without what the client made, bounded', async (t) => {
  for (const [code, given, reason] of reasons) {
    const refused = bare()
    if (typeof given === 'string') noteCredentialProblem(refused, given)
    const failure = answered(code, typeof given === 'string' ? {} : given)
    failureReporter(unobserved, bodies, ...known)(failure, refused)
    t.strictSame(refusalOf(refused), { status: failure.status, error: code, reason })
  }
  const [refused, failed] = [bare(), bare()]
  const long = () => 'x'.repeat(100_000)
  errorResponseReporter(unobserved, { errorLabel: long, errorReason: long })(taken, refused)
  t.match(refusalOf(refused), { error: 'x'.repeat(64), reason: 'x'.repeat(1_000) })
  failureReporter(
    unobserved,
    { errorLabel: long },
    ...known
  )({ ...answered('timeout'), body: undefined }, failed)
  t.match(refusalOf(failed), { error: 408 }, 'without a body')
})

const crash = (): never => {
  throw new Error('secret')
}
const wrong: Readonly<Record<string, () => unknown>> = {
  throws: crash,
  rejects: async () => crash(),
  'returns a symbol': () => Symbol('label'),
  'returns a cycle': () => globalThis
}

test('for an errorLabel and an errorReason that are wrong the status counts, and each is logged', async (t) => {
  for (const [what, run] of Object.entries(wrong)) {
    const { lines, log } = logged()
    const metrics = createMetrics()
    const functions = { errorLabel: run as () => string, errorReason: run as () => string }
    const [refused, failed] = [bare(), bare()]
    errorResponseReporter({ log, metrics }, functions)(taken, refused)
    t.match(refusalOf(refused), { error: 409, reason: undefined }, what)
    failureReporter({ log, metrics }, functions, ...known)(answered('not-found'), failed)
    t.match(refusalOf(failed), { error: 404, reason: 'no such path' }, what)
    t.strictSame(
      lines.map(({ callback }) => callback),
      ['errorLabel', 'errorReason', 'errorLabel'],
      what
    )
    t.match(await metrics.registry.metrics(), /http_refusals_total\{error="409"\} 1\n.*error="404"\} 1/)
  }
})

test('the line of a start has the digest of the contract and the number of tokens, and no secret', async (t) => {
  const summary = (digests: readonly string[], tokens = true) => {
    const config = readConfig({ AUTH_TOKENS: 'secret' }, { tokens })
    const sources = digests.map((sha256) => ({ path: 'x', sha256 }))
    const auth = { count: () => 1 } as never
    return summaryOf({ title: 'Things', version: '1', sources } as never, config, auth, undefined)
  }
  const credentials = { tokens: 1, fromEnvironment: 1 }
  t.match(summary(['a']), { contract: { title: 'Things', version: '1', sha256: 'a' }, credentials })
  const sha256 = createHash('sha256').update('a,b').digest('hex')
  t.match(summary(['a', 'b'], false), { contract: { sha256 }, credentials: undefined })
  t.notMatch(JSON.stringify(summary(['a'])), 'secret')
})
