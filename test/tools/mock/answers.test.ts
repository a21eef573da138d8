/** The answers of the mock: status, media type, body, headers and refusals. */
import t, { type Test } from 'tap'
import { read } from '../../contracts/exchanges.ts'
import { json, type Mocked, mocked, pathsOf, responseOf, type ShortResponse, text } from './mocked.ts'

/** A request and its answer, as answers.yaml describes them. */
interface Row {
  readonly ask: string
  readonly want: string
  readonly method?: string
  /** Content-Type of the answer. */
  readonly type?: string
  readonly got?: Readonly<Record<string, string | null>>
}

interface Scene {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly parameters?: readonly object[]
  readonly components?: object
  readonly servers?: readonly object[]
  readonly warnings?: readonly string[]
  readonly rows: readonly Row[]
}

interface Secrets {
  readonly components: object
  readonly rows: readonly (readonly [response: ShortResponse, body: string])[]
}

const { secrets, large, ...scenes } = read(`${import.meta.dirname}/answers.yaml`) as {
  readonly secrets: Secrets
  readonly large: Scene
} & Readonly<Record<string, Scene>>

const get = (operationId: string, responses: object, more = {}) => ({
  get: { operationId, responses, ...more }
})

/** Returns the pattern behind a tilde, or the text. */
const wanted = (text: string | null) => (text?.startsWith('~') ? new RegExp(text.slice(1), 's') : text)

/** Sends the requests of a scene to its mock, which is returned. */
async function judge(t: Test, scene: Scene): Promise<Mocked> {
  const { components = {}, servers = [{ url: '/' }], warnings: expected = [], rows } = scene
  const mock = await mocked(t, { paths: pathsOf(scene.paths, scene.parameters), components, servers })
  for (const { ask: path, want, method = 'GET', type, got = {}, ...headers } of rows) {
    const label = `${path} ${JSON.stringify(headers)}`
    const { status, headers: found, text } = await mock.get(path, { prefer: '', ...headers }, { method })
    t.match(`${status} ${text}`, wanted(want), label)
    if (!want.startsWith('~')) t.equal(`${status} ${text}`, want, label)
    if (type !== undefined) t.equal(found.get('content-type'), type, label)
    for (const [header, value] of Object.entries(got))
      t.match(found.get(header), wanted(value), `${label} ${header}`)
  }
  t.strictSame(mock.warnings, expected)
  return mock
}

for (const [name, scene] of Object.entries(scenes)) t.test(name, (t) => judge(t, scene))

t.test('a body or a header that is too large is not made, and the answer says so', async (t) => {
  const { contract } = await judge(t, large)
  t.match(contract.example?.target, '/lists')
})

t.test('the same seed gives the same answer, dynamic answers and other seeds give others', async (t) => {
  const schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }
  const document = { paths: { '/made': get('made', { 200: json(schema) }) } }
  const [{ get: ask }, other] = [await mocked(t, document), await mocked(t, document, 2)]
  const dynamic = async () => (await ask('/made', { prefer: 'dynamic=true' })).text
  const { text } = await ask('/made')
  t.equal((await ask('/made')).text, text)
  t.not(await dynamic(), await dynamic())
  t.not((await other.get('/made')).text, text)
})

t.test('any page may call it', async (t) => {
  const paths = {
    '/a': {
      ...get('a', { 200: { ...json({}), headers: { 'X-Total': { schema: { type: 'integer' } } } } }),
      options: { operationId: 'b', responses: { 204: { description: 'x' } } }
    }
  }
  const { get: ask } = await mocked(t, { paths })
  t.equal((await ask('/a')).headers.get('access-control-allow-origin'), '*')
  const origin = 'https://page.example'
  const { headers } = await ask('/a', { origin })
  t.equal(headers.get('access-control-allow-origin'), origin)
  t.equal(headers.get('access-control-allow-credentials'), 'true')
  t.match(headers.get('access-control-expose-headers'), /preference-applied.*x-total/)
  const asked = {
    origin,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'authorization, prefer'
  }
  const preflight = await ask('/a', asked, { method: 'OPTIONS' })
  t.equal(preflight.status, 204)
  t.equal(preflight.headers.get('access-control-allow-headers'), 'authorization, prefer')
  t.match(preflight.headers.get('access-control-allow-methods'), /GET, HEAD, OPTIONS/)
  t.equal((await ask('/a', { origin }, { method: 'OPTIONS' })).status, 204, 'the operation')
})

t.test('an entity tag has the form of one, and is compared', async (t) => {
  const tagged = (schema: object, more: object = {}) => ({
    ...json({ const: 1 }),
    headers: { ETag: { required: true, schema, ...more } }
  })
  const unchanged = { 304: { description: 'x' } }
  const { get: ask } = await mocked(t, {
    paths: {
      '/made': {
        ...get('made', { 200: tagged({ type: 'string' }), ...unchanged }),
        put: { operationId: 'put', responses: { 200: tagged({ type: 'string' }) } }
      },
      '/given': get('given', { 200: tagged({ type: 'string' }, { example: '"7"' }), ...unchanged }),
      '/wrong': get('wrong', { 200: tagged({ type: 'string' }, { example: '7' }), ...unchanged }),
      '/other': get('other', { 200: tagged({ const: 'x' }), ...unchanged })
    }
  })
  for (const [path, init] of [['/made'], ['/made', { method: 'PUT' }], ['/given'], ['/wrong']] as const) {
    const { status, headers } = await ask(path, {}, init)
    t.equal(status, 200, path)
    const tag = headers.get('etag') ?? ''
    t.match(tag, path === '/given' ? /^"7"$/ : /^(W\/)?"[!#-~]*"$/, path)
    if (init === undefined) t.equal((await ask(path, { 'if-none-match': tag })).status, 304, path)
  }
  const other = await ask('/other')
  t.match([other.status, other.text], [501, /no value is found for header ETag, which the contract requires/])
})

t.test('no writeOnly property is answered, wherever its value comes from', async (t) => {
  const { components, rows } = secrets
  const paths = rows.flatMap(([response], index) => [
    [`/${index}`, get(`success${index}`, { 200: responseOf(response) })],
    [`/error/${index}`, get(`error${index}`, { 400: responseOf(response) })]
  ])
  const { get: ask } = await mocked(t, { paths: Object.fromEntries(paths), components })
  for (const [index, [response, want]] of rows.entries())
    for (const path of ['', '/error'])
      for (const prefer of ['', 'dynamic=true']) {
        const { status, headers, text } = await ask(`${path}/${index}`, { prefer })
        const name = `${path} ${prefer} ${JSON.stringify(response)}`
        t.equal(status, path === '' ? 200 : 400, name)
        t.notMatch(`${text} ${headers.get('x-user')}`, /password|secret/, name)
        if (prefer === '') t.equal(text.replace(/^<\?xml.*\n/, ''), want, name)
      }
})

t.test('headers that Node or the body decides are served where they are required', async (t) => {
  const body = { a: 'ä'.repeat(300) }
  const rows: readonly (readonly [name: string, schema: object, value: RegExp | null])[] = [
    ['Content-Length', { type: 'integer' }, /^\d+$/],
    ['content-length', { type: 'string' }, /^\d+$/],
    ['Content-Length', { type: 'integer', minimum: 1, example: 611 }, /^\d+$/],
    ['Content-Encoding', { type: 'string', enum: ['gzip'] }, /^gzip$/],
    ['Content-Encoding', { type: 'string' }, /^(gzip|x-gzip|deflate|br|zstd|identity)$/],
    ['Content-Encoding', { const: 'br' }, /^br$/],
    ['Content-Encoding', { const: 'deflate' }, /^deflate$/],
    ['Content-Encoding', { const: 'zstd' }, /^zstd$/],
    ['Content-Encoding', { type: 'string', example: 'identity' }, /^identity$/],
    ['Connection', { type: 'string', enum: ['close'] }, /^keep-alive$/],
    ['Keep-Alive', { type: 'string' }, /^timeout=/],
    ['Transfer-Encoding', { const: 'chunked' }, null],
    ['Upgrade', { const: 'h2c' }, null],
    ['Trailer', { type: 'string' }, null],
    ['Content-Type', { const: 'text/html' }, /^application\/json$/],
    ['Date', { type: 'string' }, /./]
  ]
  const bodies: readonly (readonly [path: string, response: object, text: string])[] = [
    ['json', json({ type: 'object' }, { example: body }), JSON.stringify(body)],
    ['text', text('text/plain', { example: 'ä' }), 'ä'],
    ['bytes', text('application/octet-stream', { example: 'x' }), 'x'],
    ['items', text('application/jsonl', { schema: { type: 'integer' }, example: [1, 2] }), '1\n2\n'],
    ['empty', { description: 'x' }, '']
  ]
  const { get: ask } = await mocked(t, {
    paths: Object.fromEntries(
      rows.flatMap(([name, schema], index) =>
        bodies.map(([kind, response]) => {
          const headers = { [name]: { required: true, schema } }
          const [all, none] = [{ 200: { ...response, headers } }, { 204: { description: 'x', headers } }]
          const operations = {
            ...get(`get-${kind}-${index}`, all),
            put: { operationId: `put-${kind}-${index}`, responses: none },
            post: { operationId: `post-${kind}-${index}`, responses: { 400: { ...response, headers } } }
          }
          const head = { operationId: `head-${kind}-${index}`, responses: all }
          return [`/${kind}/${index}`, kind === 'empty' ? { ...operations, head } : operations]
        })
      )
    )
  })
  for (const [index, [name, schema, value]] of rows.entries())
    for (const [kind, , want] of bodies) {
      const label = `${name} ${JSON.stringify(schema)} ${kind}`
      for (const prefer of ['', 'wait=0.001']) {
        const { status, text, headers } = await ask(`/${kind}/${index}`, { prefer })
        t.same([status, text], [200, want], label)
        const isFree = kind === 'items' || (kind === 'empty' && name === 'Content-Type')
        if (!isFree && kind === 'json') t.match(headers.get(name) ?? null, value ?? null, label)
      }
      for (const [method, want] of [
        ['HEAD', 200],
        ['PUT', 204],
        ['POST', 400]
      ] as const)
        t.equal((await ask(`/${kind}/${index}`, {}, { method })).status, want, `${method} ${label}`)
    }
})
