/** A mock that asks a real server first: what it has is sent on, what breaks the contract is named. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { json, mocked, text } from './mocked.ts'

const name = { type: 'string' }
const thing = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer', format: 'int64' }, name }
}
const id = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }]
const operation = (operationId: string, responses: object, more: object = {}) => ({
  operationId,
  responses,
  ...more
})
const document = {
  security: [{ bearer: [], key: [], sign: [] }],
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      key: { type: 'apiKey', in: 'query', name: 'key' },
      sign: { type: 'apiKey', in: 'header', name: 'X-Sign' }
    }
  },
  paths: {
    '/things/{id}': {
      parameters: id,
      get: operation('read', {
        200: { ...json(thing), headers: { 'X-Left': { schema: name } } },
        404: json(name)
      }),
      put: operation(
        'write',
        { 200: json(thing) },
        { requestBody: { content: { 'application/json': { schema: thing } } } }
      ),
      delete: operation('remove', { 204: { description: 'gone' }, 200: json(name) })
    },
    '/new': { get: operation('news', { 200: json(thing) }) },
    '/events': { get: operation('events', { 200: text('application/jsonl', { schema: thing }) }) }
  }
}

const asked: string[] = []
let last: IncomingHttpHeaders = {}
const real = createServer(async (request, response) => {
  const { method, url = '', headers } = request
  last = headers
  asked.push(`${method} ${url} ${headers.authorization} ${headers['x-sign']} ${await textOf(request)}`)
  const [status, type, body] = answers[`${method} ${url.split('?')[0]}`] ?? [404, 'text/html', '<h1>no</h1>']
  response.writeHead(status, {
    ...(type && { 'content-type': type }),
    'x-left': '7',
    connection: 'close',
    ...(status === 200 && { 'set-cookie': ['a=1', 'b=2'] })
  })
  response.end(body)
})
type Sent = readonly [status: number, type: string | undefined, body: string]
const answers: Readonly<Record<string, Sent>> = {
  'GET /v1/things/1': [200, 'application/json', '{"id":9007199254740993,"name":"real"}'],
  'GET /v1/things/2': [200, 'application/json', '{"id":"2","name":"wrong"}'],
  'GET /v1/things/3': [404, 'application/json', '"none"'],
  'GET /v1/things/4': [418, undefined, ''],
  'PUT /v1/things/5': [200, 'application/json', '{"id":5,"name":"put"}'],
  'DELETE /v1/things/6': [204, undefined, ''],
  'GET /v1/events': [200, 'application/jsonl', '{"id":1,"name":"a"}\n{"id":2,"name":"b"}\n']
}
real.listen(0, '127.0.0.1')
await once(real, 'listening')
t.teardown(() => real.close())
const origin = `http://127.0.0.1:${(real.address() as AddressInfo).port}`
const headers = { authorization: 'Bearer secret', 'x-sign': 'yes' }

t.test('what the real server has is sent, and what breaks the contract is named', async (t) => {
  const { get, warnings } = await mocked(t, document, { seed: 1, proxy: `${origin}/v1` })
  const ask = (line: string, init: RequestInit = {}) => {
    const [method = '', path = ''] = line.split(' ')
    const type = init.body ? { 'content-type': 'application/json' } : {}
    return get(`${path}?key=k`, { ...headers, ...type }, { method, ...init })
  }
  const first = await ask('GET /things/1')
  t.match(first, { status: 200, text: '{"id":9007199254740993,"name":"real"}' })
  t.equal(first.headers.get('x-left'), '7')
  t.equal(asked.at(-1), 'GET /v1/things/1?key=k Bearer secret yes ')
  t.match(await ask('PUT /things/5', { body: '{"id":5,"name":"put"}' }), { text: '{"id":5,"name":"put"}' })
  t.match(asked.at(-1), /\{"id":5,"name":"put"\}$/)
  t.equal((await ask('DELETE /things/6')).status, 204)
  t.match(await ask('GET /things/3'), { status: 404, text: '"none"' }, 'a declared 404 is its own')
  t.match(await ask('GET /events'), { text: '{"id":1,"name":"a"}\n{"id":2,"name":"b"}\n' })
  t.same(warnings, [])

  const wrong = await ask('GET /things/2')
  t.match(wrong, { status: 200, text: '{"id":"2","name":"wrong"}' }, 'it is sent as it is')
  t.equal(wrong.headers.get('content-type'), 'application/json')
  t.same(wrong.headers.getSetCookie(), ['a=1', 'b=2'])
  t.equal(wrong.headers.get('contract-mismatch'), 'read answers 200: body/id must be integer')
  t.equal(first.headers.get('contract-mismatch'), null)
  t.equal((await ask('GET /things/4')).status, 418)
  t.match(warnings.slice(), [
    `${origin}/v1: read answers 200: body/id must be integer`,
    `${origin}/v1: read answers 418; declared are 200, 404`
  ])

  t.match(await ask('GET /new'), { status: 200, text: /^\{"id":\d+,"name":"/ }, 'what it lacks is made')
  t.equal(warnings.length, 2)
  const before = asked.length
  t.equal((await ask('GET /things/x')).status, 400)
  t.equal((await get('/things/1')).status, 401)
  t.equal(asked.length, before, 'a request that breaks the contract is not sent')
  t.equal((await get('/things/1?key=k', { ...headers, prefer: 'code=404' })).status, 200)
})

/** Request and answer of which every byte counts; headers are texts of fields, with a bar between two. */
interface Passing {
  readonly what: string
  readonly line: string
  readonly headers?: string
  readonly body?: readonly Buffer[]
  readonly status: number
  readonly answered: string
  readonly sent?: readonly Buffer[]
}

/** Returns names and values in turn. */
const raw = (headers: string) =>
  headers === '' ? [] : headers.split(' | ').flatMap((field) => field.split(/: (.*)/).slice(0, 2))

const large = Buffer.alloc(9_000_000, 'x')
const numbers = Buffer.from(' {"id" : 9007199254740993, "name":"\\u0041", "more":1.00000000000000000001}\n')
const binary = Buffer.from([0, 255, 13, 10, 128, 254])
const items = (...ids: string[]) => ids.map((id) => Buffer.from(`{"id":${id}, "name":"a"}\n`))
const [json200, octets] = ['Content-Type: application/json', 'Content-Type: application/octet-stream']
const passing: readonly Passing[] = [
  {
    what: 'a query with undeclared and strange parts',
    line: 'GET /things/%31?b=%7e+a%20b&&=&b=2&a[]=%C3%A9&x',
    status: 200,
    answered: `${json200} | X-A: 1 | X-A: 2 | Content-Length: ${numbers.length}`,
    sent: [numbers]
  },
  {
    what: 'undeclared and repeated headers, without those of the connection',
    line: 'GET /things/1',
    headers:
      'Traceparent: 00-1-2-03 | X-CSRF-Token: a | X-A: 1 | X-A: 2 | Accept: application/json | Connection: close, X-Hop | X-Hop: no | TE: trailers | Keep-Alive: timeout=9',
    status: 200,
    answered: `${json200} | Connection: close, X-Hop | X-Hop: no | X-B: ok`,
    sent: [numbers]
  },
  {
    what: 'a chunked body, and numbers beyond doubles',
    line: 'PUT /things/1',
    headers: `${json200}; charset=UTF-8 | Transfer-Encoding: chunked`,
    body: [numbers.subarray(0, 20), numbers.subarray(20)],
    status: 200,
    answered: `${json200} | Transfer-Encoding: chunked`,
    sent: [numbers.subarray(0, 7), numbers.subarray(7)]
  },
  {
    what: 'a coded answer',
    line: 'GET /things/1',
    headers: 'Accept-Encoding: gzip',
    status: 200,
    answered: `${json200} | Content-Encoding: gzip`,
    sent: [gzipSync(numbers)]
  },
  {
    what: 'binary bodies',
    line: 'PUT /files',
    headers: `${octets} | Content-Length: 6`,
    body: [binary],
    status: 200,
    answered: octets,
    sent: [binary, binary]
  },
  {
    what: 'a body beyond what is checked',
    line: 'PUT /files',
    headers: `${octets} | Content-Length: 0`,
    status: 200,
    answered: octets,
    sent: [large]
  },
  { what: 'HEAD', line: 'HEAD /files', status: 200, answered: 'Content-Length: 77 | ETag: "a"' },
  { what: '204', line: 'DELETE /things/1', status: 204, answered: 'X-A: 1' },
  {
    what: 'a redirection',
    line: 'GET /moved',
    status: 302,
    answered: 'Location: /things/1 | Content-Length: 0'
  },
  {
    what: 'a condition',
    line: 'GET /things/1',
    headers: 'If-None-Match: "a"',
    status: 304,
    answered: 'ETag: "a"'
  },
  {
    what: 'a stream',
    line: 'POST /events',
    headers: 'Content-Type: application/jsonl | Transfer-Encoding: chunked',
    body: items('1', '2'),
    status: 200,
    answered: 'Content-Type: application/jsonl',
    sent: items('1', '2.0')
  }
]
/** Headers of one connection, and those that the mock and Node add. */
const ofConnection = /^(connection|keep-alive|transfer-encoding|te|x-hop)$/i
const added = /^(connection|keep-alive|transfer-encoding|date|vary|access-control-.*|host|content-length)$/i
const ofMock = /^(connection|keep-alive|transfer-encoding|date|vary|access-control-.*)$/i
const isNoLength = (field: string) => !field.startsWith('content-length')
const unlike = (names: RegExp, raw: readonly string[]) =>
  raw
    .flatMap((name, index) => (index % 2 === 0 ? [`${name.toLowerCase()}: ${raw[index + 1]}`] : []))
    .filter((field) => !names.test(field.split(':')[0] ?? ''))
    .sort()

t.test('the bytes of requests and answers pass as they are', async (t) => {
  const file = { content: { 'application/octet-stream': {} } }
  const seen: { line: string; headers: readonly string[]; body: Buffer }[] = []
  let row: Passing | undefined
  const server = createServer(async (request, response) => {
    const { method, url, rawHeaders } = request
    const body = Buffer.concat(await Array.fromAsync<Buffer>(request))
    seen.push({ line: `${method} ${url}`, headers: rawHeaders, body })
    response.writeHead(row?.status ?? 500, 'Fine', raw(row?.answered ?? ''))
    for (const chunk of row?.sent ?? []) response.write(chunk)
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { paths } = document
  const events = { requestBody: { content: { 'application/jsonl': { itemSchema: thing } } } }
  const whole = {
    servers: [{ url: '/mock/v0' }],
    paths: {
      ...paths,
      '/things/{id}': {
        ...paths['/things/{id}'],
        get: operation('read', { 200: json(thing), 304: { description: 'same' } })
      },
      '/files': {
        put: operation('file', { 200: { description: 'x', ...file } }, { requestBody: file }),
        head: operation('look', { 200: { description: 'x' } })
      },
      '/moved': { get: operation('moved', { 302: { description: 'x' } }) },
      '/events': {
        post: operation('events', { 200: text('application/jsonl', { itemSchema: thing }) }, events)
      }
    }
  }
  const proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}/real/`
  const { listener, warnings } = await mocked(t, whole, { seed: 1, proxy })
  for (row of passing) {
    const { what, line, body = [], status, sent = [] } = row
    const [headers, answered] = [raw(row.headers ?? ''), raw(row.answered)]
    const [method = '', path = ''] = line.split(' ')
    const { port } = listener.address
    const asked = request({ method, port, path: `/mock/v0${path}`, headers: ['Host', 'x', ...headers] })
    for (const chunk of body) asked.write(chunk)
    const [response] = (await once(asked.end(), 'response')) as [IncomingMessage]
    const received = Buffer.concat(await Array.fromAsync<Buffer>(response))
    const { line: askedLine, headers: askedHeaders, body: askedBody } = seen.at(-1) ?? {}
    t.equal(askedLine, `${method} /real${path}`, what)
    t.ok(askedBody?.equals(Buffer.concat(body)), what)
    t.strictSame(unlike(added, askedHeaders ?? []), unlike(ofConnection, headers).filter(isNoLength), what)
    if (body.length > 0) t.ok(askedHeaders?.includes(String(askedBody?.length)), `${what}: its length`)
    t.match(response, { statusCode: status, statusMessage: 'Fine' }, what)
    const fields = unlike(ofMock, response.rawHeaders)
    t.strictSame(fields, unlike(ofConnection, answered), what)
    t.ok(received.equals(Buffer.concat(sent)), `${what}: ${received.length} bytes`)
  }
  t.strictSame(warnings, [])
})

const lasting = [
  { type: 'application/jsonl', media: { itemSchema: thing }, problem: 'body/1/name is required' },
  { type: 'text/plain', media: { schema: { ...name, maxLength: 9 } }, problem: 'body must have' }
]
for (const { type, media, problem } of lasting)
  t.test(`${type} passes while it lasts, and is checked at its end`, async (t) => {
    const stream = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': type })
      response.write('{"id":1,"name":"a"}\n')
      release.promise.then(() => response.end('{"id":2}\n'))
    })
    const release = Promise.withResolvers<void>()
    stream.listen(0, '127.0.0.1')
    await once(stream, 'listening')
    t.teardown(() => stream.close())
    const paths = { '/events': { get: operation('events', { 200: text(type, media) }) } }
    const proxy = `http://127.0.0.1:${(stream.address() as AddressInfo).port}`
    const { listener, warnings } = await mocked(t, { paths }, { seed: 1, proxy })
    const { body } = await fetch(`http://127.0.0.1:${listener.address.port}/events`)
    const reader = body?.getReader()
    t.equal(Buffer.from((await reader?.read())?.value ?? []).toString(), '{"id":1,"name":"a"}\n')
    release.resolve()
    t.equal(Buffer.from((await reader?.read())?.value ?? []).toString(), '{"id":2}\n')
    t.ok((await reader?.read())?.done)
    t.match(warnings, [`${proxy}: events answers 200: ${problem}`])
  })

const pages: readonly (readonly [origin: string, isForeign: boolean])[] = [
  ['https://page.example', true],
  ['http://localhost.page.example', true],
  ['http://192.168.1.7:3000', true],
  ['null', true],
  ['http://localhost:3000', false],
  ['http://app.localhost', false],
  ['http://127.0.0.1:5173', false],
  ['http://[::1]:5173', false]
]
t.test(
  'a page of another site does not use the cookies of its user; the real server sees its origin',
  async (t) => {
    const { get } = await mocked(t, { ...document, security: [] }, { seed: 1, proxy: `${origin}/v1` })
    const credentials = { cookie: 'session=1', 'x-sign': 'yes' }
    for (const [page, isForeign] of pages) {
      const sent = {
        ...credentials,
        origin: page,
        'sec-fetch-site': 'cross-site',
        authorization: 'Basic YTpi'
      }
      const { headers } = await get('/things/1', sent)
      t.equal(headers.get('access-control-allow-origin'), isForeign ? '*' : page, page)
      t.equal(headers.get('access-control-allow-credentials'), isForeign ? null : 'true')
      t.match(last, { origin: page, 'sec-fetch-site': 'cross-site', 'x-sign': 'yes' })
      t.equal(last.cookie, isForeign ? undefined : 'session=1')
      t.equal(last.authorization, isForeign ? undefined : 'Basic YTpi')
      await get('/things/1', { ...sent, authorization: 'Bearer own' })
      t.equal(last.authorization, 'Bearer own', 'a token that the page has')
    }
  }
)

t.test('a server that is not there is named, and its answers are made', async (t) => {
  const { get, warnings } = await mocked(t, document, { seed: 1, proxy: 'http://127.0.0.1:9' })
  t.equal((await get('/new?key=k', headers)).status, 200)
  t.match(warnings, ['http://127.0.0.1:9: '])
})

t.test('a server that switches protocols is named, and its answers are made', async (t) => {
  const switching = createSocketServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () =>
      socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n')
    )
  })
  await once(switching.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => switching.close())
  const { port } = switching.address() as AddressInfo
  const { get, warnings } = await mocked(t, document, { seed: 1, proxy: `http://127.0.0.1:${port}` })
  t.equal((await get('/new?key=k', headers)).status, 200)
  t.match(warnings, [/ended without an answer$/])
})
