/** The smoke test of a project: a client calls a server that answers what each row says. */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { compileInMemory } from '../../../src/compiler/compiler.ts'
import { createClient } from '../../../src/engine/client.ts'
import { contractCoverage } from '../../../src/engine/coverage.ts'
import {
  type Credentials,
  credentialOptions,
  type Fixtures,
  smokeTest
} from '../../../src/tools/new/smoke-test.ts'

type Given = Parameters<typeof smokeTest>[1]
/** Times that no stalled machine takes. */
const patient = { answerMs: 60_000, itemMs: 60_000, retryMs: 1 }

const contractWith = (paths: string, schemes = '') => `openapi: 3.2.0
info: { title: Things, version: '1' }
paths:
${paths}
components:
  securitySchemes:
    card: { type: http, scheme: bearer }
    key: { type: apiKey, in: query, name: key }
    basic: { type: http, scheme: basic }
    tls: { type: mutualTLS }
    sid: { type: apiKey, in: cookie, name: sid }
    other: { type: apiKey, in: cookie, name: other }${schemes}
`

const contract = contractWith(`
  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer }, example: 1 }]
    delete: { operationId: deleteThing, responses: { 200: { description: x } } }
    get:
      operationId: getThing
      parameters:
        - { name: q, in: query, required: true, schema: { type: string }, example: made }
        - { name: X-Trace, in: header, required: true, schema: { type: string }, example: made }
        - { name: sid, in: cookie, required: true, schema: { type: string }, example: made }
        - { name: cursor, in: query, schema: { type: string }, example: of an earlier page }
        - { name: If-Match, in: header, schema: { type: string }, example: '"1"' }
      responses:
        200: { description: x }
        404: { description: x, content: { text/plain: { schema: { type: string } } } }
    put:
      operationId: putThing
      requestBody: { content: { application/json: { schema: { type: object, example: { made: true } } } } }
      responses: { 200: { description: x }, 409: { description: x } }
  /file:
    put: { operationId: putFile, requestBody: { content: { application/pdf: {} } }, responses: { 200: { description: x } } }
    post:
      operationId: none
      requestBody:
        { required: true, content: { application/json: { schema: { allOf: [{ type: string }, { type: number }] } } } }
      responses: { 200: { description: x } }
  /find:
    get:
      operationId: find
      parameters:
        - { name: w, in: querystring, required: true, example: { made: true }, content: { application/json: { schema: { type: object } } } }
      responses: { 200: { description: x } }
  /word:
    get:
      operationId: word
      parameters:
        - { name: w, in: querystring, required: true, example: made, content: { text/plain: { schema: { type: string } } } }
      responses: { 200: { description: x } }
  /own:
    get:
      operationId: getOwn
      security: [{ card: [], key: [] }, { basic: [] }, { tls: [] }]
      responses: { 200: { description: x } }`)

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

/** Writes a contract, and returns what the trials and the client need of it. */
async function compiled(t: Test, text: string) {
  const folder = t.testdir({ 'openapi.yaml': text })
  const { contract: code } = await compileInMemory(join(folder, 'openapi.yaml'))
  const url = pathToFileURL(join(folder, 'generated/contract.ts')).href
  return { url, sources: [{ file: '../openapi.yaml', sha256: '' }], code }
}

const things = await compiled(t, contract)
const trials = (given: Partial<Given> = {}) => smokeTest(things, { fixtures: {}, credentials: {}, ...given })

interface Options extends Partial<Given> {
  readonly limits?: typeof patient
  readonly of?: typeof things
}

/** Returns the finding about one operation. */
async function finding(
  t: Test,
  name: string,
  answer: Answer,
  { limits = patient, of = things, fixtures = {}, credentials = {} }: Options = {}
) {
  const baseUrl = await serving(t, answer)
  const trial = (await smokeTest(of, { fixtures, credentials })).find((each) => each.name === name)
  return trial?.run(createClient(of.code, { baseUrl, security: credentials as never }), limits)
}

/** Returns the request as it was sent. */
async function sent(t: Test, name: string, given: Partial<Given> = {}) {
  const seen: object[] = []
  const found = await finding(
    t,
    name,
    async (request, response) => {
      const { method, url, headers } = request
      const { 'x-trace': trace, 'if-match': tag, cookie, authorization, 'content-type': type } = headers
      seen.push({ method, url, trace, tag, cookie, authorization, type, body: await text(request) })
      response.end()
    },
    given
  )
  t.strictSame(found, { kind: 'success', text: 'answers 200' })
  return seen[0]
}

t.test('every operation has a trial, deletions are the last', async (t) => {
  const names = (await trials()).map(({ name }) => name)
  t.strictSame(names, [
    'GET /things/{id}',
    'PUT /things/{id}',
    'PUT /file',
    'POST /file',
    'GET /find',
    'GET /word',
    'GET /own',
    'DELETE /things/{id}'
  ])
})

t.test('a request has what the contract requires, and fixtures replace and add values', async (t) => {
  const made = { url: '/base/things/1?q=made', trace: 'made', cookie: 'sid=made', tag: undefined }
  t.match(await sent(t, 'GET /things/{id}'), made)
  const fixtures = {
    getThing: {
      params: { id: 7n },
      query: { cursor: 'own' },
      headers: { 'x-trace': 'own' },
      cookies: { sid: 'own' }
    },
    putThing: { body: { big: 9007199254740993n } },
    putFile: { body: Buffer.from([104, 105]), contentType: 'application/pdf' },
    find: { query: { big: 9007199254740993n } },
    word: { query: 'own' }
  }
  const own = await sent(t, 'GET /things/{id}', { fixtures })
  t.match(own, { url: /things\/7\?q=made&cursor=own$/, trace: 'own', cookie: 'sid=own' })
  t.match(await sent(t, 'PUT /things/{id}'), { body: '{"made":true}', type: 'application/json' })
  t.match(await sent(t, 'PUT /things/{id}', { fixtures }), { body: '{"big":9007199254740993}' })
  t.match(await sent(t, 'PUT /file'), { type: 'application/pdf' })
  t.match(await sent(t, 'PUT /file', { fixtures }), { body: 'hi', type: 'application/pdf' })
  t.match(await sent(t, 'GET /find'), { url: '/base/find?%7B%22made%22%3Atrue%7D' })
  t.match(await sent(t, 'GET /find', { fixtures }), {
    url: /find\?%7B%22made%22%3Atrue%2C%22big%22%3A9007199254740993%7D$/
  })
  t.match(await sent(t, 'GET /word'), { url: '/base/word?made' })
  t.match(await sent(t, 'GET /word', { fixtures }), { url: '/base/word?own' })
})

t.test('a fixture that breaks the contract is not sent', async (t) => {
  const fixtures = { getThing: { params: { id: 'x' } }, none: { body: 'any' } }
  t.strictSame(await finding(t, 'GET /things/{id}', status(200), { fixtures }), {
    kind: 'failure',
    text: `breaks the contract: params/id must be integer
getThing({ params: { id: 'x' }, query: { q: 'made' }, headers: { 'x-trace': 'made' }, cookies: { sid: 'made' } })
name values that succeed in test/fixtures.ts, under getThing`
  })
  t.match(await finding(t, 'POST /file', status(200), { fixtures }), {
    kind: 'failure',
    text: /^breaks the contract: body must be number\nnone\(\{ body: 'any' \}\)\nname values/
  })
})

t.test('credentials are sent as the schemes of the first alternative say that has all', async (t) => {
  const basic = { username: 'ada', password: 'x' }
  for (const [credentials, carried] of [
    [
      { card: 'c', key: 'k' },
      { url: /key=k$/, authorization: 'Bearer c' }
    ],
    [{ card: 'c', basic }, { authorization: 'Basic YWRhOng=' }]
  ] as const)
    t.match(await sent(t, 'GET /own', { credentials }), carried)
})

t.test('the check of conformance gets the credentials, each where its scheme says', async (t) => {
  const basic = { username: 'ada', password: 'x' }
  const options = (credentials: object) => credentialOptions(things.code, { ...credentials }).join(' ')
  t.equal(options({}), '')
  t.equal(options({ card: 'c', key: 'k=1' }), '--header authorization: Bearer c --token k=1')
  t.equal(options({ basic, tls: {} }), '--header authorization: Basic YWRhOng=')
  t.equal(options({ sid: 's', other: 't' }), '--header cookie: sid=s; other=t')
})

const status =
  (code: number, body = ''): Answer =>
  (_request, response) =>
    response.writeHead(code, { 'content-type': 'text/plain' }).end(body)
const name = 'GET /things/{id}'
const call =
  "getThing({ params: { id: 1 }, query: { q: 'made' }, headers: { 'x-trace': 'made' }, cookies: { sid: 'made' } })"

for (const [answer, kind, expected, operation = name] of [
  [status(200), 'success', 'answers 200'],
  [status(501), 'unseen', 'answers 501: its handler is not written'],
  [
    status(401),
    'unseen',
    'answers 401: test/fixtures.ts has no credential of card and key or basic or tls',
    'GET /own'
  ],
  [status(401), 'failure', /^answers 401: the contract does not declare this status\n/],
  [status(201), 'failure', /^answers 201: the contract does not declare this status\n/],
  [status(500), 'failure', `answers 500: the contract does not declare this status\n${call}`],
  [status(200, 'x'), 'failure', /^answers 200: body is not declared\n/],
  [
    status(404, 'no such thing'),
    'failure',
    `answers 404: "no such thing"\n${call}\nname values that succeed in test/fixtures.ts, under getThing`
  ],
  [
    status(409),
    'failure',
    /^answers 409: null\nputThing\(\{ params: \{ id: 1 \}, body: /,
    'PUT /things/{id}'
  ],
  [status(200), 'unseen', /^has no request: .* write it into test\/fixtures\.ts, under none$/, 'POST /file'],
  [(_request, { socket }) => socket?.destroy(), 'failure', /^is not answered: fetch failed\n/]
] satisfies [Answer, string, string | RegExp, string?][])
  t.test(`${kind}: ${expected}`, async (t) => {
    t.match(await finding(t, operation, answer), { kind, text: expected })
  })

t.test('a request that a busy service sheds with 503 is sent again, at most five times', async (t) => {
  for (const [refusals, expected] of [
    [5, { kind: 'success' }],
    [6, { kind: 'failure', text: /^answers 503: / }]
  ] as const) {
    let left = refusals
    const busy: Answer = (request, response) => status(left-- > 0 ? 503 : 200)(request, response)
    t.match(await finding(t, name, busy), expected)
  }
})

t.test('an answer of any JSON value is a success', async (t) => {
  const of = await compiled(
    t,
    contractWith(`
  /any:
    get:
      { operationId: any, responses: { 200: { description: x, content: { application/json: { schema: {} } } } } }`)
  )
  for (const body of ['null', '{"a":1}', '[1]', '"x"']) {
    const answer: Answer = (_request, response) =>
      response.setHeader('content-type', 'application/json').end(body)
    t.match(await finding(t, 'GET /any', answer, { of }), { kind: 'success' }, body)
  }
})

t.test('a handler that never answers, or never ends its answer, is named', async (t) => {
  const limits = { ...patient, answerMs: 50 }
  for (const answer of [() => undefined, (_request, response) => response.write('a')] satisfies Answer[])
    t.strictSame(await finding(t, name, answer, { limits }), {
      kind: 'failure',
      text: `does not answer within 0.05 s\n${call}`
    })
})

t.test(
  'a stream is left after its first item, and items are sent as their media type frames them',
  async (t) => {
    const streams = await compiled(
      t,
      contractWith(`
  /events:
    get:
      operationId: events
      responses: { 200: { description: x, content: { text/event-stream: { itemSchema: { const: 1 } } } } }
    post:
      operationId: send
      requestBody: { required: true, content: { application/jsonl: { itemSchema: { const: 1 } } } }
      responses: { 200: { description: x } }
  /lines:
    get:
      operationId: lines
      responses: { 200: { description: x, content: { application/jsonl: { schema: { type: string } } } } }`)
    )
    const limits = { ...patient, answerMs: 50, itemMs: 50 }
    const open = { kind: 'success', text: 'holds a stream open, without an item so far' }
    const silent: Answer = () => undefined
    t.strictSame(await finding(t, 'GET /events', silent, { of: streams, limits }), open)
    const left = Promise.withResolvers<unknown>()
    const answering =
      (text: string, type = 'text/event-stream'): Answer =>
      (_request, response) => {
        response.on('close', left.resolve).writeHead(200, { 'content-type': type }).write(text)
      }
    const events = (text: string, options: Options = {}) =>
      finding(t, 'GET /events', answering(text), { of: streams, ...options })
    t.strictSame(await events('data: 1\n\n'), { kind: 'success', text: 'answers 200' })
    await left.promise
    t.match(await events('data: 2\n\n'), { kind: 'failure', text: /^answers 200: body\/0 breaks const 1\n/ })
    t.strictSame(await events(': wait\n\n', { limits: { ...patient, itemMs: 50 } }), {
      kind: 'success',
      text: 'answers 200'
    })
    const lines = answering('1\n', 'application/jsonl')
    t.strictSame(await finding(t, 'GET /lines', lines, { of: streams, limits }), open)

    const bodies: string[] = []
    const receiving: Answer = async (request, response) => {
      bodies.push(await text(request))
      response.end()
    }
    t.match(await finding(t, 'POST /events', receiving, { of: streams }), { kind: 'success' })
    const fixtures = { send: { body: [1, 1] } }
    t.match(await finding(t, 'POST /events', receiving, { of: streams, fixtures }), { kind: 'success' })
    t.strictSame(bodies, ['1\n1\n1\n', '1\n1\n'])
  }
)

interface Calls {
  readonly change: (call: {
    readonly params: { readonly id: bigint }
    readonly query?: { readonly limit?: number }
    readonly body: { readonly name: string }
  }) => unknown
  readonly upload: (call?: { readonly body: Uint8Array; readonly contentType: 'image/png' }) => unknown
  readonly find: (call: { readonly query: string }) => unknown
}
interface SecurityHandlers {
  readonly basic: (
    credential: { readonly username: string },
    context: { readonly scopes: string[] }
  ) => unknown
}

t.test('an operation and a scheme may have the name of what every object inherits', async (t) => {
  const inherited = await compiled(
    t,
    contractWith(
      `
  /own:
    get: { operationId: constructor, security: [{ toString: [] }], responses: { 200: { description: x } } }`,
      '\n    toString: { type: http, scheme: bearer }'
    )
  )
  const found = await finding(t, 'GET /own', status(401), { of: inherited })
  t.match(found, { kind: 'unseen', text: /no credential of toString/ })
  type Inheriting = { constructor: (call: { query: None }) => unknown }
  const given = { constructor: { query: {} } } satisfies Fixtures<Inheriting>
  const none: Fixtures<Inheriting> = {}
  t.same([Object.keys(given), Object.keys(none)], [['constructor'], []])
})
type None = { readonly [name: string]: never }

t.test('fixtures and credentials have the types of the contract', async (t) => {
  const right: Fixtures<Calls> = {
    change: { params: { id: 1n }, query: { limit: undefined }, body: { name: 'a' } },
    upload: { body: new Uint8Array(1), contentType: 'image/png' },
    find: { query: 'whole' }
  }
  const wrong: readonly Fixtures<Calls>[] = [
    // @ts-expect-error no such operation
    { remove: {} },
    // @ts-expect-error no such parameter
    { change: { query: { offset: 1 } } },
    // @ts-expect-error an int64 is a bigint
    { change: { params: { id: 1 } } },
    // @ts-expect-error a name is a text
    { change: { body: { name: 1 } } },
    // @ts-expect-error a query that is one text
    { find: { query: 1 } }
  ]
  const credentials: readonly Credentials<SecurityHandlers>[] = [
    { basic: { username: 'ada' } },
    // @ts-expect-error a Basic credential is an object
    { basic: 'ada:secret' }
  ]
  for (const fixtures of [right, ...wrong]) t.ok(await smokeTest(things, { fixtures, credentials: {} }))
  for (const each of credentials) t.ok(await smokeTest(things, { fixtures: {}, credentials: each }))
})

t.test('a URL stands for a client, as in projects of earlier versions', async (t) => {
  const seen: unknown[] = []
  const url = await serving(t, ({ url, headers: { authorization } }, response) => {
    seen.push([url, authorization])
    response.writeHead(200, { 'content-type': 'text/plain' }).end()
  })
  const coverage = contractCoverage(things.code)
  const credentials = { card: 'right', key: 'k' }
  for (const counted of [{ coverage }, {}]) {
    const trial = (await trials({ credentials, ...counted })).find(({ name }) => name === 'GET /own')
    t.match(await trial?.run(url), { kind: 'success' })
  }
  t.strictSame(seen, [
    ['/base/own?key=k', 'Bearer right'],
    ['/base/own?key=k', 'Bearer right']
  ])
  t.equal(coverage.report().operations.seen, 1)
})
