/**
 * Conditional requests (RFC 9110, section 13): tags and dates that handlers give, tags of bodies, 304 and 412; and the
 * conditions that handlers evaluate before they change anything.
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import t from 'tap'
import { parse } from 'yaml'
import {
  type Conditional,
  checkPreconditions,
  entityTag,
  isNotModified
} from '../../../../src/engine/conditions.ts'
import { FailureError } from '../../../../src/engine/errors.ts'
import { headOf, request, serve } from '../../serve.ts'

t.setTimeout(900_000)

const tagged = '{ <<: *dated, headers: { ETag: *text } }'
const both = '304: *empty, 412: *empty'
const document = parse(
  `
paths:
  /dated:
    get:
      operationId: dated
      responses:
        200: &dated
          description: ''
          headers: { last-modified: &text { schema: { type: string } } }
          content: &json { application/json: { schema: { type: object, properties: { n: { type: integer } } } } }
        304: &empty { description: '' }
        412: *empty
  /datedPlain: { get: { operationId: datedPlain, responses: { 200: *dated } } }
  /one: { get: { operationId: one, responses: { 200: ${tagged}, ${both} } } }
  /plain: { get: { operationId: plain, responses: { 200: ${tagged} } } }
  /changed: { post: { operationId: changed, responses: { 200: ${tagged}, ${both} } } }
  /untagged: { get: { operationId: untagged, responses: { 200: { description: '', content: *json }, ${both} } } }
  /taggedDated:
    get:
      operationId: taggedDated
      responses: { 200: { <<: *dated, headers: { ETag: *text, Last-Modified: *text } }, ${both} }
  /required:
    get:
      operationId: required
      responses: { 200: { <<: *dated, headers: { ETag: { required: true, schema: { type: string } } } }, 3XX: *empty }
  /numbered:
    get:
      operationId: numbered
      responses:
        200: { <<: *dated, headers: { ETag: { schema: { type: string, pattern: '^"\\d+"$' } } } }
        202: *empty
        404: { description: '', headers: { ETag: *text } }
        304: { description: '', headers: { X-Count: { required: true, schema: { type: integer } } } }
  /bytes:
    get:
      operationId: bytes
      responses:
        200: { description: '', headers: { ETag: *text }, content: { application/octet-stream: {} } }
        204: { description: '', headers: { ETag: *text } }
        304: *empty
  /lines:
    get:
      operationId: lines
      responses: { 200: { description: '', headers: { ETag: *text }, content: { application/jsonl: { schema: { type: object } } } }, ${both} }
  /thing:
    get: { operationId: look, responses: { 204: *empty, 304: *empty } }
    put: { operationId: put, responses: { 204: *empty, 412: *empty } }
    patch: { operationId: patch, responses: { 204: *empty, default: *empty } }
    delete: { operationId: remove, responses: { 204: *empty } }
`,
  { merge: true }
)

let answer: () => unknown = () => undefined
/** State of `/thing`. */
let current: { readonly tag?: string | undefined; readonly modified?: Date | undefined } = {}
const change = (given: Conditional) => {
  checkPreconditions(given, current.tag, current.modified)
  return { status: 204 }
}
const names = Object.keys(document.paths).flatMap((path) => (path === '/thing' ? [] : path.slice(1)))
const { ask, log, port } = await serve(t, document, {
  handlers: {
    ...Object.fromEntries(names.map((name) => [name, () => answer()])),
    look: (given: Conditional) => ({
      status: isNotModified(given, current.tag, current.modified) ? 304 : 204
    }),
    put: change,
    patch: change,
    remove: change
  }
})

/** Conditions of a request: `If-Match`, `If-None-Match`, `If-Modified-Since`, `If-Unmodified-Since`. */
interface Conditions {
  readonly match?: string
  readonly none?: string
  readonly since?: string
  readonly until?: string
}
const headersOf = ({ match, none, since, until }: Conditions): Record<string, string> => ({
  ...(match !== undefined && { 'If-Match': match }),
  ...(none !== undefined && { 'If-None-Match': none }),
  ...(since !== undefined && { 'If-Modified-Since': since }),
  ...(until !== undefined && { 'If-Unmodified-Since': until })
})

async function ask200(path: string, conditions: Conditions = {}, response: object = {}) {
  answer = () => ({ status: 200, body: { n: 1 }, ...response })
  return ask(request(`GET /${path}`, undefined, headersOf(conditions)))
}

t.test('a tag of the handler is compared with the conditions of the request', async (t) => {
  const rows: readonly (readonly [tag: string, conditions: Conditions, status: number])[] = [
    ['"7"', {}, 200],
    ['"7"', { none: '"7"' }, 304],
    ['"7"', { none: 'W/"7"' }, 304],
    ['W/"7"', { none: '"7"' }, 304],
    ['"7"', { none: '"1", W/"2","7"' }, 304],
    ['"a,b"', { none: '"a,b"' }, 304],
    ['""', { none: '""' }, 304],
    ['"7"', { none: ' * ' }, 304],
    ['"7"', { none: '"77"' }, 200],
    ['"7"', { none: '7' }, 200],
    ['"7"', { none: '"*"' }, 200],
    ['"7"', { match: '"7"' }, 200],
    ['"7"', { match: '"1", "7"' }, 200],
    ['"7"', { match: '*' }, 200],
    ['"7"', { match: '"8"' }, 412],
    ['"7"', { match: 'none' }, 412],
    ['"7"', { match: 'W/"7"' }, 412],
    ['W/"7"', { match: 'W/"7"' }, 412],
    ['"7"', { match: '"7"', none: '"7"' }, 304],
    ['"7"', { match: '"8"', none: '"7"' }, 412]
  ]
  for (const [tag, conditions, status] of rows) {
    const found = await ask200('one', conditions, { headers: { ETag: tag } })
    const label = `${tag} ${JSON.stringify(conditions)}`
    t.equal(found.status, status, label)
    if (status !== 412) t.equal(found.headers.get('etag'), tag, label)
  }
  const { value } = await ask200('one', { match: '"8"' })
  t.same(value, { code: 'precondition-failed', message: 'If-Match does not name the current state' })
})

const dateAt = (second: number) => `Sun, 06 Nov 1994 08:49:${second} GMT`
const [before, then, after] = [dateAt(36), dateAt(37), dateAt(38)]

t.test('a date of the handler is compared with the conditions of the request, after the tags', async (t) => {
  const rows: readonly (readonly [path: string, conditions: Conditions, status: number])[] = [
    ['dated', {}, 200],
    ['dated', { since: before }, 200],
    ['dated', { since: then }, 304],
    ['dated', { since: after }, 304],
    ['dated', { until: before }, 412],
    ['dated', { until: then }, 200],
    ['dated', { until: after }, 200],
    ['dated', { until: before, since: after }, 412],
    ['dated', { until: then, since: then }, 304],
    ['dated', { since: then, none: '"7"' }, 200],
    ['dated', { since: before, none: '*' }, 304],
    ['dated', { until: then, match: '"7"' }, 412],
    ['dated', { until: before, match: '*' }, 200],
    ['taggedDated', { since: then, none: '"8"' }, 200],
    ['taggedDated', { since: before, none: '"7"' }, 304],
    ['taggedDated', { until: before, match: '"7"' }, 200],
    ['taggedDated', { until: then, match: '"8"' }, 412],
    ['taggedDated', { until: before, none: '"7"' }, 412],
    ['taggedDated', { since: then, match: '"7"' }, 304],
    ['taggedDated', { since: then }, 304],
    ['datedPlain', { since: then, until: before }, 200],
    ['one', { since: then, until: before }, 200]
  ]
  for (const [path, conditions, status] of rows) {
    const tag = path === 'taggedDated' ? { ETag: '"7"' } : {}
    const found = await ask200(path, conditions, { headers: { 'Last-Modified': then, ...tag } })
    const label = `${path} ${JSON.stringify(conditions)}`
    t.equal(found.status, status, label)
    if (status !== 412) t.equal(found.headers.get('last-modified'), then, label)
  }
  const dated = { headers: { 'Last-Modified': then } }
  const { value } = await ask200('dated', { until: before }, dated)
  t.same(value, { code: 'precondition-failed', message: 'the state has changed since If-Unmodified-Since' })
  t.equal((await ask(request('HEAD /dated', undefined, headersOf({ since: then })))).status, 304)
})

t.test('a date has one of three forms, and is ignored otherwise', async (t) => {
  const digits = (ahead: number) => String((new Date().getUTCFullYear() + ahead) % 100).padStart(2, '0')
  const later = [
    then,
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
    'Wed Nov 16 08:49:37 1994',
    `Sunday, 06-Nov-${digits(50)} 08:49:37 GMT`,
    'Thu, 29 Feb 1996 00:00:00 GMT'
  ]
  const earlier = [
    'Sunday, 06-Nov-94 08:49:36 GMT',
    'Sun Nov  6 08:49:36 1994',
    `Sunday, 06-Nov-${digits(51)} 08:49:37 GMT`
  ]
  const ignored = [
    'Thu, 30 Feb 1996 00:00:00 GMT',
    'Sun, 06 Nov 1996 24:00:00 GMT',
    'Sun, 06 Nov 1996 08:49:60 GMT',
    'Sun, 06 Nov 1996 8:49:037 GMT',
    'Sun, 06 Nov 0096 08:49:37 GMT',
    'Sun, 06 Nov 1996 08:49:37 UTC',
    'Sun, 06 Nov 1996 08:49:37',
    'Sun, 6 Nov 1996 08:49:37 GMT',
    '1996-11-06T08:49:37Z',
    `${after}, ${after}`,
    '0',
    '*'
  ]
  const statuses = { 304: later, 412: earlier, 200: ignored }
  for (const [status, dates] of Object.entries(statuses))
    for (const date of dates) {
      const dated = { headers: { 'Last-Modified': then } }
      t.equal((await ask200('dated', { since: date }, dated)).status, status === '304' ? 304 : 200, date)
      t.equal((await ask200('dated', { until: date }, dated)).status, status === '412' ? 412 : 200, date)
    }
  for (const own of ['1994-11-06', undefined])
    for (const conditions of [{ since: after }, { until: after }])
      t.equal((await ask200('dated', conditions, { headers: { 'Last-Modified': own } })).status, 200)
})

t.test('304 has the headers that guide a cache, and no body', async (t) => {
  const kept = { etag: '"7"', 'cache-control': 'max-age=60', vary: 'Accept', 'content-location': '/one/7' }
  const found = await ask200('one', { none: '"7"' }, { headers: { ...kept, 'Content-Language': 'en' } })
  t.match(Object.fromEntries(found.headers), kept)
  for (const name of ['content-language', 'content-type', 'content-length'])
    t.notOk(found.headers.has(name), name)
  t.equal(found.body, '')
})

t.test('a handler that gives no tag gets the digest of its body', async (t) => {
  const digest = (body: string | Buffer) => `"${createHash('sha256').update(body).digest('base64url')}"`
  const tag = digest('{"n":1}')
  t.same(
    [entityTag('{"n":1}'), entityTag(Buffer.from('{"n":1}'))],
    [tag, tag],
    'which a handler can make, too'
  )
  for (const path of ['one', 'required', 'plain']) {
    t.equal((await ask200(path)).headers.get('etag'), tag, path)
    const again = await ask200(path, { none: tag })
    t.equal(again.status, path === 'plain' ? 200 : 304, path)
    t.equal(again.headers.get('etag'), tag, path)
  }
  t.equal((await ask200('one', { none: tag }, { body: { n: 2 } })).status, 200, 'another body')
  t.equal((await ask200('one', { match: tag })).status, 200)
  const sent = Buffer.from([0, 255])
  t.equal((await ask200('bytes', {}, { body: sent })).headers.get('etag'), digest(sent))
  answer = () => ({ status: 200, body: { n: 1 } })
  t.match(await headOf(port, 'one'), new RegExp(`etag: ${tag}`), 'HEAD has the tag of GET')
  t.equal((await ask(request('HEAD /one', undefined, headersOf({ none: '*' })))).status, 304)
})

t.test('conditions are evaluated where the contract declares what they lead to', async (t) => {
  const all = { none: '*', match: '"x"' }
  t.equal((await ask200('plain', all)).status, 200, 'neither 304 nor 412')
  t.equal((await ask200('required', { match: '"x"' })).status, 200, 'no 412')
  const untagged = await ask200('untagged', all)
  const changed = await ask(request('POST /changed', undefined, { 'Content-Length': '0', ...headersOf(all) }))
  for (const { status, headers } of [untagged, changed])
    t.same([status, headers.has('etag')], [200, false], 'no tag, or another method, whose handler decides')
  const given = { none: '*' }
  const unknown = { status: 404, body: undefined, headers: { ETag: '"1"' } }
  t.equal((await ask200('numbered', given, unknown)).status, 404, 'no success')
  t.equal((await ask200('numbered', given, { status: 202, body: undefined })).status, 202, 'no tag')
  const { status, headers } = await ask200('bytes', given, { status: 204, body: undefined })
  t.same([status, headers.has('etag')], [204, false], 'no body')
})

t.test('a stream has the tag that its handler gives, and is released where 304 is sent', async (t) => {
  const stream = new Readable({ read: () => undefined })
  const tag = { headers: { ETag: '"7"' } }
  t.equal((await ask200('bytes', { none: '"7"' }, { body: stream, ...tag })).status, 304)
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
  t.equal((await ask200('lines', { none: '"7"' }, { body: items, ...tag })).status, 304)
  t.ok(isReturned)
  answer = () => ({ status: 200, body: [{}] })
  const whole = await fetch(`http://127.0.0.1:${port}/lines`, { headers: { 'If-None-Match': '*' } })
  t.strictSame([whole.status, await whole.text()], [200, '{}\n'])
  t.notOk(whole.headers.has('etag'), 'no tag is made of a stream')
})

t.test('a tag that breaks the contract, or is none, is a 500 with its reason in the log', async (t) => {
  const rows: readonly (readonly [path: string, response: object, reason: string])[] = [
    ['one', { headers: { ETag: '7' } }, 'header etag is no entity tag: its text stands in double quotes'],
    ['numbered', {}, 'header etag: body must match pattern ^"\\d+"$'],
    ['required', { body: undefined, status: 200 }, 'a body is declared'],
    ['numbered', { headers: { ETag: '"1"' } }, 'header x-count is required']
  ]
  for (const [path, response, reason] of rows) {
    t.equal((await ask200(path, { none: '*' }, response)).status, 500, reason)
    t.equal(log.at(-1)?.['msg'], `${path} answered 200: ${reason} (handlers/${path}.ts)`)
  }
  const counted = { headers: { ETag: '"1"', 'X-Count': 3 } }
  t.equal((await ask200('numbered', { none: '"1"' }, counted)).status, 304)
  answer = () => ({ status: 200 })
  t.match(await headOf(port, 'required'), /^HTTP\/1\.1 500 /)
  t.match(log.at(-1)?.['msg'], /header etag is required/)
})

const send = (method: string, conditions: Conditions) => {
  const length = method === 'GET' ? {} : { 'Content-Length': '0' }
  return ask(request(`${method} /thing`, undefined, { ...headersOf(conditions), ...length }))
}

t.test('a method that changes something is refused where its condition does not hold', async (t) => {
  const at = (fraction: string) => ({ modified: new Date(`1994-11-06T08:49:${fraction}Z`) })
  const rows: readonly (readonly [state: typeof current, conditions: Conditions, status: number])[] = [
    [{ tag: '"1"' }, { match: '"1"' }, 204],
    [{ tag: '"2"' }, { match: '"1"' }, 412],
    [{ tag: '"1"' }, { match: '*' }, 204],
    [{}, { match: '*' }, 412],
    [{}, { match: '"1"' }, 412],
    [{}, { none: '*' }, 204],
    [{ tag: '"1"' }, { none: '*' }, 412],
    [{ tag: '"1"' }, { none: '"2"' }, 204],
    [at('37.999'), { until: then }, 204],
    [at('38.000'), { until: then }, 412],
    [{}, { until: then }, 204],
    [{ tag: '"1"', ...at('38.000') }, { until: then }, 412],
    [at('37.000'), { match: '*' }, 204],
    [at('37.000'), { match: '"1"' }, 412],
    [at('37.000'), { none: '*' }, 412]
  ]
  for (const method of ['PUT', 'PATCH'])
    for (const [state, conditions, status] of rows) {
      current = state
      const found = await send(method, conditions)
      t.equal(found.status, status, `${method} ${JSON.stringify(state)} ${JSON.stringify(conditions)}`)
    }
  const { value } = await send('PUT', { none: '*' })
  t.same(value, { code: 'precondition-failed', message: 'what If-None-Match excludes exists' })
  const reads: readonly (readonly [state: typeof current, conditions: Conditions, status: number])[] = [
    [at('37.999'), { since: then }, 304],
    [at('38.000'), { since: then }, 204],
    [{ tag: '"1"' }, { none: '"1"' }, 304],
    [{ tag: '"1"' }, { none: '"2"' }, 204]
  ]
  for (const [state, conditions, status] of reads) {
    current = state
    t.equal((await send('GET', conditions)).status, status, 'a handler of GET answers 304 itself')
  }
})

t.test('an operation without 412, and no entity tag, are mistakes of the handler', async (t) => {
  current = { tag: '"1"' }
  t.equal((await send('DELETE', {})).status, 500)
  t.equal(Object(log.at(-1)?.['err']).message, 'checkPreconditions: remove declares no response 412')
  current = { tag: '1' }
  t.equal((await send('PUT', { match: '*' })).status, 500)
  t.match(Object(log.at(-1)?.['err']).message, '"1" is no entity tag: its text stands in double quotes')
})

t.test('a test calls both without a server', async (t) => {
  const given = { method: 'PUT', allHeaders: { 'if-match': '"1"' } }
  t.doesNotThrow(() => checkPreconditions(given, '"1"'))
  t.throws(() => checkPreconditions(given, '"2"'), FailureError)
  t.notOk(isNotModified({ method: 'PUT', allHeaders: { 'if-none-match': '*' } }, '"1"'))
  const since = { 'if-modified-since': then }
  t.ok(isNotModified({ method: 'HEAD', allHeaders: since }, undefined, new Date(0)))
  t.notOk(isNotModified({ method: 'PUT', allHeaders: since }, undefined, new Date(0)), 'not of PUT')
})
