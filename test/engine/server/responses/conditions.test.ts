/** Conditional requests of GET and HEAD: tags that handlers give, tags of bodies, dates, 304 and 412 (RFC 9110, section 13). */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import t from 'tap'
import { headOf, type Json, request, serve } from '../../serve.ts'

const json = { 'application/json': { schema: { type: 'object', properties: { n: { type: 'integer' } } } } }
const text = { schema: { type: 'string' } }
const tagged = (more: Json = {}): Json => ({
  description: '',
  headers: { ETag: text, ...Object(more) },
  content: json
})
const get = (operationId: string, responses: Json): Json => ({ get: { operationId, responses } })
const both = { 304: { description: '' }, 412: { description: '' } }

const paths: Record<string, Json> = {
  '/one': get('one', { 200: tagged(), ...both }),
  '/required': get('required', {
    200: tagged({ ETag: { required: true, ...text } }),
    '3XX': { description: '' }
  }),
  '/plain': get('plain', { 200: tagged() }),
  '/untagged': get('untagged', { 200: { description: '', content: json }, ...both }),
  '/numbered': get('numbered', {
    200: tagged({ ETag: { schema: { type: 'string', pattern: '^"\\d+"$' } } }),
    202: { description: '' },
    404: { description: '', headers: { ETag: text } },
    304: { description: '', headers: { 'X-Count': { required: true, schema: { type: 'integer' } } } }
  }),
  '/bytes': get('bytes', {
    200: { description: '', headers: { ETag: text }, content: { 'application/octet-stream': {} } },
    204: { description: '', headers: { ETag: text } },
    ...both
  }),
  '/lines': get('lines', {
    200: {
      description: '',
      headers: { ETag: text },
      content: { 'application/jsonl': { schema: { type: 'object' } } }
    },
    ...both
  }),
  '/dated': get('dated', {
    200: { description: '', headers: { 'last-modified': text }, content: json },
    ...both
  }),
  '/tagged-dated': get('taggedDated', { 200: tagged({ 'Last-Modified': text }), ...both }),
  '/dated-plain': get('datedPlain', {
    200: { description: '', headers: { 'Last-Modified': text }, content: json }
  }),
  '/changed': { post: { operationId: 'changed', responses: { 200: tagged(), ...both } } }
}

let answer: () => unknown = () => undefined
const names = Object.keys(paths).map((path) =>
  path.slice(1).replace(/-(.)/, (_, letter) => letter.toUpperCase())
)
const { ask, log, port } = await serve(
  t,
  { paths },
  { handlers: Object.fromEntries(names.map((name) => [name, () => answer()])) }
)
const digest = (body: string) => `"${createHash('sha256').update(body).digest('base64url')}"`

async function ask200(path: string, headers: Record<string, string> = {}, response: object = {}) {
  answer = () => ({ status: 200, body: { n: 1 }, ...response })
  return ask(request(`GET ${path}`, undefined, headers))
}

t.test('a tag of the handler is compared with the conditions of the request', async (t) => {
  const rows: readonly (readonly [tag: string, headers: Record<string, string>, status: number])[] = [
    ['"7"', {}, 200],
    ['"7"', { 'If-None-Match': '"7"' }, 304],
    ['"7"', { 'If-None-Match': 'W/"7"' }, 304],
    ['W/"7"', { 'If-None-Match': '"7"' }, 304],
    ['"7"', { 'If-None-Match': '"1", W/"2","7"' }, 304],
    ['"a,b"', { 'If-None-Match': '"a,b"' }, 304],
    ['""', { 'If-None-Match': '""' }, 304],
    ['"7"', { 'If-None-Match': ' * ' }, 304],
    ['"7"', { 'If-None-Match': '"77"' }, 200],
    ['"7"', { 'If-None-Match': '7' }, 200],
    ['"7"', { 'If-None-Match': '"*"' }, 200],
    ['"7"', { 'If-Match': '"7"' }, 200],
    ['"7"', { 'If-Match': '"1", "7"' }, 200],
    ['"7"', { 'If-Match': '*' }, 200],
    ['"7"', { 'If-Match': '"8"' }, 412],
    ['"7"', { 'If-Match': 'none' }, 412],
    ['"7"', { 'If-Match': 'W/"7"' }, 412],
    ['W/"7"', { 'If-Match': 'W/"7"' }, 412],
    ['"7"', { 'If-Match': '"7"', 'If-None-Match': '"7"' }, 304],
    ['"7"', { 'If-Match': '"8"', 'If-None-Match': '"7"' }, 412]
  ]
  for (const [tag, headers, status] of rows) {
    const found = await ask200('/one', headers, { headers: { ETag: tag } })
    const label = `${tag} ${JSON.stringify(headers)}`
    t.equal(found.status, status, label)
    if (status !== 412) t.equal(found.headers.get('etag'), tag, label)
  }
})

const [before, then, after] = ['36', '37', '38'].map((second) => `Sun, 06 Nov 1994 08:49:${second} GMT`) as [
  string,
  string,
  string
]

t.test('a date of the handler is compared with the conditions of the request, after the tags', async (t) => {
  const since = (date: string) => ({ 'If-Modified-Since': date })
  const until = (date: string) => ({ 'If-Unmodified-Since': date })
  const rows: readonly (readonly [path: string, headers: Record<string, string>, status: number])[] = [
    ['/dated', {}, 200],
    ['/dated', since(before), 200],
    ['/dated', since(then), 304],
    ['/dated', since(after), 304],
    ['/dated', until(before), 412],
    ['/dated', until(then), 200],
    ['/dated', until(after), 200],
    ['/dated', { ...until(before), ...since(after) }, 412],
    ['/dated', { ...until(then), ...since(then) }, 304],
    ['/dated', { ...since(then), 'If-None-Match': '"7"' }, 200],
    ['/dated', { ...since(before), 'If-None-Match': '*' }, 304],
    ['/dated', { ...until(then), 'If-Match': '"7"' }, 412],
    ['/dated', { ...until(before), 'If-Match': '*' }, 200],
    ['/tagged-dated', { ...since(then), 'If-None-Match': '"8"' }, 200],
    ['/tagged-dated', { ...since(before), 'If-None-Match': '"7"' }, 304],
    ['/tagged-dated', { ...until(before), 'If-Match': '"7"' }, 200],
    ['/tagged-dated', { ...until(then), 'If-Match': '"8"' }, 412],
    ['/tagged-dated', { ...until(before), 'If-None-Match': '"7"' }, 412],
    ['/tagged-dated', { ...since(then), 'If-Match': '"7"' }, 304],
    ['/tagged-dated', since(then), 304],
    ['/dated-plain', { ...since(then), ...until(before) }, 200],
    ['/one', { ...since(then), ...until(before) }, 200]
  ]
  for (const [path, headers, status] of rows) {
    const response = path === '/tagged-dated' ? { ETag: '"7"' } : {}
    const found = await ask200(path, headers, { headers: { 'Last-Modified': then, ...response } })
    const label = `${path} ${JSON.stringify(headers)}`
    t.equal(found.status, status, label)
    if (status !== 412) t.equal(found.headers.get('last-modified'), then, label)
  }
  const head = await ask(request('HEAD /dated', undefined, since(then)))
  t.equal(head.status, 304)
})

t.test('a failed date is a failure in the shape of the contract', async (t) => {
  const { value } = await ask200(
    '/dated',
    { 'If-Unmodified-Since': before },
    { headers: { 'Last-Modified': then } }
  )
  t.same(value, { code: 'precondition-failed', message: 'the state has changed since If-Unmodified-Since' })
})

t.test('a date has one of three forms, and is ignored otherwise', async (t) => {
  const year = new Date().getUTCFullYear()
  const digits = (ahead: number) => String((year + ahead) % 100).padStart(2, '0')
  const rows: readonly (readonly [date: string, isUnmodified: boolean | undefined])[] = [
    ['Sun, 06 Nov 1994 08:49:37 GMT', true],
    ['Sunday, 06-Nov-94 08:49:37 GMT', true],
    ['Sunday, 06-Nov-94 08:49:36 GMT', false],
    ['Sun Nov  6 08:49:37 1994', true],
    ['Sun Nov  6 08:49:36 1994', false],
    ['Wed Nov 16 08:49:37 1994', true],
    [`Sunday, 06-Nov-${digits(50)} 08:49:37 GMT`, true],
    [`Sunday, 06-Nov-${digits(51)} 08:49:37 GMT`, false],
    ['Thu, 29 Feb 1996 00:00:00 GMT', true],
    ['Thu, 30 Feb 1996 00:00:00 GMT', undefined],
    ['Sun, 06 Nov 1996 24:00:00 GMT', undefined],
    ['Sun, 06 Nov 1996 08:49:60 GMT', undefined],
    ['Sun, 06 Nov 1996 8:49:037 GMT', undefined],
    ['Sun, 06 Nov 0096 08:49:37 GMT', undefined],
    ['Sun, 06 Nov 1996 08:49:37 UTC', undefined],
    ['Sun, 06 Nov 1996 08:49:37', undefined],
    ['Sun, 6 Nov 1996 08:49:37 GMT', undefined],
    ['1996-11-06T08:49:37Z', undefined],
    [`${after}, ${after}`, undefined],
    ['0', undefined],
    ['*', undefined]
  ]
  const dated = { headers: { 'Last-Modified': then } }
  for (const [date, isUnmodified] of rows) {
    const since = await ask200('/dated', { 'If-Modified-Since': date }, dated)
    t.equal(since.status, isUnmodified === true ? 304 : 200, date)
    const until = await ask200('/dated', { 'If-Unmodified-Since': date }, dated)
    t.equal(until.status, isUnmodified === false ? 412 : 200, date)
  }
  for (const own of ['1994-11-06', undefined])
    for (const name of ['If-Modified-Since', 'If-Unmodified-Since']) {
      const found = await ask200('/dated', { [name]: after }, { headers: { 'Last-Modified': own } })
      t.equal(found.status, 200, `${own} ${name}`)
    }
})

t.test('304 has the headers that guide a cache, and no body', async (t) => {
  const headers = {
    ETag: '"7"',
    'Cache-Control': 'max-age=60',
    Vary: 'Accept',
    'Content-Location': '/one/7',
    'Content-Language': 'en'
  }
  const found = await ask200('/one', { 'If-None-Match': '"7"' }, { headers })
  t.match(Object.fromEntries(found.headers), {
    etag: '"7"',
    'cache-control': 'max-age=60',
    vary: 'Accept',
    'content-location': '/one/7'
  })
  for (const name of ['content-language', 'content-type', 'content-length'])
    t.notOk(found.headers.has(name), name)
  t.equal(found.body, '')
})

t.test('412 is the failure precondition-failed, in the shape of the contract', async (t) => {
  const { value } = await ask200('/one', { 'If-Match': '"8"' })
  t.same(value, { code: 'precondition-failed', message: 'If-Match does not name the current state' })
})

t.test('a handler that gives no tag gets the digest of its body', async (t) => {
  const tag = digest('{"n":1}')
  for (const path of ['/one', '/required', '/plain']) {
    t.equal((await ask200(path)).headers.get('etag'), tag, path)
    const again = await ask200(path, { 'If-None-Match': tag })
    t.equal(again.status, path === '/plain' ? 200 : 304, path)
    t.equal(again.headers.get('etag'), tag, path)
  }
  t.equal((await ask200('/one', { 'If-None-Match': tag }, { body: { n: 2 } })).status, 200, 'another body')
  t.equal((await ask200('/one', { 'If-Match': tag })).status, 200)
  const bytes = await ask200('/bytes', {}, { body: Buffer.from([0, 255]) })
  t.equal(
    bytes.headers.get('etag'),
    `"${createHash('sha256')
      .update(Buffer.from([0, 255]))
      .digest('base64url')}"`
  )
})

t.test('HEAD has the tag and the conditions of GET', async (t) => {
  answer = () => ({ status: 200, body: { n: 1 } })
  t.match(await headOf(port, 'one'), new RegExp(`etag: ${digest('{"n":1}')}`))
  const { status } = await ask(request('HEAD /one', undefined, { 'If-None-Match': '*' }))
  t.equal(status, 304)
})

t.test('conditions are evaluated where the contract declares what they lead to', async (t) => {
  const all = { 'If-None-Match': '*', 'If-Match': '"x"' }
  t.equal((await ask200('/plain', all)).status, 200, 'neither 304 nor 412')
  t.equal((await ask200('/required', { 'If-Match': '"x"' })).status, 200, 'no 412')
  const untagged = await ask200('/untagged', all)
  t.equal(untagged.status, 200, 'no tag')
  t.notOk(untagged.headers.has('etag'))
  answer = () => ({ status: 200, body: { n: 1 } })
  const changed = await ask(request('POST /changed', undefined, { 'Content-Length': '0', ...all }))
  t.equal(changed.status, 200, 'the handler of another method decides before it changes anything')
  t.notOk(changed.headers.has('etag'))
})

t.test('only a success with a tag has conditions', async (t) => {
  const given = { 'If-None-Match': '*' }
  t.equal(
    (await ask200('/numbered', given, { status: 404, body: undefined, headers: { ETag: '"1"' } })).status,
    404
  )
  t.equal((await ask200('/numbered', given, { status: 202, body: undefined })).status, 202)
  const empty = await ask200('/bytes', given, { status: 204, body: undefined })
  t.equal(empty.status, 204)
  t.notOk(empty.headers.has('etag'))
})

t.test('a stream has the tag that its handler gives, and is released where 304 is sent', async (t) => {
  const stream = new Readable({ read: () => undefined })
  const found = await ask200('/bytes', { 'If-None-Match': '"7"' }, { body: stream, headers: { ETag: '"7"' } })
  t.equal(found.status, 304)
  t.ok(stream.destroyed)
  let isReturned = false
  const items = (function* () {
    try {
      yield {}
    } finally {
      isReturned = true
    }
  })()
  items.next()
  const lines = await ask200('/lines', { 'If-None-Match': '"7"' }, { body: items, headers: { ETag: '"7"' } })
  t.equal(lines.status, 304)
  t.ok(isReturned)
  answer = () => ({ status: 200, body: [{}] })
  const whole = await fetch(`http://127.0.0.1:${port}/lines`, { headers: { 'If-None-Match': '*' } })
  t.strictSame([whole.status, await whole.text()], [200, '{}\n'])
  t.notOk(whole.headers.has('etag'), 'no tag is made of a stream')
})

t.test('a tag that breaks the contract, or is none, is a 500 with its reason in the log', async (t) => {
  const rows: readonly (readonly [path: string, response: object, reason: string])[] = [
    ['/one', { headers: { ETag: '7' } }, 'header etag is no entity tag: its text stands in double quotes'],
    ['/numbered', {}, 'header etag: body must match pattern ^"\\d+"$'],
    ['/required', { body: undefined, status: 200 }, 'a body is declared'],
    ['/numbered', { headers: { ETag: '"1"' } }, 'header x-count is required']
  ]
  for (const [path, response, reason] of rows) {
    const { status } = await ask200(path, { 'If-None-Match': '*' }, response)
    t.equal(status, 500, reason)
    t.equal(log.at(-1)?.['msg'], `${path.slice(1)} answered 200: ${reason} (handlers/${path.slice(1)}.ts)`)
  }
  const { status } = await ask200(
    '/numbered',
    { 'If-None-Match': '"1"' },
    { headers: { ETag: '"1"', 'X-Count': 3 } }
  )
  t.equal(status, 304)
})

t.test('a required tag that no body can give is missing', async (t) => {
  answer = () => ({ status: 200 })
  t.match(await headOf(port, 'required'), /^HTTP\/1\.1 500 /)
  t.match(log.at(-1)?.['msg'], /header etag is required/)
})
