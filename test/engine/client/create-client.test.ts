/** Requests of a client, which a server of the same contract receives over real sockets; a wrong one is not sent. */
import { openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { build } from 'esbuild'
import t from 'tap'
import { createClient, RequestMismatch } from '../../../src/engine/client.ts'
import type { Contract } from '../../../src/engine/model/compiled-contract.ts'
import { compiled, serve } from '../serve.ts'
import { document, fromSource } from './exchange.ts'

t.setTimeout(900_000)

type Seen = Record<string, unknown>
type Calls = Record<string, (call?: object) => Promise<{ status: number; body: unknown }>>
const contract: Contract = await compiled(t, document)
const names = contract.operations.map(({ operationId }) => operationId)
const large = 9007199254740993n

let seen: Seen = {}
const taking = async (request: Seen) => {
  const { params, query, headers, cookies, mediaType, allHeaders } = request
  seen = { params, query, headers, cookies, mediaType, allHeaders, url: request['url'] }
  seen['body'] = await received(request['body'])
  return { status: 204 }
}
const received = async (body: unknown) => {
  if (body instanceof Readable) return textOf(body)
  const isItems = Symbol.asyncIterator in Object(body) && !Buffer.isBuffer(body)
  return isItems ? Array.fromAsync(body as AsyncIterable<unknown>) : body
}
const credentials: unknown[] = []
const remember = (credential: unknown) => credentials.push(credential)
const { port } = await serve(t, contract, {
  handlers: Object.fromEntries(names.map((name) => [name, taking as never])),
  security: Object.fromEntries(Object.keys(contract.securitySchemes).map((name) => [name, remember]))
})
const baseUrl = `http://127.0.0.1:${port}/`
const compiledClient = createClient(contract, { baseUrl }) as unknown as Calls
const client = createClient((await fromSource(contract)) as never, { baseUrl }) as unknown as Calls
const call = async (name: string, values?: object, own = client) => {
  seen = {}
  const answer = await own[name]?.(values)
  if (answer?.status !== 204)
    throw new Error(`${name} answered ${answer?.status}: ${JSON.stringify(answer?.body)}`)
  return seen
}
const plain = (value: unknown): unknown => structuredClone(value)
const item = { id: large, note: 'ä\n' }

t.test('parameters arrive as they were given, in every style', async (t) => {
  const params = {
    simple: 'a/b ?ä',
    list: [1n, large],
    label: [1n, 2n],
    dots: { a: 1, b: 'x,y' },
    matrix: [1n, 2n],
    spread: { a: 1, b: ';' },
    object: { a: 1, b: '=' },
    json: item,
    part: '..'
  }
  t.strictSame(plain((await call('paths', { params }))['params']), params)
  const query = {
    form: [1n, large],
    joined: [1n, 2n],
    spaces: [1n, 2n],
    pipes: [1n, 2n],
    piped: { a: 1, b: '&' },
    deep: { x: { a: 1, b: '&' }, list: [1n] },
    members: { m: '+', n: [1n] },
    reserved: "/:?@;=$[]'()*!&#+ä",
    text: '/&#+ä',
    json: item,
    page: undefined
  }
  const headers = { 'X-List': [1n, large], 'x-text': 'a b', 'x-object': { a: 1, b: 'x' } }
  const cookies = { plain: 'ä;', raw: 'a b' }
  const { url, ...others } = await call('others', { query, headers, cookies })
  t.strictSame(plain(others['query']), { ...query, page: 1 })
  t.strictSame(plain(others['headers']), {
    'x-list': [1n, large],
    'x-text': 'a b',
    'x-object': { a: 1, b: 'x' }
  })
  t.strictSame(plain(others['cookies']), cookies)
  t.match(url, 'reserved=/:?@;=$[]%27()*!%26%23%2B%C3%A4&text=%2F%26%23%2B%C3%A4')
  t.match(url, 'spaces=1%202&pipes=1%7C2&piped=a%7C1%7Cb%7C%26')
})

t.test('a query may be one form, JSON or a text', async (t) => {
  t.strictSame(plain((await call('wholeForm', { query: { a: 1, b: '&' } }))['query']), { a: 1, b: '&' })
  t.strictSame(plain((await call('wholeJson', { query: item }))['query']), item)
  t.equal((await call('wholeText', { query: 'a b&' }))['query'], 'a b&')
  t.equal((await call('wholeText'))['query'], undefined)
})

t.test('bodies arrive as they were given', async (t) => {
  const body = async (name: string, body: unknown, more: object = {}) =>
    plain((await call(name, { body, ...more }))['body'])
  t.strictSame(await body('json', item), item)
  t.equal(await body('json', 'ä', { contentType: 'text/plain' }), 'ä')
  t.equal((await call('maybe'))['body'], undefined)
  const form = { id: large, tags: [1n, 2n], meta: { a: 1, b: '&' }, more: 'x y' }
  t.strictSame(await body('form', form), { id: large, tags: [1n, 2n], meta: { a: 1, b: '&' }, more: 'x y' })
  t.strictSame(await body('form', { item, items: [item, item] }), { item, items: [item, item] })
  const bytes = Buffer.from([0, 255])
  t.strictSame((await call('bytes', { body: bytes }))['body'], bytes)
  t.strictSame((await call('bytes', { body: new Uint8Array(bytes).buffer }))['body'], bytes)
  t.strictSame((await call('bytes', { body: 'text' }))['body'], Buffer.from('text'))
  t.strictSame((await call('bytes', { body: new Blob(['blob']) }))['body'], Buffer.from('blob'))
  t.equal(await body('stream', Readable.from([bytes, Buffer.from('x')])), '\0�x')
  t.equal(await body('stream', new Blob(['web']).stream()), 'web')
  t.strictSame(await body('any', { a: 1 }, { contentType: 'application/json' }), { a: 1 })
  t.strictSame((await call('bytes', { body: new Blob(['x'], { type: 'a/b' }) }))['body'], Buffer.from('x'))
  t.equal(await body('any', new Blob(['typed'], { type: 'text/csv' })), 'typed')
  t.strictSame(await body('any', { a: '1' }, { contentType: 'application/x-www-form-urlencoded' }), {
    a: '1'
  })
})

t.test('a form holds files: bytes, Blobs, files on disk and streams', async (t) => {
  const part = (value: unknown) => {
    const { filename, mediaType } = value as { filename?: string; mediaType?: string }
    return [String(value), filename, mediaType]
  }
  const parts = async (form: object) => {
    const { file, files = [], ...others } = (await call('upload', { body: form }))['body'] as Seen
    return [part(file), (files as unknown[]).map(part), plain(others)]
  }
  const path = t.testdir({ 'a.txt': 'disk' })
  const disk = await openAsBlob(`${path}/a.txt`, { type: 'image/png' })
  const fields = { id: large, meta: item, metas: [item, item], note: 'ä', other: '{"a":1}' }
  const octets = 'application/octet-stream'
  t.strictSame(
    await parts({
      file: Buffer.from('bytes'),
      files: [disk, new File(['x'], 'é".png')],
      ...fields,
      other: { a: 1 }
    }),
    [
      ['bytes', 'file', octets],
      [
        ['disk', 'file', 'image/png'],
        ['x', 'é%22.png', 'image/png']
      ],
      fields
    ]
  )
  const content = Readable.from([Buffer.from('stream')])
  t.strictSame(await parts({ file: { content, filename: 'a.bin', mediaType: 'x/y' }, files: [] }), [
    ['stream', 'a.bin', 'x/y'],
    [],
    {}
  ])
  const uploaded = { filename: 'b', mediaType: undefined, size: 3, stream: () => new Blob(['abc']).stream() }
  t.strictSame(await parts({ file: uploaded }), [['abc', 'b', octets], [], {}])
  t.strictSame(await parts({ file: { content: new File(['c'], 'c.txt') } }), [['c', 'c.txt', octets], [], {}])
  t.strictSame(await parts({ file: 'text' }), [['text', 'file', octets], [], {}])
})

t.test('items arrive as they were given, from lists and from iterables', async (t) => {
  async function* later(items: readonly unknown[]) {
    yield* items
  }
  const given: Readonly<Record<string, readonly unknown[]>> = {
    lines: [item, { id: 1n }],
    texts: [item, { id: 1n }],
    events: [{ data: item, event: 'e', id: '7', retry: 5 }, { event: 'only' }],
    data: [item],
    words: [{ data: 'a\nb' }, { data: '', event: 'x' }],
    either: [{ data: 5 }, { data: 'end' }]
  }
  for (const [name, items] of Object.entries(given)) {
    // No reader gets an event without data.
    const wanted = name === 'events' ? [items[0]] : items
    t.strictSame(plain((await call(`send_${name}`, { body: items }))['body']), wanted, name)
    t.strictSame(plain((await call(`send_${name}`, { body: later(items) }))['body']), wanted, name)
    t.strictSame(plain((await call(`send_${name}`, { body: new Set(items) }))['body']), wanted, name)
  }
})

const text = new Blob(['text'])
const circular: Record<string, unknown> = { id: 1n }
circular['self'] = circular
const refused: readonly (readonly [name: string, values: object | undefined, places: readonly string[]])[] = [
  ['json', undefined, ['body']],
  ['json', { body: { id: 'x' } }, ['body/id']],
  ['json', { body: {} }, ['body/id']],
  ['json', { body: item, contentType: 'text/csv' }, ['contentType']],
  ['wholeText', { body: 'x' }, ['contentType']],
  ['any', { body: {} }, ['contentType']],
  ['others', { query: { form: ['x', {}] } }, ['query/form/0', 'query/form/1']],
  ['others', { query: { text: '\ud800' } }, ['query/text']],
  ['others', { headers: { 'x-text': 'ä' } }, ['headers/x-text']],
  ['others', { cookies: { raw: 'a\nb' } }, ['cookies']],
  ['others', { cookies: { raw: 'a;b' } }, ['cookies/raw']],
  ['others', { query: { piped: { b: 'x|y' } } }, ['query/piped']],
  ['others', { query: { members: { m: 'a', o: { deep: {} } } } }, ['query/members']],
  ['paths', { params: {} }, ['params/simple']],
  ['wholeJson', { query: circular }, ['query']],
  ['wholeForm', { query: 'x' }, ['query']],
  ['wholeForm', { query: { a: 1, x: 2 } }, ['query/x']],
  ['wholeText', { query: '' }, ['query']],
  ['form', { body: { meta: { a: 'x' } } }, ['body/meta/a']],
  ['form', { body: { id: 1n, tags: [[]] } }, ['body/tags/0']],
  ['form', { body: { more: '\ud800' } }, ['body/more']],
  ['upload', { body: { file: Buffer.alloc(21) } }, ['body/file']],
  ['upload', { body: { file: new Blob(['x'.repeat(21)]) } }, ['body/file']],
  ['upload', { body: 'x' }, ['body']],
  ['upload', { body: { file: 'x', files: [new Blob([], { type: 'text/csv' })] } }, ['body/files']],
  ['upload', { body: { files: [] } }, ['body/file']],
  ['upload', { body: { file: { content: text, mediaType: 'text/plain\r\nX: y' } } }, ['body/file']],
  ['upload', { body: { file: { content: text, mediaType: 'text/plain\0' } } }, ['body/file']],
  ['upload', { body: { file: { content: text, filename: 'a\0' } } }, ['body/file']],
  ['json', { body: item, contentType: 'application/json;\r\nX: y' }, ['contentType']],
  ['json', { body: item, accept: 'text/plain\r\nX: y' }, ['headers/accept']],
  ['bytes', { body: Buffer.alloc(9) }, ['body']],
  ['bytes', { body: 7 }, ['body']],
  ['stream', { body: null }, ['body']],
  ['send_lines', { body: [{ id: 1n }, { id: 'x' }] }, ['body/1/id']],
  ['send_lines', { body: new Set([{ id: 1n }, { id: 'x' }]) }, ['body/1/id']],
  ['send_lines', { body: 7 }, ['body']],
  ['send_events', { body: [{ id: 'a\nb' }] }, ['body/0']]
]
t.test('what breaks the contract is not sent, and names its places', async (t) => {
  for (const [name, values, places] of refused) {
    seen = {}
    const error = await client[name]?.(values).then(
      () => undefined,
      (error: unknown) => error
    )
    t.ok(error instanceof RequestMismatch, name)
    t.match(error, { name: 'RequestMismatch', operation: name })
    t.strictSame((error as RequestMismatch).places.slice(0, places.length), places, name)
    t.equal(seen['body'], undefined)
  }
})

t.test('a segment of a path is neither empty nor a dot', async (t) => {
  const params = {
    simple: '',
    list: [],
    label: [],
    dots: {},
    matrix: [],
    spread: {},
    object: {},
    json: item,
    part: ''
  }
  for (const simple of ['', '.', '..'])
    await t.rejects(call('paths', { params: { ...params, simple } }), {
      message: 'paths was not sent: params/simple cannot be a path segment'
    })
})

t.test('the compiled code has the features that its operations need', async (t) => {
  const uploaded = await call('upload', { body: { file: new Blob(['x']), meta: item } }, compiledClient)
  t.strictSame(uploaded['body'], Object.assign(Object.create(null), { file: Buffer.from('x'), meta: item }))
  t.strictSame((await call('send_lines', { body: new Set([item]) }, compiledClient))['body'], [item])
  t.match(await call('form', { body: { id: large } }, compiledClient), { body: { id: large } })
  t.match(await call('wholeForm', { query: { a: 1 } }, compiledClient), { query: { a: 1 } })
  t.match(await call('any', { body: new Blob(['x'], { type: 'a/b' }) }, compiledClient), {
    body: Buffer.from('x')
  })
  await t.rejects(call('form', { body: { more: '\ud800' } }, compiledClient), { name: 'RequestMismatch' })
})

t.test('an error of an iterable is thrown as it is', async (t) => {
  async function* broken() {
    yield { id: 1n }
    throw new RangeError('mine')
  }
  async function* bytes() {
    yield Buffer.from('x')
    throw new RangeError('mine')
  }
  const mine = { name: 'RangeError', message: 'mine' }
  await t.rejects(call('send_lines', { body: broken() }), mine)
  await t.rejects(call('stream', { body: bytes() }), mine)
  await t.rejects(call('upload', { body: { file: bytes() } }), mine)
})

t.test('credentials go where their scheme says; the first alternative that is given is chosen', async (t) => {
  const sent = async (name: string, security: object) => {
    credentials.length = 0
    const own = createClient(contract, { baseUrl, security: security as never }) as unknown as Calls
    const answer = await own[`secure_${name}`]?.({ query: { page: 1 }, cookies: { seen: 'x' } })
    if (answer?.status !== 204) t.comment(name, answer?.body)
    return [answer?.status, ...credentials]
  }
  const all = { header: 'h', query: 'q&', cookie: 'c' }
  t.strictSame(await sent('bearer', { bearer: 'b' }), [204, 'b'])
  t.strictSame(await sent('basic', { basic: { username: 'ä', password: ':' } }), [
    204,
    { username: 'ä', password: ':' }
  ])
  t.strictSame(await sent('basic', { basic: 'a:b' }), [204, { username: 'a', password: 'b' }])
  const refused: readonly (readonly [credential: string | object, reason: string])[] = [
    [{ username: 'a:b', password: 'c' }, 'has a user name with a colon'],
    [{ username: 'a\n', password: 'c' }, 'has a control character'],
    [{ username: 'a', password: 'c\0' }, 'has a control character'],
    ['a:b\x7f', 'has a control character']
  ]
  for (const [basic, message] of refused)
    await t.rejects(sent('basic', { basic: () => basic }), {
      name: 'RequestMismatch',
      problems: [{ place: 'headers/authorization', message }]
    })
  t.strictSame(await sent('oauth', { oauth: async () => 'o' }), [204, 'o'])
  t.strictSame(await sent('keys', all), [204, 'h', 'q&', 'c'])
  t.strictSame(await sent('keys', { ...all, cookie: () => undefined }), [401])
  t.strictSame(await sent('keys', { header: 'h' }), [401])
  t.strictSame(await sent('optional', {}), [204])
  t.strictSame(await sent('optional', { header: 'h' }), [204, 'h'])
  t.match(await sent('digest', { digest: 'd' }), [204])
})

t.test('a refused credential is fetched again, once, where the body can be sent again', async (t) => {
  const asked: unknown[] = []
  const bearer = (context: unknown) => {
    asked.push(context)
    return undefined
  }
  const own = createClient(contract, { baseUrl, security: { bearer } as never }) as unknown as Calls
  t.equal((await own['secure_bearer']?.({ body: [1] }))?.status, 401)
  const context = { operation: 'secure_bearer', scopes: [] }
  t.strictSame(asked, [
    { ...context, rejected: false },
    { ...context, rejected: true }
  ])
  t.equal((await own['secure_bearer']?.({ body: new Set([1]) }))?.status, 401)
  t.equal(asked.length, 3)
})

t.test('a certificate belongs to the connection', async (t) => {
  const urls: string[] = []
  const own = createClient(contract, {
    baseUrl,
    security: { query: 'q', basic: 'a:b' } as never,
    fetch: (url, init) => {
      urls.push(url)
      return fetch(url, init)
    }
  }) as unknown as Calls
  await own['secure_either']?.()
  t.strictSame(urls, [`${baseUrl}secure/either?key=q`])
})

t.test('headers and Accept of the options and of the call are sent', async (t) => {
  const own = createClient(contract, { baseUrl, headers: { 'x-mine': '1' } }) as unknown as Calls
  await own['others']?.({ accept: 'text/csv' })
  t.match(seen['allHeaders'], { 'x-mine': '1', accept: 'text/csv' })
})

t.test('headers have no case: those of a call take precedence over those of the options', async (t) => {
  const headers = { Authorization: 'Bearer common', 'Content-Type': 'text/csv', ACCEPT: 'text/csv' }
  const own = createClient(contract, { baseUrl, headers, security: { bearer: 'own' } as never })
  await (own as unknown as Calls)['secure_bearer']?.({ body: [1], accept: 'text/plain' })
  t.match(seen['allHeaders'], {
    authorization: 'Bearer own',
    'content-type': 'application/jsonl',
    accept: 'text/plain'
  })
})

const unsendable: readonly (readonly [headers: Record<string, string>, token: string, place: string])[] = [
  [{ 'x-mine': 'a\r\nx: y' }, '', 'headers/x-mine'],
  [{ 'x-mine': 'a\0' }, '', 'headers/x-mine'],
  [{ 'x-mine': '\u2028' }, '', 'headers/x-mine'],
  [{ 'X\r\ny': 'a' }, '', 'headers/x\r\ny'],
  [{ 'x y': 'a' }, '', 'headers/x y'],
  [{ '': 'a' }, '', 'headers/'],
  [{}, 'a\r\nx: y', 'headers/authorization']
]
t.test('headers and credentials of the options that HTTP cannot carry are not sent', async (t) => {
  for (const [headers, bearer, place] of unsendable) {
    seen = {}
    const own = createClient(contract, { baseUrl, headers, security: { bearer } as never })
    const sent = async () => (own as unknown as Calls)['secure_bearer']?.({ body: [1] })
    await t.rejects(sent, { name: 'RequestMismatch', places: [place] }, place)
    t.strictSame(seen, {})
  }
})

t.test('single operations make a client, too; code of another format is refused', async (t) => {
  const { json, others } = await contract.client()
  const own = createClient({ json, renamed: others, $build: 'x' } as never, { baseUrl }) as unknown as Calls
  t.strictSame(Object.keys(own), ['json', 'renamed'])
  t.equal((await own['renamed']?.())?.status, 204)
  const message = /another version/
  t.throws(() => createClient({ ...contract, format: 'x' }), message)
  t.throws(() => createClient({ json: { ...Object(json), format: 'x' } as never }), message)
})

t.test(
  'the door needs nothing of Node; a client adds at most 14 KB to the code of its operations',
  async (t) => {
    const sizeOf = async (contents: string) => {
      const stdin = { contents, resolveDir: 'src/engine' }
      const options = {
        bundle: true,
        minify: true,
        write: false,
        format: 'esm',
        platform: 'browser'
      } as const
      const { outputFiles, warnings } = await build({
        ...options,
        stdin,
        target: 'es2024',
        logLevel: 'silent'
      })
      t.strictSame(warnings, [])
      return Number(outputFiles[0]?.contents.length)
    }
    t.ok((await sizeOf("export * from './client.ts'")) > 14_336, 'a build with everything')
    const size = await sizeOf("export { createClient } from './client.ts'")
    t.ok(size > 8_000 && size <= 14_336, `${size} bytes of at most 14,336`)
    await t.rejects(sizeOf("import 'node:stream'"), /Could not resolve/)
  }
)

t.test('operations and schemas may have any name that a promise or an object has', async (t) => {
  const names = [
    'catch',
    'finally',
    'constructor',
    'toString',
    'valueOf',
    '__proto__',
    'toJSON',
    'default',
    'name'
  ]
  for (const [index, name] of names.entries()) {
    const schema = ['then', ...names][index] ?? ''
    const content = { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } }
    const operation = {
      operationId: name,
      requestBody: { content },
      responses: { 200: { description: '', content } }
    }
    const schemas = JSON.parse(
      `{${JSON.stringify(schema)}: { "type": "object", "properties": { "n": { "type": "integer" } } }}`
    )
    const document = { paths: { '/a': { post: operation } }, components: { schemas } }
    const handlers: Record<string, () => object> = {}
    Object.defineProperty(handlers, name, {
      value: () => ({ status: 200, body: { n: 1 } }),
      enumerable: true
    })
    const { port } = await serve(t, document, { handlers })
    const contract = await compiled(t, document)
    const client = await (createClient(contract, {
      baseUrl: `http://127.0.0.1:${port}`
    }) as unknown as Promise<Calls>)
    t.match(await client[name]?.({ body: { n: 2 } }), { status: 200, body: { n: 1 } }, `${name} ${schema}`)
  }
})

t.test('a scheme whose name every object inherits is given by an own property only', async (t) => {
  const own = await compiled(t, {
    paths: {
      '/a': {
        get: {
          operationId: 'a',
          security: [{ constructor: [] }, {}],
          responses: { 204: { description: 'done' } }
        }
      }
    },
    components: { securitySchemes: { constructor: { type: 'apiKey', in: 'header', name: 'X-Key' } } }
  })
  const keys: unknown[] = []
  const { port } = await serve(t, own, {
    handlers: {
      a: (async ({ allHeaders }: Seen) => {
        keys.push(Object(allHeaders)['x-key'])
        return { status: 204 }
      }) as never
    },
    security: { constructor: () => true }
  })
  for (const security of [{}, { constructor: 'key' }]) {
    const calls = createClient(own, { baseUrl: `http://127.0.0.1:${port}`, security: security as never })
    await (calls as unknown as Calls)['a']?.()
  }
  t.strictSame(keys, [undefined, 'key'])
})
