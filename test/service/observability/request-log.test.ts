import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type FastifyServerOptions, LogController, type onRequestHookHandler } from 'fastify'
import { type Test, test } from 'tap'
import contract from '../../../generated/contract.ts'
import type { Operation } from '../../../src/engine/model/compiled-contract.ts'
import { FailureError } from '../../../src/engine/server/errors/failure.ts'
import { admission } from '../../../src/engine/server/operation-route.ts'
import { openApiJson } from '../../../src/engine/server.ts'
import { createLog } from '../../../src/service/observability/log.ts'
import {
  namesIn,
  observed,
  onEachRequest,
  onOutcome,
  placesOf
} from '../../../src/service/observability/request-log.ts'
import { sleep, until } from '../../time.ts'
import { createService } from '../http/service.ts'

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

async function service(t: Test, level: 'info' | 'debug' = 'info', options: FastifyServerOptions = {}) {
  const lines: Record<string, unknown>[] = []
  const loggerInstance = createLog(level, { write: (line) => lines.push(JSON.parse(line)) })
  const logController = new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' })
  const app = createService(t, { loggerInstance, logController, genReqId: () => 'id-1', ...options })
  onEachRequest(app, observed({ log: undefined, metrics: undefined }, { securitySchemes: {} }))
  app.route({
    method: 'POST',
    url: '/plants/:id',
    config: { operation },
    onRequest: [withKey, admission({ ...operation, security: [[{ scheme: 'key', scopes: [] }]] }, admitting)],
    handler: async () => 'ok'
  })
  app.get('/-/live', { config: { isProbe: true } }, async () => 'ok')
  app.get('/plants/-/x', async () => 'ok')
  app.get('/fails', async () => {
    throw new Error('hidden')
  })
  app.get('/busy', async () => {
    throw new FailureError('overloaded')
  })
  app.get('/-/ready', { config: { isProbe: true } }, async () => {
    throw new FailureError('unavailable')
  })
  app.get('/slow', async () => {
    await sleep(1_000)
    return 'ok'
  })
  await app.listen()
  lines.length = 0
  const { port } = app.server.address() as AddressInfo
  return { lines, url: `http://127.0.0.1:${port}` }
}

const settled = async (lines: readonly unknown[]) => {
  await until(() => lines.length > 0)
  await sleep(20)
}

test('the log line of a request holds the route pattern, not the URL, headers or body', async (t) => {
  const { lines, url } = await service(t)
  const headers = { authorization: 'Bearer hunter2', 'content-type': 'application/json' }
  await fetch(`${url}/plants/hunter2?token=hunter2`, { method: 'POST', headers, body: '{"hunter2":1}' })
  await settled(lines)
  t.equal(lines.length, 1)
  t.match(lines[0], {
    level: 30,
    msg: 'request',
    requestId: 'id-1',
    method: 'POST',
    route: '/plants/{id}',
    operationId: 'op',
    principal: 'token:1',
    remoteAddress: '127.0.0.1',
    status: 200,
    ms: Number
  })
  t.notMatch(JSON.stringify(lines), 'hunter2')
})

test('an unknown path has no route in the log', async (t) => {
  const { lines, url } = await service(t)
  await fetch(`${url}/hunter2`)
  await settled(lines)
  t.match(lines, [{ status: 404, level: 30 }])
  t.notMatch(JSON.stringify(lines), 'hunter2')
})

test('an answer of 500 is logged as an error', async (t) => {
  const { lines, url } = await service(t)
  await fetch(`${url}/fails`)
  await settled(lines)
  t.match(lines.at(-1), { status: 500, level: 50, route: '/fails' })
})

test('successful health checks are logged at debug only', async (t) => {
  const { lines, url } = await service(t)
  await fetch(`${url}/-/live`)
  await sleep(50)
  t.strictSame(lines, [])
})

test('a client that leaves before its answer is logged with 499', async (t) => {
  const { lines, url } = await service(t)
  const asked = request(`${url}/slow`).on('error', () => {})
  asked.end()
  await sleep(100)
  asked.destroy()
  await settled(lines)
  t.match(lines, [{ status: 499, route: '/slow' }])
})

test('only routes that are marked as health checks are logged as such', async (t) => {
  const { lines, url } = await service(t)
  await fetch(`${url}/plants/-/x`)
  await settled(lines)
  t.match(lines, [{ route: '/plants/-/x', level: 30 }])
})

test('at debug the line of a 404 has its path, without the query', async (t) => {
  const { lines, url } = await service(t, 'debug')
  await fetch(`${url}/wrong/base?token=hunter2`)
  await settled(lines)
  t.match(
    lines.filter(({ msg }) => msg === 'request'),
    [{ status: 404, path: '/wrong/base' }]
  )
  t.notMatch(JSON.stringify(lines), 'hunter2')
})

test('at debug the line of a request names query parameters that are not declared, without their values', async (t) => {
  for (const [level, unknown] of [
    ['info', undefined],
    ['debug', ['lmit']]
  ] as const) {
    const { lines, url } = await service(t, level)
    await fetch(`${url}/plants/1?lmit=hunter2`, { method: 'POST' })
    await settled(lines)
    const line = lines.find(({ msg }) => msg === 'request')
    t.strictSame([line?.['status'], line?.['unknownQuery']], [200, unknown], level)
    t.notMatch(JSON.stringify(lines), 'hunter2')
  }
})

test('a 503 under load is a warning, because nothing is wrong with the code', async (t) => {
  const { lines, url } = await service(t)
  await fetch(`${url}/busy`)
  await settled(lines)
  t.match(lines, [{ status: 503, level: 40, route: '/busy' }])
})

test('a health check that fails is logged at debug: its failure is logged once where it begins', async (t) => {
  const { lines, url } = await service(t)
  await fetch(`${url}/-/ready`)
  await sleep(50)
  t.strictSame(lines, [])
})

test('with trustProxy the address in the log is an IP address or nothing, whatever a client sends', async (t) => {
  const rows: readonly [string, string | undefined][] = [
    ['x'.repeat(14_000), undefined],
    [`fe80::1%${'x'.repeat(14_000)}`, 'fe80::1'],
    ['203.0.113.7:50123', '203.0.113.7'],
    ['[2001:db8::1]:50123', '2001:db8::1'],
    ['unknown, 203.0.113.8', undefined],
    ['\t"quoted" \u00e9', undefined]
  ]
  const { lines, url } = await service(t, 'info', { trustProxy: true })
  for (const [sent, address] of rows) {
    lines.length = 0
    await fetch(`${url}/plants/1`, { method: 'POST', headers: { 'x-forwarded-for': sent } })
    await settled(lines)
    t.equal(lines[0]?.['remoteAddress'], address, sent.slice(0, 20))
    t.ok(JSON.stringify(lines[0]).length < 1_000)
  }
})

test('at debug the path of a 404 is bounded', async (t) => {
  const { lines, url } = await service(t, 'debug')
  await fetch(`${url}/${'x'.repeat(14_000)}`)
  await settled(lines)
  t.equal(String(lines.at(-1)?.['path']).length, 1_000)
})

for (const { trustProxy, address } of [
  { trustProxy: false, address: '127.0.0.1' },
  { trustProxy: ['127.0.0.1'], address: '203.0.113.7' }
]) {
  test(`with trustProxy ${trustProxy} the address of the client is ${address}`, async (t) => {
    const { lines, url } = await service(t, 'info', { trustProxy })
    await fetch(`${url}/plants/1`, { method: 'POST', headers: { 'x-forwarded-for': '203.0.113.7' } })
    await settled(lines)
    t.match(lines, [{ remoteAddress: address }])
  })
}

test('a report that throws is logged, and does not end the process', async (t) => {
  const lines: Record<string, unknown>[] = []
  const loggerInstance = createLog('error', { write: (line) => lines.push(JSON.parse(line)) })
  const app = createService(t, { loggerInstance })
  const report = onOutcome(() => {
    throw new Error('secret')
  })
  onEachRequest(app, report)
  app.get('/', async () => 'ok')
  const origin = await app.listen()
  t.equal((await fetch(origin)).status, 200)
  await until(() => lines.length > 0)
  t.match(lines, [{ err: { message: 'secret' }, msg: 'the outcome of a request could not be reported' }])
})

const document = JSON.stringify({
  properties: { labels: {}, 'a"b': {} },
  parameters: [{ name: 'X-Trace' }]
})

const yaml = `# pastel: a colour
properties:
  labels: { type: object, properties: { "inner": {}, 'it is': {}, plain: {}, next: {} } }
  'a b':
    description: "hunter2"
parameters:
  - name: X-Trace # hunter2
    in: header
  - { in: query, name: 'Page' }
  -   schema: { type: array, items: [a, b], default: hunter2 }
      "quoted" : hunter2
      https://x.example: hunter2
`

test('names are the property names of the document, and its parameters in any case', async (t) => {
  const names = namesIn(document)
  for (const name of ['labels', 'X-Trace', 'x-trace', 'properties', 'parameters']) t.ok(names.has(name), name)
  t.notOk(names.has('hunter2'))
  const written = namesIn(yaml)
  for (const name of [
    'labels',
    'inner',
    'it is',
    'plain',
    'next',
    'a b',
    'X-Trace',
    'x-trace',
    'Page',
    'quoted'
  ])
    t.ok(written.has(name), name)
  for (const name of ['hunter2', 'pastel', 'a', 'b']) t.notOk(written.has(name), name)
})

test('every name of the contract is found', async (t) => {
  const written = namesIn(await contract.yaml())
  const missing = namesIn(openApiJson(await contract.yaml())).difference(written)
  t.strictSame(
    [...missing].filter((name) => !/[{}]/.test(name)),
    []
  )
})

const places: readonly (readonly [place: string, want: string])[] = [
  ['body', 'body'],
  ['body/labels/hunter2', 'body/labels/*'],
  ['body/labels/12', 'body/labels/12'],
  ['body/4111111111111111', 'body/*'],
  ['headers/x-trace', 'headers/x-trace'],
  ['query/hunter2', 'query/*']
]

test('segments that the contract does not name are hidden', async (t) => {
  for (const [place, want] of places) t.equal(placesOf(place, namesIn(document)), want)
})
