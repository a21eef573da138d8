/** Small servers, each for one rule of the check: ids, links, retries, tolerated refusals, the end of a run. */
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createListener } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { compileInMemory } from '../../../src/compiler/compile/in-memory.ts'
import { checkConformance } from '../../../src/tools/conformance/conformance.ts'
import { type Answer, checked, error, ok, only, send, taking } from './checked-server.ts'
import { listening } from './listening.ts'

t.setTimeout(900_000)

const isJson = ({ headers }: IncomingMessage) => /^application\/json\b/.test(String(headers['content-type']))

function parsed(body: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

for (const [what, id, isId] of [
  ['text', { type: 'string' }, /./],
  ['UUID', { type: 'string', format: 'uuid' }, /^[0-9a-f]{8}-[0-9a-f]{4}-4000-8000-[0-9a-f]{12}$/],
  ['pattern', { type: 'string', pattern: '^[A-Z]{6}-[0-9]{4}$' }, /^[A-Z]{6}-[0-9]{4}$/],
  ['number', { type: 'integer', format: 'int32', minimum: 1 }, /^\d+$/]
] as const)
  t.test(`an id that is a ${what} is new in each request, also in a second run`, async (t) => {
    const taken = new Set<unknown>()
    const schema = { type: 'object', required: ['id'], properties: { id } }
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
    const first = await checked(
      t,
      { '/things': { post: { requestBody: taking(schema), responses: { 200: ok, 400: error } } } },
      answer
    )
    t.strictSame(first.findings, [])
    t.ok(taken.size > 5)
    t.strictSame((await first.again()).report.findings, [])
  })

t.test('links and names lead from one operation to others, and deletions are remembered', async (t) => {
  const things = new Map<string, unknown>()
  let made = 0
  const notFound: string[] = []
  const answer: Answer = (request, response, body) => {
    const [, collection, id = '', more] = String(request.url).split(/[/?]/)
    const allow =
      collection === 'gone'
        ? 'DELETE'
        : collection === 'owners'
          ? 'POST'
          : id === ''
            ? 'POST'
            : more === 'parts'
              ? 'GET'
              : 'GET, PUT, DELETE'
    if (!allow.split(', ').includes(String(request.method)))
      return void response.writeHead(405, { allow }).end()
    const value = parsed(body)
    if (
      ['POST', 'PUT'].includes(String(request.method)) &&
      (!isJson(request) || typeof value?.['name'] !== 'string')
    )
      return send(response, 400, {})
    if (collection === 'gone') things.clear()
    if (collection === 'gone') return void response.writeHead(204).end()
    if (request.method === 'POST') {
      if (value?.['ownerId'] !== undefined && !things.has(String(value['ownerId']))) notFound.push('owner')
      const key = `made-${++made}`
      things.set(key, value)
      return send(response, 201, { id: key, list: [{ id: key }], ...value }, { 'X-Key': key })
    }
    if (request.method === 'PUT') things.set(id, value)
    if (!things.has(id)) notFound.push(String(request.url))
    if (!things.has(id)) return send(response, 404, {})
    if (request.method === 'DELETE') things.delete(id)
    if (request.method === 'DELETE') return void response.writeHead(204).end()
    return send(response, 200, things.get(id))
  }
  const named = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, ownerId: { type: 'string' } }
  }
  const path = {
    name: 'thingId',
    in: 'path',
    required: true,
    schema: { type: 'string', pattern: '^[a-z0-9-]+$' }
  }
  const links = {
    parts: {
      operationRef: '#/paths/~1things~1{thingId}~1parts/get',
      parameters: { 'path.thingId': '$response.header.X-Key' }
    },
    put: {
      operationId: 'putThing',
      parameters: {
        thingId: '$response.body#/list/0/id',
        constant: 7,
        name: '$request.body#/name',
        none: '$request.query.none',
        nothing: '$response.body#/name/x'
      }
    },
    nowhere: { operationRef: 'other.yaml#/nonsense', parameters: { thingId: 1 } }
  }
  const again = { parts: { operationId: 'getParts', parameters: { thingId: '$request.path.thingId' } } }
  const { findings } = await checked(
    t,
    {
      '/owners': {
        post: {
          requestBody: taking({
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' } }
          }),
          responses: { 201: ok, 400: error }
        }
      },
      '/things': { post: { requestBody: taking(named), responses: { 201: { ...ok, links }, 400: error } } },
      '/things/{thingId}': {
        parameters: [path],
        get: { operationId: 'getThing', responses: { 200: { ...ok, links: again }, 404: error } },
        put: {
          operationId: 'putThing',
          requestBody: taking({
            type: 'object',
            required: ['name', 'thingId'],
            properties: { name: { type: 'string' }, thingId: { type: 'string' } }
          }),
          responses: { 200: ok, 400: error }
        },
        delete: { responses: { 204: { description: 'gone' }, 404: error } }
      },
      '/things/{thingId}/parts': {
        parameters: [path],
        get: { operationId: 'getParts', responses: { 200: ok, 404: error } }
      },
      '/gone': { delete: { responses: { 204: { description: 'gone' } } } }
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
  t.strictSame((await checked(t, { '/': { get: { responses: { 200: ok } } } }, answer)).findings, [])
})

t.test(
  'a server that asks for patience in another way, or for too much of it, is taken at its word',
  async (t) => {
    const answer = only('GET', (_request, response) =>
      send(response, 429, {}, { 'retry-after': 'Sun, 22 Nov 2026 01:00:00 GMT' })
    )
    t.strictSame(
      (await checked(t, { '/': { get: { responses: { 200: ok, 429: error } } } }, answer)).findings,
      []
    )
    const never = only('GET', (_request, response) => send(response, 503, {}, { 'retry-after': '3600' }))
    t.strictSame((await checked(t, { '/': { get: { responses: { 200: ok } } } }, never)).findings, [
      'server-error GET /'
    ])
  }
)

t.test('a conflict for every valid request is a finding', async (t) => {
  const answer = only('POST', (_request, response) => send(response, 409, {}))
  const paths = {
    '/things': {
      post: {
        requestBody: taking({ type: 'object', properties: { id: { type: 'integer' } } }),
        responses: { 200: ok, 409: error }
      }
    }
  }
  t.strictSame((await checked(t, paths, answer)).findings, ['valid-request-refused POST /things'])
})

t.test('a declared refusal of an unusual request is tolerated if servers differ', async (t) => {
  const answer = only('POST', (request, response, body) => {
    const isText = typeof parsed(body)?.['text'] === 'string'
    if (!isJson(request) || !isText) return send(response, 400, {})
    if (body.length > 5000) return send(response, 413, {})
    return send(response, /\\ud8/.test(body) ? 422 : 200, {})
  })
  const schema = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } }
  const paths = {
    '/texts': {
      post: { requestBody: taking(schema), responses: { 200: ok, 400: error, 413: error, 422: error } }
    }
  }
  t.strictSame((await checked(t, paths, answer)).findings, [])
})

t.test('a server that ends is one finding, and the run ends', async (t) => {
  const paths = {
    '/a': { get: { responses: { 200: ok } } },
    '/b': { get: { responses: { 200: ok } } },
    '/c': { get: { responses: { 200: ok } } }
  }
  const ending = { close: () => {} }
  const answer: Answer = (request, response) => {
    if (request.url !== '/b') return void send(response, 200, {})
    ending.close()
    response.destroy()
  }
  const folder = t.testdir({
    'contract.json': JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths })
  })
  const compiled = await compileInMemory(join(folder, 'contract.json'))
  const { url, close } = await listening(createServer((request, response) => answer(request, response, '')))
  ending.close = close
  const { report } = await checkConformance({ ...compiled, url })
  t.strictSame(
    report.findings.map(({ check, operation, response }) => [check, operation, response]),
    [['connection', 'GET /b', null]]
  )
})

t.test('a listener that does not speak HTTP does not count as a server', async (t) => {
  const listener = createListener((socket) => void socket.on('error', () => {}).end('SSH-2.0-x\r\n'))
  const port = await new Promise<number>((resolve) =>
    listener.listen(0, '127.0.0.1', () => resolve(Number(Reflect.get(Object(listener.address()), 'port'))))
  )
  t.teardown(() => listener.close())
  const folder = t.testdir({
    'contract.json': JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'T', version: '1' },
      paths: { '/a': { get: { responses: { 200: ok } } } }
    })
  })
  const compiled = await compileInMemory(join(folder, 'contract.json'))
  await t.rejects(checkConformance({ ...compiled, url: new URL(`http://127.0.0.1:${port}`) }), {
    message: /^nobody answers at /
  })
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
  const paths = {
    '/a': {
      head: { responses: { 200: { description: 'ok' } } },
      post: { requestBody: text, responses: { 200: error, 400: error } }
    }
  }
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
  const operation = (name: string) => ({
    get: { security: [{ [name]: [] }], responses: { 200: ok, 401: error } }
  })
  const either = {
    get: {
      security: [{ basic: [] }, { header: [] }, { tls: [] }].slice(0, 2),
      responses: { 200: ok, 401: error }
    }
  }
  const paths: Record<string, { get: object }> = {
    ...Object.fromEntries(Object.keys(schemes).map((name) => [`/${name}`, operation(name)])),
    '/either': either
  }
  const q = { name: 'q', in: 'query', required: true, schema: { type: 'string' } }
  const c = { name: 'c', in: 'cookie', required: true, schema: { type: 'integer' } }
  Object.assign(paths['/query']?.get ?? {}, { parameters: [q] })
  Object.assign(paths['/cookie']?.get ?? {}, { parameters: [c] })
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

const text = { type: 'object', required: ['text'], properties: { text: { type: 'string', maxLength: 2000 } } }
const hasText = (body: string) => {
  const value = parsed(body)?.['text']
  return typeof value === 'string' && [...value].length <= 2000
}

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
  const paths = {
    '/texts': {
      post: { parameters: [coding], requestBody: taking(text), responses: { 200: ok, 400: error } }
    }
  }
  t.strictSame((await checked(t, paths, answer)).findings, [])
  t.ok(accepted > 10)
})

t.test('a declared 422 is no finding beside a 400, unless it answers every valid request', async (t) => {
  const paths = (refusals: readonly number[]) => ({
    '/texts': {
      post: {
        requestBody: taking(text),
        responses: { 200: ok, ...Object.fromEntries(refusals.map((status) => [status, error])) }
      }
    }
  })
  const refusing = (isRefused: (body: string) => boolean) =>
    only('POST', (request, response, body) => {
      if (!isJson(request) || !hasText(body)) return send(response, 400, {})
      return send(response, isRefused(body) ? 422 : 200, {})
    })
  const some = refusing((body) => body.length % 2 === 0)
  t.strictSame((await checked(t, paths([400, 422]), some)).findings, [])
  t.ok((await checked(t, paths([422]), some)).findings.includes('valid-request-refused POST /texts'))
  t.strictSame(
    (
      await checked(
        t,
        paths([400, 422]),
        refusing(() => true)
      )
    ).findings,
    ['valid-request-refused POST /texts']
  )
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

t.test('a proxy may answer 403 to methods that are not declared', async (t) => {
  const answer: Answer = (request, response) => send(response, request.method === 'GET' ? 200 : 403, {})
  t.strictSame((await checked(t, { '/a': { get: { responses: { 200: ok } } } }, answer)).findings, [])
})

for (const [what, head, isWrong] of [
  ['a length', 'content-length: 5\r\n\r\nhello', true],
  ['chunks', 'transfer-encoding: chunked\r\n\r\n0\r\n\r\n', true],
  ['bytes', '\r\nhello', true],
  ['a length of 0', 'content-length: 0\r\n\r\n', false],
  ['nothing', '\r\n', false]
] as const)
  t.test(`an answer 204 with ${what} is ${isWrong ? 'a' : 'no'} finding`, async (t) => {
    const listener = createListener((socket) => {
      socket.on('error', () => {})
      socket.on('data', (bytes) => {
        const isDeclared = String(bytes).startsWith('GET /a ')
        const refusal = 'HTTP/1.1 405 No\r\nallow: GET\r\ncontent-length: 0\r\n\r\n'
        socket.write(isDeclared ? `HTTP/1.1 204 No Content\r\n${head}` : refusal)
      })
    })
    const port = await new Promise<number>((resolve) =>
      listener.listen(0, '127.0.0.1', () => resolve(Number(Reflect.get(Object(listener.address()), 'port'))))
    )
    t.teardown(() => listener.close())
    const paths = { '/a': { get: { responses: { 204: { description: 'nothing' } } } } }
    const folder = t.testdir({
      'contract.json': JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths })
    })
    const compiled = await compileInMemory(join(folder, 'contract.json'))
    const url = new URL(`http://127.0.0.1:${port}`)
    const { report } = await checkConformance({ ...compiled, url, requests: 3, timeoutMs: 1000 })
    const found = report.findings.filter(({ check }) => ['response-body', 'connection'].includes(check))
    t.equal(found.length > 0, isWrong, JSON.stringify(report.findings.map(({ message }) => message)))
  })
