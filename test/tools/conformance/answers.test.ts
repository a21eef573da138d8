/** Small servers, each with answers of one kind: malformed ones, refusals, and answers to undeclared methods. */
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { type Answer, checked, error, get, ok, only, post, send } from './checked-server.ts'

t.setTimeout(900_000)

const none = { description: 'nothing' }
const withHeader = (schema: object) => ({ description: 'ok', headers: { 'X-Value': schema } })
const typed = (type: string) => withHeader({ schema: { type } })

const json = { 'content-type': 'application/json' }
/** Declared response, headers and body of an answer, and the finding. */
const malformed: readonly (readonly [
  path: string,
  declared: object,
  headers: Record<string, string>,
  body: string | Buffer,
  finding?: string
])[] = [
  ['/empty', none, {}, 'not empty', 'response-body: it has a body, and none is declared'],
  ['/untyped', ok, {}, '{}', 'response-media-type: it has no Content-Type; declared: application/json'],
  ['/malformed', ok, json, '{', 'response-body: the body is not valid JSON'],
  ['/bytes', ok, json, Buffer.from([0xff, 0x00]), 'response-body: the body is not valid UTF-8'],
  ['/coded', ok, { ...json, 'content-encoding': 'gzip' }, '{}'],
  [
    '/json',
    withHeader({ content: { 'application/json': { schema: {} } } }),
    { 'x-value': '{' },
    '',
    'response-header: the header x-value does not fit its schema'
  ],
  ['/number', typed('number'), { 'x-value': '1.5' }, ''],
  ['/boolean', typed('boolean'), { 'x-value': 'true' }, ''],
  [
    '/integer',
    typed('integer'),
    { 'x-value': '1.5' },
    '',
    'response-header: the header x-value does not fit its schema'
  ]
]
t.test('malformed answers are findings, and bytes that are no text are shown as base64', async (t) => {
  const paths = malformed.map(([path, declared]) => [path, { get: { responses: { 200: declared } } }])
  const answer = only('GET', (request, response) => {
    const [, , headers, body] = malformed.find(([path]) => path === request.url) ?? []
    response.writeHead(200, headers).end(body)
  })
  const { report } = await checked(t, Object.fromEntries(paths), answer, { requests: 2 })
  t.strictSame(
    report.findings.map(({ check, message }) => `${check}: ${message.replace(/: Expected.*/s, '')}`),
    malformed.flatMap(([path, , , , finding]) =>
      finding === undefined ? [] : [finding.replace(': ', `: GET ${path} answers 200: `)]
    )
  )
  t.equal(report.findings.find(({ operation }) => operation === 'GET /bytes')?.response?.body, 'base64:/wA=')
})

const blanks = Buffer.alloc(8_388_609, ' ')
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
const isTooDeep = 'the body is nested deeper than 1000 levels'

/** Coding, body and the finding. A body that is too long is not read, and so is no finding. */
const costly: readonly (readonly [coding: string | undefined, body: string | Buffer, message?: string])[] = [
  ['gzip', gzipSync('{'), 'the body is not valid JSON'],
  ['gzip', gzipSync(blanks)],
  ['x-gzip', gzipSync(blanks)],
  ['deflate', deflateSync(blanks)],
  ['br', brotliCompressSync(blanks)],
  ['zstd', zstdCompressSync(blanks)],
  ['hasOwnProperty', '{', 'the body is not valid JSON'],
  [undefined, nested(1_000)],
  [undefined, nested(1_001), isTooDeep],
  [undefined, nested(1_000_000), isTooDeep],
  [undefined, '{"a":'.repeat(1_000_000), isTooDeep],
  [undefined, JSON.stringify(['\\"', nested(2_000)])]
]
t.test('answers are bounded before they are decoded and parsed', async (t) => {
  const paths = Object.fromEntries(costly.map((_row, index) => [`/${index}`, get(200)]))
  const lines = { 'application/jsonl': { itemSchema: {} } }
  const items = { get: { responses: { 200: { description: 'ok', content: lines } } } }
  const answer = only('GET', ({ url }, response) => {
    const [coding, body] = costly[Number(url?.slice(1))] ?? [undefined, nested(100_000)]
    response.setHeader('content-type', url === '/items' ? 'application/jsonl' : 'application/json')
    if (coding !== undefined) response.setHeader('content-encoding', coding)
    response.end(body)
  })
  const options = { requests: 2, openapi: '3.2.0', timeoutMs: 60_000 }
  const { report } = await checked(t, { ...paths, '/items': items }, answer, options)
  const wanted = costly.flatMap(([, , message], index) =>
    message === undefined ? [] : [`GET /${index} answers 200: ${message}`]
  )
  t.strictSame(
    report.findings.map(({ message }) => message.replace(/: Expected.*/s, '')).sort(),
    [...wanted, `GET /items answers 200: ${isTooDeep}`].sort()
  )
})

t.test('a declared 404 is tolerated where the body names another resource, and nowhere else', async (t) => {
  const answer = only('POST', (_request, response) => send(response, 404, {}))
  const named = (property: string) => post({ [property]: { type: 'string' } }, [property], 201, 404)
  const paths = { '/orders': named('plant_id'), '/names': named('title') }
  const { findings } = await checked(t, paths, answer, { requests: 3 })
  t.strictSame(
    findings.filter((each) => each.startsWith('valid-request-refused')),
    ['valid-request-refused POST /names']
  )
})

t.test(
  'additional methods are tried where a path does not declare them, and expected in Allow',
  async (t) => {
    const operation = { responses: { 200: ok } }
    const paths = {
      '/copied': { additionalOperations: { COPY: operation, 'M-SEARCH': operation } },
      '/locked': { get: operation, additionalOperations: { LOCK: operation } },
      '/queried': { query: operation }
    }
    const served: Record<string, string> = {
      '/copied': 'COPY, M-SEARCH',
      '/locked': 'GET, LOCK',
      '/queried': 'QUERY'
    }
    const exact: Answer = (request, response, body) =>
      only(String(served[String(request.url)]), (_request, response) => send(response, 200, {}))(
        request,
        response,
        body
      )
    const wrong: Answer = (request, response, body) => {
      // Answers LOCK everywhere, and forgets M-SEARCH in Allow.
      if (request.method === 'LOCK') return send(response, 200, {})
      if (request.url === '/copied' && request.method === 'GET')
        return response.writeHead(405, { allow: 'COPY' }).end()
      return exact(request, response, body)
    }
    const options = { requests: 2, openapi: '3.2.0' }
    const { findings, asked } = await checked(t, paths, exact, options)
    t.strictSame(findings, [])
    for (const method of ['COPY', 'M-SEARCH', 'QUERY']) t.ok(asked.includes(`${method} /locked `), method)
    const { report } = await checked(t, paths, wrong, options)
    t.strictSame(report.findings.map(({ message }) => message).sort(), [
      'GET /copied answers 405 with an Allow that leaves out M-SEARCH',
      'LOCK /copied answers 200 to a method that is not declared; expected is 405',
      'LOCK /queried answers 200 to a method that is not declared; expected is 405'
    ])
  }
)

t.test('methods that are not declared: 405 without Allow, silence, and 401 before 405', async (t) => {
  const answer: Answer = (request, response) => {
    if (request.url === '/locked') return send(response, 401, {})
    if (request.method === 'GET') return send(response, 200, {})
    if (request.url === '/nameless') return response.writeHead(405).end()
    return undefined
  }
  const locked = { get: { security: [{ key: [] }], responses: { 200: ok, 401: error } } }
  const paths = { '/nameless': get(200), '/silent': get(200), '/locked': locked }
  const components = { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } }
  const { findings, asked, report } = await checked(t, paths, answer, { requests: 2, components })
  t.strictSame(findings, ['undeclared-method PUT /nameless', 'time-out PUT /silent'])
  t.equal(
    report.findings[0]?.message,
    'PUT /nameless answers 405 without the header Allow; so it does to POST, DELETE, PATCH'
  )
  t.strictSame(
    asked.filter((line) => line.includes('/silent') && !line.startsWith('GET')),
    ['PUT /silent '],
    'a path that does not answer is asked no further'
  )
})

t.test('the search for a smaller request ends after sixty of them', async (t) => {
  const names = Array.from({ length: 70 }, (_, index) => `flag${index}`)
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'boolean' }]))
  let smaller = 0
  const answer = only('POST', (request, response, body) => {
    if (request.headers['content-type'] !== 'application/json' || !body.startsWith('{"flag'))
      return send(response, 400, {})
    const count = body.split('flag').length - 1
    if (count < names.length) smaller++
    return send(response, count === names.length ? 500 : 200, {})
  })
  const paths = { '/flags': post(properties, ['flag0'], 200, 400) }
  const { report } = await checked(t, paths, answer, { requests: 70 })
  const crash = report.findings.find(({ check }) => check === 'server-error')
  t.equal(crash?.request.body?.split('flag').length, names.length + 1, 'none of them shows the same')
  t.ok(smaller >= 59 && smaller <= 60, `${smaller} smaller requests`)
})

t.test('parameters without a schema, or whose schema allows nothing, and bodies of a range', async (t) => {
  const bodies: string[] = []
  const answer = only('POST', (request, response) => {
    bodies.push(String(request.headers['content-type']))
    return send(response, 200, {})
  })
  const parameters = [
    { name: 'any', in: 'query', content: { 'application/json': {} } },
    { name: 'never', in: 'query', schema: false }
  ]
  const requestBody = { content: { 'text/*': { schema: { type: 'string' } } } }
  const { asked, unchecked } = await checked(
    t,
    { '/texts': { post: { parameters, requestBody, responses: { 200: ok } } } },
    answer,
    { requests: 6 }
  )
  t.strictSame(unchecked, [])
  t.ok(bodies.includes('text/plain'))
  t.notOk(asked.some((line) => line.includes('never=')))
})

t.test('requests that are too large are left out', async (t) => {
  const schema = { type: 'array', minItems: 300_000_000, items: { type: 'integer' } }
  const large = { required: true, content: { 'application/json': { schema } } }
  const ids = [{ name: 'id', in: 'query', schema: { type: 'string', minLength: 536_870_912 } }]
  const { asked, unchecked, cut } = await checked(
    t,
    {
      '/lists': { post: { requestBody: large, responses: { 200: ok } } },
      '/optional': { post: { requestBody: { ...large, required: false }, responses: { 200: ok } } },
      '/texts': { get: { parameters: ids, responses: { 200: ok } } }
    },
    only('POST', (_request, response) => send(response, 200, {})),
    { requests: 6 }
  )
  t.strictSame(unchecked, ['POST /lists'])
  t.strictSame(cut.toSorted(), ['GET /texts', 'POST /lists', 'POST /optional'])
  t.ok(asked.some((line) => line.startsWith('POST /optional')))
})
