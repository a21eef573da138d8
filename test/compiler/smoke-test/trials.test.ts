/** The smoke test of a project, against a server that answers what each row says. */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { type Credentials, type Fixtures, smokeTest } from '../../../src/compiler/smoke-test.ts'

type Given = Parameters<typeof smokeTest>[1]
/** Times that no stalled machine takes. */
const patient = { answerMs: 60_000, bodyMs: 60_000, bytes: 1000 }

const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' }, example: 1 }
const parameters = [
  { name: 'q', in: 'query', schema: { type: 'string' }, example: 'made' },
  { name: 'X-Trace', in: 'header', schema: { type: 'string' }, example: 'made' },
  { name: 'sid', in: 'cookie', schema: { type: 'string' }, example: 'made' }
]
const whole = {
  name: 'w',
  in: 'querystring',
  content: { 'application/json': { schema: { type: 'object' } } },
  example: { made: true }
}
const json = { 'application/json': { schema: { type: 'object', example: { made: true } } } }
const impossible = { 'application/json': { schema: { allOf: [{ type: 'string' }, { type: 'number' }] } } }
const ok = { responses: { 200: { description: 'x' } } }
const paths = {
  '/things/{id}': {
    parameters: [id],
    delete: { operationId: 'deleteThing', ...ok },
    get: { operationId: 'getThing', parameters, ...ok },
    put: { operationId: 'putThing', requestBody: { content: json }, ...ok }
  },
  '/file': {
    put: { operationId: 'putFile', requestBody: { content: { 'application/pdf': {} } }, ...ok },
    post: { operationId: 'none', requestBody: { required: true, content: impossible }, ...ok }
  },
  '/find': { get: { operationId: 'find', parameters: [whole], ...ok } },
  '/own': {
    get: { operationId: 'getOwn', security: [{ card: [], key: [] }, { basic: [] }, { tls: [] }], ...ok }
  }
}
const securitySchemes = {
  card: { type: 'http', scheme: 'bearer' },
  key: { type: 'apiKey', in: 'query', name: 'key' },
  basic: { type: 'http', scheme: 'basic' },
  tls: { type: 'mutualTLS' }
}
const contract = {
  openapi: '3.2.0',
  info: { title: 'Things', version: '1' },
  paths,
  components: { securitySchemes }
}

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

/** Serves, and returns the URL. */
async function serving(t: Test, answer: Answer): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`
}

const folder = t.testdir({ 'openapi.json': JSON.stringify(contract) })
const compiled = {
  url: pathToFileURL(join(folder, 'generated/contract.ts')).href,
  sources: [{ file: '../openapi.json', sha256: '' }]
}
const trials = (given: Partial<Given> = {}) =>
  smokeTest(compiled, { fixtures: {}, credentials: {}, ...given })

/** Returns the finding about one operation. */
async function finding(
  t: Test,
  name: string,
  answer: Answer,
  { limits = patient, ...given }: Partial<Given> & { limits?: typeof patient } = {}
) {
  const url = await serving(t, answer)
  const trial = (await trials(given)).find((each) => each.name === name)
  return trial?.run(url, limits)
}

/** Answers with the request itself. */
const echo: Answer = async (request, response) => {
  const { method, url, headers } = request
  const { 'x-trace': trace, cookie, authorization, 'content-type': type } = headers
  response.statusCode = 409
  response.end(JSON.stringify({ method, url, trace, cookie, authorization, type, body: await text(request) }))
}

async function echoed(t: Test, name: string, given: Partial<Given> = {}) {
  const { text = '' } = (await finding(t, name, echo, given)) ?? {}
  return JSON.parse(/\{"method.*\}$/m.exec(text)?.[0] ?? '{}')
}

t.test('every operation has a trial, deletions are the last', async (t) => {
  const names = (await trials()).map(({ name }) => name)
  t.strictSame(names, [
    'GET /things/{id}',
    'PUT /things/{id}',
    'PUT /file',
    'POST /file',
    'GET /find',
    'GET /own',
    'DELETE /things/{id}'
  ])
})

t.test('a request is made from the contract, and fixtures replace its values', async (t) => {
  const made = { url: '/base/things/1?q=made', trace: 'made', cookie: 'sid=made' }
  t.match(await echoed(t, 'GET /things/{id}'), made)
  const fixtures = {
    getThing: {
      params: { id: 7n },
      query: { q: undefined },
      headers: { 'x-trace': 'own' },
      cookies: { sid: 'own' }
    },
    putThing: { body: { big: 9007199254740993n } },
    putFile: { body: Buffer.from([104, 105]) },
    none: { body: 'any' }
  }
  const own = await echoed(t, 'GET /things/{id}', { fixtures })
  t.match(own, { url: /things\/7$/, trace: 'own', cookie: 'sid=own' })
  t.match(await echoed(t, 'PUT /things/{id}'), { body: '{"made":true}', type: 'application/json' })
  t.match(await echoed(t, 'PUT /things/{id}', { fixtures }), { body: '{"big":9007199254740993}' })
  t.match(await echoed(t, 'PUT /file', { fixtures }), { body: 'hi', type: 'application/pdf' })
  t.match(await echoed(t, 'POST /file', { fixtures }), { body: '"any"' })
  t.match(await echoed(t, 'GET /find'), { url: '/base/find?%7B%22made%22%3Atrue%7D' })
  const find = { query: { big: 9007199254740993n } }
  t.match(await echoed(t, 'GET /find', { fixtures: { find } }), {
    url: /find\?%7B%22big%22%3A9007199254740993%7D$/
  })
  await t.rejects(
    echoed(t, 'GET /things/{id}', { fixtures: { getThing: { headers: { 'x-trace': '\n' } } } }),
    {
      message: 'headers/x-trace has a forbidden character'
    }
  )
})

t.test('credentials are sent as the schemes of the first alternative say that has all', async (t) => {
  for (const [credentials, sent] of [
    [
      { card: 'c', key: 'k' },
      { url: /key=k$/, authorization: 'Bearer c' }
    ],
    [{ card: 'c', basic: { username: 'ada', password: 'x' } }, { authorization: 'Basic YWRhOng=' }],
    [{ tls: {} }, { url: '/base/own' }]
  ] as const)
    t.match(await echoed(t, 'GET /own', { credentials }), sent)
})

const status =
  (code: number, body = ''): Answer =>
  (_request, response) =>
    response.writeHead(code).end(body)
const name = 'GET /things/{id}'

for (const [answer, kind, expected, operation = name] of [
  [status(200), 'success', 'answers 200'],
  [status(501), 'unseen', 'answers 501: its handler is not written'],
  [
    status(401),
    'unseen',
    'answers 401: test/fixtures.ts has no credential of card and key or basic or tls',
    'GET /own'
  ],
  [status(401), 'failure', /^GET \/things\/1\?q=made answers 401: \n/],
  [status(201), 'failure', / answers 201: /],
  [
    status(404, 'no such thing'),
    'failure',
    'GET /things/1?q=made answers 404: no such thing\nname values that succeed in test/fixtures.ts, under getThing'
  ],
  [status(409), 'failure', /^PUT \/things\/1 with \{"made":true\} answers 409: \n/, 'PUT /things/{id}'],
  [status(200), 'unseen', /^has no request: .* write it into test\/fixtures\.ts, under none$/, 'POST /file'],
  [(_request, { socket }) => socket?.destroy(), 'failure', /is not answered: socket hang up$/],
  [(_request, response) => response.write('a'.repeat(5000)), 'success', 'answers 200'],
  [
    (_request, response) => response.write('a', () => setImmediate(() => response.destroy())),
    'failure',
    /answers 200, and breaks off its body$/
  ]
] satisfies [Answer, string, string | RegExp, string?][])
  t.test(`${kind}: ${expected}`, async (t) => {
    t.match(await finding(t, operation, answer), { kind, text: expected })
  })

t.test('a handler that never answers is named, and an endless stream is a success', async (t) => {
  const limits = { ...patient, answerMs: 50 }
  const found = await finding(t, name, () => undefined, { limits })
  t.strictSame(found, { kind: 'failure', text: 'GET /things/1?q=made does not answer within 0.05 s' })
  const endless: Answer = (_request, response) => response.write('a')
  const seen = await finding(t, name, endless, { limits: { ...patient, bodyMs: 50 } })
  t.strictSame(seen, { kind: 'success', text: 'answers 200' })
})

t.test(
  'a stream that is open is a success, and items are sent as their media type frames them',
  async (t) => {
    const folder = t.testdir({
      'openapi.json': JSON.stringify({
        ...contract,
        openapi: '3.2.0',
        paths: {
          '/events': {
            get: {
              responses: { 200: { description: 'x', content: { 'text/event-stream': { itemSchema: {} } } } }
            },
            post: {
              operationId: 'send',
              requestBody: { required: true, content: { 'application/jsonl': { itemSchema: { const: 1 } } } },
              ...ok
            }
          }
        }
      })
    })
    const streams = { ...compiled, url: pathToFileURL(join(folder, 'generated/contract.ts')).href }
    const given = { fixtures: {}, credentials: {} }
    const bodies: string[] = []
    const url = await serving(t, async (request, response) => {
      if (request.method === 'POST') bodies.push(await text(request))
      if (request.method === 'POST') response.end()
    })
    const [events, send] = await smokeTest(streams, given)
    const limits = { ...patient, answerMs: 50 }
    t.strictSame(await events?.run(url, limits), {
      kind: 'success',
      text: 'holds a stream open, without an item so far'
    })
    t.match(await send?.run(url), { kind: 'success' })
    const counted: unknown[] = []
    const coverage = { count: (...seen: unknown[]) => void counted.push(...seen) }
    const own = await smokeTest(streams, { ...given, coverage, fixtures: { send: { body: [1, 1] } } })
    t.match(await own[1]?.run(url), { kind: 'success' })
    t.match(counted, [{ operationId: 'send' }, { status: 200 }])
    t.strictSame(bodies, ['1\n1\n1\n', '1\n1\n'])
  }
)

interface Handlers {
  readonly change: (request: {
    readonly params: { readonly id: bigint }
    readonly query: { readonly limit: number }
    readonly body: { readonly name: string }
    readonly mediaType: 'application/merge-patch+json'
  }) => unknown
  readonly upload: (request: { readonly body: Buffer; readonly mediaType: 'image/png' }) => unknown
}
interface SecurityHandlers {
  readonly basic: (
    credential: { readonly username: string },
    context: { readonly scopes: string[] }
  ) => unknown
}

t.test('an operation and a scheme may have the name of what every object inherits', async (t) => {
  const inherited = {
    ...contract,
    paths: { '/own': { get: { operationId: 'constructor', security: [{ toString: [] }], ...ok } } },
    components: { securitySchemes: { toString: securitySchemes.card } }
  }
  const file = pathToFileURL(
    join(t.testdir({ 'things.json': JSON.stringify(inherited) }), 'contract.ts')
  ).href
  const sources = [{ file: 'things.json', sha256: '' }]
  const [trial] = await smokeTest({ url: file, sources }, { fixtures: {}, credentials: {} })
  const url = await serving(t, ({ headers }, response) =>
    response.writeHead(headers.authorization ? 500 : 401).end()
  )
  t.match(await trial?.run(url, patient), { kind: 'unseen', text: /no credential of toString/ })
  const given = { constructor: { query: {} } } satisfies Fixtures<{
    constructor: (request: { query: None }) => unknown
  }>
  const none: Fixtures<{ constructor: (request: { query: None }) => unknown }> = {}
  t.same([Object.keys(given), Object.keys(none)], [['constructor'], []])
})
type None = { readonly [name: string]: never }

t.test('fixtures and credentials have the types of the contract', async (t) => {
  const right: Fixtures<Handlers> = {
    change: { params: { id: 1n }, query: { limit: undefined }, body: { name: 'a' } },
    upload: { body: 'text of the file' }
  }
  const wrong: readonly Fixtures<Handlers>[] = [
    // @ts-expect-error no such operation
    { remove: {} },
    // @ts-expect-error no such parameter
    { change: { query: { offset: 1 } } },
    // @ts-expect-error an int64 is a bigint
    { change: { params: { id: 1 } } },
    // @ts-expect-error a name is a text
    { change: { body: { name: 1 } } }
  ]
  const credentials: readonly Credentials<SecurityHandlers>[] = [
    { basic: { username: 'ada' } },
    // @ts-expect-error a Basic credential is an object
    { basic: 'ada:secret' }
  ]
  for (const fixtures of [right, ...wrong]) t.ok(await smokeTest(compiled, { fixtures, credentials: {} }))
  for (const each of credentials) t.ok(await smokeTest(compiled, { fixtures: {}, credentials: each }))
})
