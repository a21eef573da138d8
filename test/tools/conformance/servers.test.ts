/** Small servers, each for one rule of the check: ids, links, retries, tolerated refusals, credentials, the end of a run. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createListener, type Socket } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { compileInMemory } from '../../../src/compiler/compile/in-memory.ts'
import { checkConformance } from '../../../src/tools/conformance/conformance.ts'
import { NoAnswer, reach } from '../../../src/tools/conformance/http-client.ts'
import { type Answer, checked, error, get, listening, ok, only, post, send } from './checked-server.ts'

t.setTimeout(900_000)

const isJson = ({ headers }: IncomingMessage) => /^application\/json\b/.test(String(headers['content-type']))

function parsed(body: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function compiledPaths(t: Test, paths: object) {
  const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths }
  return compileInMemory(join(t.testdir({ 'contract.json': JSON.stringify(document) }), 'contract.json'))
}

/** Listens with a server that is not one of HTTP. */
function socketServer(t: Test, onSocket: (socket: Socket) => void): Promise<{ url: URL }> {
  const listener = createListener((socket) => onSocket(socket.on('error', () => {})))
  t.teardown(() => listener.close())
  return listening(listener as Server)
}

for (const [what, id, isId] of [
  ['text', { type: 'string' }, /./],
  ['UUID', { type: 'string', format: 'uuid' }, /^[0-9a-f]{8}-[0-9a-f]{4}-4000-8000-[0-9a-f]{12}$/],
  ['pattern', { type: 'string', pattern: '^[A-Z]{6}-[0-9]{4}$' }, /^[A-Z]{6}-[0-9]{4}$/],
  ['number', { type: 'integer', format: 'int32', minimum: 1 }, /^\d+$/]
] as const)
  t.test(`an id that is a ${what} is new in each request, also in a second run`, async (t) => {
    const taken = new Set<unknown>()
    const answer = only('POST', (request, response, body) => {
      const value = parsed(body)?.['id']
      const isValid =
        typeof value === id.type.replace('integer', 'number') &&
        isId.test(String(value)) &&
        !(typeof value === 'number' && (value < 1 || value % 1 !== 0 || value >= 2 ** 31))
      if (!isJson(request) || !isValid || taken.has(value)) return send(response, 400, {})
      taken.add(value)
      return send(response, 200, { id: value })
    })
    const first = await checked(t, { '/things': post({ id }, ['id'], 200, 400) }, answer)
    t.strictSame(first.findings, [])
    t.ok(taken.size > 5)
    t.strictSame((await first.again()).report.findings, [])
  })

t.test('links and names lead from one operation to others, and deletions are remembered', async (t) => {
  const things = new Map<string, unknown>()
  let made = 0
  const allowed: readonly (readonly [url: RegExp, methods: string])[] = [
    [/^\/gone/, 'DELETE'],
    [/^\/\w+$/, 'POST'],
    [/\/parts$/, 'GET'],
    [/./, 'GET, PUT, DELETE']
  ]
  const answer: Answer = (request, response, body) => {
    const { method, url = '' } = request
    const [, methods = ''] = allowed.find(([pattern]) => pattern.test(url)) ?? []
    if (!methods.split(', ').includes(String(method)))
      return void response.writeHead(405, { allow: methods }).end()
    const [, collection, id = ''] = url.split(/[/?]/)
    const value = parsed(body)
    const isNamed = isJson(request) && typeof value?.['name'] === 'string'
    if ((method === 'POST' || method === 'PUT') && !isNamed) return send(response, 400, {})
    if (collection === 'gone') {
      things.clear()
      return void response.writeHead(204).end()
    }
    if (method === 'POST') {
      const key = `made-${++made}`
      things.set(key, value)
      return send(response, 201, { id: key, list: [{ id: key }], ...value }, { 'X-Key': key })
    }
    if (method === 'PUT') things.set(id, value)
    if (!things.has(id)) return send(response, 404, {})
    const thing = things.get(id)
    if (method === 'DELETE') things.delete(id)
    return method === 'DELETE' ? void response.writeHead(204).end() : send(response, 200, thing)
  }
  const text = { type: 'string' }
  const schema = { type: 'string', pattern: '^[a-z0-9-]+$' }
  const parameters = [{ name: 'thingId', in: 'path', required: true, schema }]
  const links = {
    parts: {
      operationRef: '#/paths/~1things~1{thingId}~1parts/get',
      parameters: { 'path.thingId': '$response.header.X-Key' }
    },
    put: {
      operationId: 'putThing',
      parameters: {
        ...{ thingId: '$response.body#/list/0/id', constant: 7, name: '$request.body#/name' },
        ...{ none: '$request.query.none', nothing: '$response.body#/name/x' }
      }
    },
    nowhere: { operationRef: 'other.yaml#/nonsense', parameters: { thingId: 1 } }
  }
  const again = { parts: { operationId: 'getParts', parameters: { thingId: '$request.path.thingId' } } }
  const { post: addThing } = post({ name: text, ownerId: text }, ['name'], 201, 400)
  const { post: putThing } = post({ name: text, thingId: text }, ['name', 'thingId'], 200, 400)
  const { findings } = await checked(
    t,
    {
      '/owners': post({ name: text }, ['name'], 201, 400),
      '/things': { post: { ...addThing, responses: { 201: { ...ok, links }, 400: error } } },
      '/things/{thingId}': {
        parameters,
        get: { operationId: 'getThing', responses: { 200: { ...ok, links: again }, 404: error } },
        put: { operationId: 'putThing', ...putThing },
        delete: { responses: { 204: error, 404: error } }
      },
      '/things/{thingId}/parts': { parameters, get: { operationId: 'getParts', ...get(200, 404).get } },
      '/gone': { delete: { responses: { 204: error } } }
    },
    answer
  )
  t.strictSame(
    findings.filter((each) => !each.startsWith('invalid-request-accepted')),
    []
  )
  t.ok(made > 10)
})

t.test('the check waits when a server sends Retry-After', async (t) => {
  let asked = 0
  const answer = only('GET', (_request, response) => {
    asked++
    if (asked === 1) return send(response, 429, {})
    return asked === 2 ? send(response, 503, {}, { 'retry-after': '0' }) : send(response, 200, {})
  })
  t.strictSame((await checked(t, { '/': get(200) }, answer)).findings, [])
})

const text = { type: 'string', maxLength: 2000 }
const texts = (...statuses: number[]) => ({ '/texts': post({ text }, ['text'], ...statuses) })
const hasText = (body: string) => {
  const value = parsed(body)?.['text']
  return typeof value === 'string' && [...value].length <= 2000
}
/** Answers 400 to what breaks the contract of texts, and otherwise a status. */
const texting = (statusOf: (body: string) => number) =>
  only('POST', (request, response, body) =>
    send(response, isJson(request) && hasText(body) ? statusOf(body) : 400, {})
  )
const always = (method: string, status: number, headers = {}) =>
  only(method, (_request, response) => send(response, status, {}, headers))
const some = (body: string) => (body.length % 2 === 0 ? 422 : 200)

for (const [what, paths, answer, wanted] of [
  [
    'a declared 429 with a date',
    { '/': get(200, 429) },
    always('GET', 429, { 'retry-after': 'Sun, 22 Nov 2026' })
  ],
  ['a 503 for hours', { '/': get(200) }, always('GET', 503, { 'retry-after': '3600' }), 'server-error GET /'],
  [
    'a conflict for every valid request',
    { '/': post({ id: { type: 'integer' } }, [], 200, 409) },
    always('POST', 409),
    'valid-request-refused POST /'
  ],
  [
    'a declared refusal of an unusual request',
    texts(200, 400, 413, 422),
    texting((body) => (body.length > 5000 ? 413 : /\\ud8/.test(body) ? 422 : 200))
  ],
  ['a declared 422 beside a 400', texts(200, 400, 422), texting(some)],
  ['a declared 422 alone', texts(200, 422), texting(some), 'valid-request-refused POST /texts'],
  [
    'a 422 for every valid request',
    texts(200, 400, 422),
    texting(() => 422),
    'valid-request-refused POST /texts'
  ],
  [
    'a 403 of a proxy to methods that are not declared',
    { '/a': get(200) },
    (request, response) => send(response, request.method === 'GET' ? 200 : 403, {})
  ]
] as const satisfies readonly (readonly [string, object, Answer, string?])[])
  t.test(`${what}: ${wanted ?? 'no finding'}`, async (t) => {
    const { findings } = await checked(t, paths, answer)
    if (wanted === undefined) t.strictSame(findings, [])
    else t.ok(findings.includes(wanted), JSON.stringify(findings))
  })

t.test('a server that ends is one finding, and the run ends', async (t) => {
  const { contract, model } = await compiledPaths(t, { '/a': get(200), '/b': get(200), '/c': get(200) })
  const ending = { close: () => {} }
  const { url, close } = await listening(
    createServer((request, response) => {
      if (request.url !== '/b') return void send(response, 200, {})
      ending.close()
      return response.destroy()
    })
  )
  ending.close = close
  const { report } = await checkConformance({ contract, model, url })
  t.strictSame(
    report.findings.map(({ check, operation, response }) => [check, operation, response]),
    [['connection', 'GET /b', null]]
  )
})

t.test('a listener that does not speak HTTP does not count as a server', async (t) => {
  const { url } = await socketServer(t, (socket) => void socket.end('SSH-2.0-x\r\n'))
  const compiled = await compiledPaths(t, { '/a': get(200) })
  await t.rejects(checkConformance({ ...compiled, url }), { message: /^nobody answers at / })
  for (const scheme of ['https', 'http'])
    await t.rejects(checkConformance({ ...compiled, url: new URL(`${scheme}://nowhere.invalid`) }), {
      message: new RegExp(`^nobody answers at ${scheme}://nowhere\\.invalid: E[A-Z_]+$`)
    })
})

t.test('https, and an answer to HEAD, have curl lines too', async (t) => {
  const answer = only('HEAD, POST', (request, response) => {
    if (request.method === 'HEAD') return void response.writeHead(201).end()
    return void response.writeHead(202).end()
  })
  const text = {
    required: true,
    content: { 'text/plain': { schema: { type: 'string', pattern: '^-%\\n$' } } }
  }
  const head = { responses: { 200: { description: 'ok' } } }
  const paths = { '/a': { head, post: { requestBody: text, responses: { 200: error, 400: error } } } }
  const { report } = await checked(t, paths, answer)
  const lines = report.findings.map(({ curl }) => curl)
  t.ok(lines.some((line) => line.includes('--head ')))
  t.ok(lines.some((line) => line.startsWith(String.raw`printf '\055\045\012' | curl -i`)))
  const { contract, model } = await compileInMemory('openapi.yaml')
  const { url, close } = await listening(createServer())
  t.teardown(close)
  url.protocol = 'https:'
  await t.rejects(checkConformance({ contract, model, url, token: 'x', timeoutMs: 500 }), {
    message: /^nobody answers at /
  })
})

t.test('a 403 of an operation that requires scopes is no finding, any other 403 is one', async (t) => {
  const components = { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }
  const operation = (scopes: readonly string[]) => ({
    get: { security: [{ token: scopes }], responses: { 200: ok, 401: error, 403: error } }
  })
  const answer = only('GET', ({ headers }, response) => {
    send(response, headers.authorization === 'Bearer t' ? 403 : 401, {})
  })
  const paths = { '/scoped': operation(['read']), '/plain': operation([]) }
  const { findings } = await checked(t, paths, answer, { token: 't', components })
  t.strictSame(findings, ['valid-request-refused GET /plain'])
})

t.test('a token is sent in the place of its scheme, and so is a wrong one', async (t) => {
  const schemes = {
    basic: { type: 'http', scheme: 'basic' },
    digest: { type: 'http', scheme: 'digest' },
    query: { type: 'apiKey', in: 'query', name: 'key' },
    cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
    header: { type: 'apiKey', in: 'header', name: 'X-Key' },
    oauth: { type: 'oauth2', flows: { implicit: { authorizationUrl: 'https://x.example', scopes: {} } } },
    tls: { type: 'mutualTLS' }
  }
  const right: Record<string, (request: IncomingMessage) => boolean> = {
    basic: ({ headers }) =>
      headers.authorization === `Basic ${Buffer.from('user:secret').toString('base64')}`,
    digest: ({ headers }) => headers.authorization === 'digest user:secret',
    query: ({ url }) => url?.endsWith('key=user%3Asecret') === true,
    cookie: ({ headers }) => headers.cookie?.endsWith('session=user%3Asecret') === true,
    header: ({ headers }) => headers['x-key'] === 'user:secret',
    oauth: ({ headers }) => headers.authorization === 'Bearer user:secret',
    tls: () => true
  }
  const answer = only('GET', (request, response) => {
    const name = String(request.url?.slice(1).split('?')[0])
    const isRight = name === 'either' ? right['header']?.(request) : right[name]?.(request)
    send(response, isRight ? 200 : 401, {})
  })
  const operation = (...names: string[]) => ({
    get: { security: names.map((name) => ({ [name]: [] })), ...get(200, 401).get }
  })
  const parameter = (place: string, type: string) => ({
    parameters: [{ name: 'p', in: place, required: true, schema: { type } }]
  })
  const paths = {
    ...Object.fromEntries(Object.keys(schemes).map((name) => [`/${name}`, operation(name)])),
    '/query': { ...operation('query'), ...parameter('query', 'string') },
    '/cookie': { ...operation('cookie'), ...parameter('cookie', 'integer') },
    '/either': operation('basic', 'header')
  }
  const { findings } = await checked(t, paths, answer, {
    token: 'user:secret',
    components: { securitySchemes: schemes },
    requests: 12
  })
  t.strictSame(
    findings.filter((each) => !each.startsWith('invalid-request-accepted')),
    []
  )
})

t.test('a body is sent in the coding that the contract requires', async (t) => {
  const coding = { name: 'Content-Encoding', in: 'header', required: true, schema: { enum: ['gzip'] } }
  const read = (bytes: Buffer) => {
    try {
      return String(gunzipSync(bytes))
    } catch {
      return ''
    }
  }
  let accepted = 0
  const answer = only('POST', (request, response, _body, bytes = Buffer.alloc(0)) => {
    const isRight = request.headers['content-encoding'] === 'gzip' && isJson(request) && hasText(read(bytes))
    if (isRight) accepted++
    return send(response, isRight ? 200 : 400, {})
  })
  const { post: addText } = texts(200, 400)['/texts']
  const paths = { '/texts': { post: { ...addText, parameters: [coding] } } }
  t.strictSame((await checked(t, paths, answer)).findings, [])
  t.ok(accepted > 10)
})

for (const name of ['cursor', 'pageToken', 'starting_after'])
  t.test(`a declared 400 to an invented ${name} is no finding, to anything else it is`, async (t) => {
    const query = (name: string, schema: object) => ({ name, in: 'query', schema })
    const parameters = [query(name, { type: 'string' }), query('limit', { type: 'integer' })]
    const paths = { '/texts': { get: { parameters, responses: { 200: ok, 400: error } } } }
    const answering = (isRefused: (query: URLSearchParams) => boolean) =>
      only('GET', (request, response) => {
        const { searchParams } = new URL(String(request.url), 'http://x')
        const limits = searchParams.getAll('limit')
        const isNumber = limits.every((limit) => /^-?(?:0|[1-9]\d*)(?:\.0+)?(?:e\+?\d+)?$/i.test(limit))
        const isOnce = limits.length < 2 && searchParams.getAll(name).length < 2
        const isRight = isNumber && isOnce && !isRefused(searchParams)
        return send(response, isRight ? 200 : 400, {})
      })
    const opaque = answering((query) => query.has(name))
    t.strictSame((await checked(t, paths, opaque)).findings, [])
    const strict = answering((query) => query.get('limit') === '0')
    t.strictSame((await checked(t, paths, strict, { requests: 0 })).findings, [
      'valid-request-refused GET /texts'
    ])
  })

t.test('credentials that would share Authorization are not sent', async (t) => {
  const components = {
    securitySchemes: {
      basic: { type: 'http', scheme: 'basic' },
      key: { type: 'apiKey', in: 'header', name: 'authorization' }
    }
  }
  const paths = { '/a': { get: { security: [{ basic: [], key: [] }], responses: { 200: ok, 401: error } } } }
  const answer = only('GET', ({ headers }, response) =>
    send(response, headers.authorization === undefined ? 401 : 200, {})
  )
  for (const given of [{ token: 'user:secret' }, { headers: { Authorization: 'x' } }]) {
    const { findings, locked } = await checked(t, paths, answer, { ...given, components })
    t.strictSame([findings, locked], [[], ['GET /a']])
  }
})

for (const [what, head, isWrong] of [
  ['a length', 'content-length: 5\r\n\r\nhello', true],
  ['chunks', 'transfer-encoding: chunked\r\n\r\n0\r\n\r\n', true],
  ['bytes', '\r\nhello', true],
  ['a length of 0', 'content-length: 0\r\n\r\n', false],
  ['nothing', '\r\n', false]
] as const)
  t.test(`an answer 204 with ${what} is ${isWrong ? 'a' : 'no'} finding`, async (t) => {
    const { url } = await socketServer(t, (socket) => {
      socket.on('data', (bytes) => {
        const isDeclared = String(bytes).startsWith('GET /a ')
        const refusal = 'HTTP/1.1 405 No\r\nallow: GET\r\ncontent-length: 0\r\n\r\n'
        socket.write(isDeclared ? `HTTP/1.1 204 No Content\r\n${head}` : refusal)
      })
    })
    const compiled = await compiledPaths(t, { '/a': get(204) })
    const { report } = await checkConformance({ ...compiled, url, requests: 3, timeoutMs: 1000 })
    const found = report.findings.filter(({ check }) => ['response-body', 'connection'].includes(check))
    t.equal(found.length > 0, isWrong, JSON.stringify(report.findings.map(({ message }) => message)))
  })

t.test('a connection that is not made in time counts as no answer', async (t) => {
  const { url } = await socketServer(t, () => {})
  await reach(url)
  const late = reach(url, 1)
  // The event loop runs timers before it reports the connection.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  await t.rejects(
    late,
    new NoAnswer(`nobody answers at ${url.origin}: the connection takes longer than 0.001 s`)
  )
})
