/** Requests of a client, which a server of the same contract receives over real sockets; a wrong one is not sent. */
import { openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { build } from 'esbuild'
import t from 'tap'
import { type ClientOptions, createClient, RequestMismatch } from '../../../src/engine/client.ts'
import { named } from '../../contracts/drive.ts'
import { compiled, serve } from '../serve.ts'
import { type Calls, clientOf, compiledExchange, fromSource } from './exchange.ts'

t.setTimeout(900_000)

type Seen = Record<string, unknown>
const contract = await compiledExchange(t)
const large = 9007199254740993n
const item = { id: large, note: 'ä\n' }

let seen: Seen = {}
const taking = async (request: Seen) => {
  const { params, query, headers, cookies, mediaType, allHeaders, url, body } = request
  seen = { params, query, headers, cookies, mediaType, allHeaders, url, body: await received(body) }
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
  handlers: Object.fromEntries(contract.operations.map(({ operationId }) => [operationId, taking])),
  security: Object.fromEntries(Object.keys(contract.securitySchemes).map((name) => [name, remember]))
})
const baseUrl = `http://127.0.0.1:${port}/`
const client = clientOf(await fromSource(contract), { baseUrl })
const compiledClient = (options: ClientOptions) => clientOf(contract, { baseUrl, ...options })
/** @returns what the handler was given, without its prototypes */
const call = async (name: string, values?: object, own: Calls = client): Promise<Seen> => {
  seen = {}
  const answer = await own[name]?.(values)
  if (answer?.status !== 204)
    throw new Error(`${name} answers ${answer?.status}: ${JSON.stringify(answer?.body)}`)
  return {
    ...seen,
    ...structuredClone({ params: seen['params'], query: seen['query'], cookies: seen['cookies'] })
  }
}
const bodyOf = async (name: string, body: unknown, contentType?: string) => {
  const { body: given } = await call(name, { body, contentType })
  return Buffer.isBuffer(given) ? given : structuredClone(given)
}

t.test('parameters arrive as they were given, in every style', async (t) => {
  const object = { a: 1, b: '=' }
  const params = {
    ...{ simple: 'a/b ?ä', list: [1n, large], label: [1n, 2n], dots: { a: 1, b: 'x,y' }, matrix: [1n, 2n] },
    ...{ spread: { a: 1, b: ';' }, object, json: item, part: '..' }
  }
  t.strictSame((await call('paths', { params }))['params'], params)
  const query = {
    ...{ form: [1n, large], joined: [1n, 2n], spaces: [1n, 2n], pipes: [1n, 2n], piped: { a: 1, b: '&' } },
    ...{ deep: { x: { a: 1, b: '&' }, list: [1n] }, members: { m: '+', n: [1n] }, text: '/&#+ä', json: item },
    ...{ reserved: "/:?@;=$[]'()*!&#+ä", page: undefined }
  }
  const headers = { 'X-List': [1n, large], 'x-text': 'a b', 'x-object': { a: 1, b: 'x' } }
  const cookies = { plain: 'ä;', raw: 'a b' }
  const others = await call('others', { query, headers, cookies })
  t.strictSame(others['query'], { ...query, page: 1 })
  const { 'X-List': list, ...written } = headers
  t.strictSame(structuredClone(others['headers']), { 'x-list': list, ...written })
  t.strictSame(others['cookies'], cookies)
  t.match(others['url'], 'reserved=/:?@;=$[]%27()*!%26%23%2B%C3%A4&text=%2F%26%23%2B%C3%A4')
  t.match(others['url'], 'spaces=1%202&pipes=1%7C2&piped=a%7C1%7Cb%7C%26')
  t.strictSame((await call('wholeForm', { query: { a: 1, b: '&' } }))['query'], { a: 1, b: '&' })
  t.strictSame((await call('wholeJson', { query: item }))['query'], item)
  t.equal((await call('wholeText', { query: 'a b&' }))['query'], 'a b&')
  t.equal((await call('wholeText'))['query'], undefined)
})

const bytes = Buffer.from([0, 255])
const form = { id: large, tags: [1n, 2n], meta: { a: 1, b: '&' }, more: 'x y' }
const urlencoded = 'application/x-www-form-urlencoded'
const bodies: readonly (readonly [name: string, given: unknown, wanted: unknown, contentType?: string])[] = [
  ['json', item, item],
  ['json', 'ä', 'ä', 'text/plain'],
  ['maybe', undefined, undefined],
  ['form', form, form],
  ['form', { item, items: [item, item] }, { item, items: [item, item] }],
  ['bytes', bytes, bytes],
  ['bytes', new Uint8Array(bytes).buffer, bytes],
  ['bytes', 'text', Buffer.from('text')],
  ['bytes', new Blob(['x'], { type: 'a/b' }), Buffer.from('x')],
  ['stream', Readable.from([bytes, Buffer.from('x')]), '\0�x'],
  ['stream', new Blob(['web']).stream(), 'web'],
  ['any', { a: 1 }, { a: 1 }, 'application/json'],
  ['any', new Blob(['typed'], { type: 'text/csv' }), 'typed'],
  ['any', { a: '1' }, { a: '1' }, urlencoded]
]
t.test('bodies arrive as they were given', async (t) => {
  for (const [name, given, wanted, contentType] of bodies)
    t.strictSame(await bodyOf(name, given, contentType), wanted, name)
})

t.test('a form holds files: bytes, Blobs, files on disk and streams', async (t) => {
  const octets = 'application/octet-stream'
  const part = (value: unknown) => [String(value), Object(value).filename, Object(value).mediaType]
  const parts = async (body: object) => {
    const { file, files = [], ...others } = (await call('upload', { body }))['body'] as Seen
    return [part(file), (files as unknown[]).map(part), structuredClone(others)]
  }
  const disk = await openAsBlob(`${t.testdir({ 'a.txt': 'disk' })}/a.txt`, { type: 'image/png' })
  const fields = { id: large, meta: item, metas: [item, item], note: 'ä' }
  const files = [disk, new File(['x'], 'é".png')]
  t.strictSame(await parts({ file: Buffer.from('bytes'), files, ...fields, other: { a: 1 } }), [
    ['bytes', 'file', octets],
    [
      ['disk', 'file', 'image/png'],
      ['x', 'é%22.png', 'image/png']
    ],
    { ...fields, other: '{"a":1}' }
  ])
  const content = Readable.from([Buffer.from('stream')])
  const uploaded = { filename: 'b', mediaType: undefined, size: 3, stream: () => new Blob(['abc']).stream() }
  const single: readonly (readonly [file: unknown, wanted: readonly string[]])[] = [
    [{ content, filename: 'a.bin', mediaType: 'x/y' }, ['stream', 'a.bin', 'x/y']],
    [uploaded, ['abc', 'b', octets]],
    [{ content: new File(['c'], 'c.txt') }, ['c', 'c.txt', octets]],
    ['text', ['text', 'file', octets]]
  ]
  for (const [file, wanted] of single) t.strictSame(await parts({ file }), [wanted, [], {}])
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
    for (const body of [items, later(items), new Set(items)])
      t.strictSame(await bodyOf(`send_${name}`, body), wanted, name)
  }
})

const text = new Blob(['text'])
const circular: Record<string, unknown> = { id: 1n }
circular['self'] = circular
const refused: readonly (readonly [name: string, values: object | undefined, ...places: string[]])[] = [
  ['json', undefined, 'body'],
  ['json', { body: { id: 'x' } }, 'body/id'],
  ['json', { body: item, contentType: 'text/csv' }, 'contentType'],
  ['any', { body: {} }, 'contentType'],
  ['others', { query: { form: ['x', {}] } }, 'query/form/0', 'query/form/1'],
  ['others', { query: { text: '\ud800' } }, 'query/text'],
  ['others', { headers: { 'x-text': 'ä' } }, 'headers/x-text'],
  ['others', { cookies: { raw: 'a;b' } }, 'cookies/raw'],
  ['others', { query: { piped: { b: 'x|y' } } }, 'query/piped'],
  ['others', { query: { members: { m: 'a', o: { deep: {} } } } }, 'query/members'],
  ['paths', { params: {} }, 'params/simple'],
  ['wholeJson', { query: circular }, 'query'],
  ['wholeText', { query: '' }, 'query'],
  ['form', { body: { meta: { a: 'x' } } }, 'body/meta/a'],
  ['form', { body: { id: 1n, tags: [[]] } }, 'body/tags/0'],
  ['upload', { body: { file: new Blob(['x'.repeat(21)]) } }, 'body/file'],
  ['upload', { body: 'x' }, 'body'],
  ['upload', { body: { file: 'x', files: [new Blob([], { type: 'text/csv' })] } }, 'body/files'],
  ['upload', { body: { files: [] } }, 'body/file'],
  ['upload', { body: { file: { content: text, mediaType: 'text/plain\r\nX: y' } } }, 'body/file'],
  ['upload', { body: { file: { content: text, filename: 'a\0' } } }, 'body/file'],
  ['json', { body: item, contentType: 'application/json;\r\nX: y' }, 'contentType'],
  ['json', { body: item, accept: 'text/plain\r\nX: y' }, 'headers/accept'],
  ['bytes', { body: Buffer.alloc(9) }, 'body'],
  ['stream', { body: null }, 'body'],
  ['send_lines', { body: [{ id: 1n }, { id: 'x' }] }, 'body/1/id'],
  ['send_lines', { body: 7 }, 'body'],
  ['send_events', { body: [{ id: 'a\nb' }] }, 'body/0']
]
t.test('what breaks the contract is not sent, and names its places', async (t) => {
  for (const [name, values, ...places] of refused) {
    seen = {}
    const error = await client[name]?.(values).catch((error: unknown) => error)
    t.match(error, { name: 'RequestMismatch', operation: name }, name)
    t.ok(error instanceof RequestMismatch)
    t.strictSame((error as RequestMismatch).places.slice(0, places.length), places, name)
    t.equal(seen['body'], undefined)
  }
})

t.test('a segment of a path is neither empty nor a dot', async (t) => {
  const params = { list: [], label: [], dots: {}, matrix: [], spread: {}, object: {}, json: item, part: '' }
  const message = 'paths was not sent: params/simple cannot be a path segment'
  for (const simple of ['', '.', '..'])
    await t.rejects(call('paths', { params: { ...params, simple } }), { message })
})

t.test('an error of an iterable is thrown as it is', async (t) => {
  async function* broken(first: unknown) {
    yield first
    throw new RangeError('mine')
  }
  const mine = { name: 'RangeError', message: 'mine' }
  await t.rejects(call('send_lines', { body: broken({ id: 1n }) }), mine)
  await t.rejects(call('stream', { body: broken(bytes) }), mine)
  await t.rejects(call('upload', { body: { file: broken(bytes) } }), mine)
})

const keys = { header: 'h', query: 'q&', cookie: 'c' }
/** Security of an operation, what is given, and the status with what the server finds. */
const security: readonly (readonly [name: string, given: object, outcome: readonly unknown[]])[] = [
  ['bearer', { bearer: 'b' }, [204, 'b']],
  ['basic', { basic: { username: 'ä', password: ':' } }, [204, { username: 'ä', password: ':' }]],
  ['basic', { basic: 'a:b' }, [204, { username: 'a', password: 'b' }]],
  ['oauth', { oauth: async () => 'o' }, [204, 'o']],
  ['keys', keys, [204, 'h', 'q&', 'c']],
  ['keys', { ...keys, cookie: () => undefined }, [401]],
  ['keys', { header: 'h' }, [401]],
  ['optional', {}, [204]],
  ['optional', { header: 'h' }, [204, 'h']],
  // Every object inherits a member of this name.
  ['inherited', {}, [204]],
  ['inherited', { constructor: 'key' }, [204, 'key']]
]
t.test('credentials go where their scheme says; the first alternative that is given is chosen', async (t) => {
  for (const [name, given, outcome] of security) {
    credentials.length = 0
    const answer = compiledClient({ security: given as never })[`secure_${name}`]?.({
      query: { page: 1 },
      cookies: { seen: 'x' }
    })
    t.strictSame([(await answer)?.status, ...credentials], outcome, name)
  }
  const urls: string[] = []
  const watched: ClientOptions['fetch'] = (url, init) => {
    urls.push(url)
    return fetch(url, init)
  }
  await compiledClient({ security: { query: 'q', basic: 'a:b' }, fetch: watched })['secure_either']?.()
  t.strictSame(urls, [`${baseUrl}secure/either?key=q`], 'a certificate belongs to the connection')
  const wrong: readonly (readonly [credential: string | object, message: string])[] = [
    [{ username: 'a:b', password: 'c' }, 'has a user name with a colon'],
    [{ username: 'a\n', password: 'c' }, 'has a control character'],
    [{ username: 'a', password: 'c\0' }, 'has a control character']
  ]
  for (const [basic, message] of wrong) {
    const problems = [{ place: 'headers/authorization', message }]
    const own = compiledClient({ security: { basic: () => basic as string } })
    await t.rejects(call('secure_basic', {}, own), { name: 'RequestMismatch', problems })
  }
})

t.test('a refused credential is fetched again, once, where the body can be sent again', async (t) => {
  const asked: unknown[] = []
  const bearer = (context: unknown) => void asked.push(context)
  const own = compiledClient({ security: { bearer } })
  t.equal((await own['secure_bearer']?.({ body: [1] }))?.status, 401)
  const context = { operation: 'secure_bearer', scopes: [] }
  t.strictSame(asked, [
    { ...context, rejected: false },
    { ...context, rejected: true }
  ])
  t.equal((await own['secure_bearer']?.({ body: new Set([1]) }))?.status, 401)
  t.equal(asked.length, 3)
})

t.test('headers have no case: those of a call take precedence over those of the options', async (t) => {
  const headers = {
    Authorization: 'Bearer common',
    'Content-Type': 'text/csv',
    ACCEPT: 'text/csv',
    'x-mine': '1'
  }
  const own = compiledClient({ headers, security: { bearer: 'own' } })
  await call('secure_bearer', { body: [1], accept: 'text/plain' }, own)
  const sent = {
    authorization: 'Bearer own',
    'content-type': 'application/jsonl',
    accept: 'text/plain',
    'x-mine': '1'
  }
  t.match(seen['allHeaders'], sent)
})

const unsendable: readonly (readonly [headers: Record<string, string>, token: string, place: string])[] = [
  [{ 'x-mine': 'a\r\nx: y' }, '', 'headers/x-mine'],
  [{ 'x-mine': '\u2028' }, '', 'headers/x-mine'],
  [{ 'X\r\ny': 'a' }, '', 'headers/x\r\ny'],
  [{ '': 'a' }, '', 'headers/'],
  [{}, 'a\r\nx: y', 'headers/authorization']
]
t.test('headers and credentials of the options that HTTP cannot carry are not sent', async (t) => {
  for (const [headers, bearer, place] of unsendable) {
    const sent = call('secure_bearer', { body: [1] }, compiledClient({ headers, security: { bearer } }))
    await t.rejects(sent, { name: 'RequestMismatch', places: [place] }, place)
    t.strictSame(seen, {})
  }
})

t.test('single operations make a client, too; code of another format is refused', async (t) => {
  const { json, others } = await contract.client()
  const own = clientOf({ json, renamed: others, $build: 'x' }, { baseUrl })
  t.strictSame(Object.keys(own), ['json', 'renamed'])
  await call('renamed', {}, own)
  t.throws(() => createClient({ ...contract, format: 'x' }), /another version/)
  t.throws(() => clientOf({ json: { ...Object(json), format: 'x' } }), /another version/)
})

t.test('the door needs nothing of Node; a client adds at most 14 KB', async (t) => {
  const sizeOf = async (contents: string) => {
    const stdin = { contents, resolveDir: 'src/engine' }
    const browser = { format: 'esm', platform: 'browser', target: 'es2024' } as const
    const options = { ...browser, bundle: true, minify: true, write: false, logLevel: 'silent' } as const
    const { outputFiles, warnings } = await build({ ...options, stdin })
    t.strictSame(warnings, [])
    return Number(outputFiles[0]?.contents.length)
  }
  t.ok((await sizeOf("export * from './client.ts'")) > 14_336, 'a build with everything')
  const size = await sizeOf("export { createClient } from './client.ts'")
  t.ok(size > 8_000 && size <= 14_336, `${size} bytes of at most 14,336`)
  await t.rejects(sizeOf("import 'node:stream'"), /Could not resolve/)
})

t.test('operations and schemas may have any name that a promise or an object has', async (t) => {
  const names = 'then catch constructor toString __proto__ toJSON default name'.split(' ')
  // A client with an operation `then` would be a thenable.
  const operations = names.slice(1)
  const paths = operations.map((operationId, index) => {
    const content = { 'application/json': { schema: { $ref: `#/components/schemas/${names[index]}` } } }
    const responses = { 200: { description: '', content } }
    return [`/${index}`, { post: { operationId, requestBody: { content }, responses } }]
  })
  const schema = { type: 'object', properties: { n: { type: 'integer' } } }
  const own = await compiled(t, {
    paths: Object.fromEntries(paths),
    components: { schemas: named(names, () => schema) }
  })
  const handler = () => ({ status: 200, body: { n: 1 } })
  const { port } = await serve(t, own, { handlers: named(operations, () => handler) })
  const calls = await clientOf(own, { baseUrl: `http://127.0.0.1:${port}` })
  for (const name of operations)
    t.match(await calls[name]?.({ body: { n: 2 } }), { status: 200, body: { n: 1 } }, name)
})
