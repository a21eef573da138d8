/**
 * Conditional requests (RFC 9110, section 13): forms of dates, streams, tags that are wrong, and the conditions that
 * handlers evaluate before they change anything. exchanges/conditions.yaml has the tags and dates of responses.
 */
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

const document = parse(`
paths:
  /dated:
    get:
      operationId: dated
      responses:
        200: &dated { description: '', headers: { last-modified: &text { schema: { type: string } } }, content: &json { application/json: {} } }
        304: &empty { description: '' }
        412: *empty
  /tagged:
    get:
      operationId: tagged
      responses:
        200: { description: '', headers: { ETag: { required: true, schema: { type: string, pattern: '^"?\\d+"?$' } } }, content: *json }
        304: { description: '', headers: { X-Count: { required: true, schema: { type: integer } } } }
  /bytes:
    get: { operationId: bytes, responses: { 200: { description: '', headers: { ETag: *text }, content: { application/octet-stream: {} } }, 304: *empty } }
  /lines:
    get:
      operationId: lines
      responses: { 200: { description: '', headers: { ETag: *text }, content: { application/jsonl: { schema: { type: object } } } }, 304: *empty }
  /thing:
    get: { operationId: look, responses: { 204: *empty, 304: *empty } }
    put: { operationId: put, responses: { 204: *empty, 412: *empty } }
    patch: { operationId: patch, responses: { 204: *empty, default: *empty } }
    delete: { operationId: remove, responses: { 204: *empty } }
`)

let answer: object = {}
/** State of `/thing`. */
let current: { readonly tag?: string | undefined; readonly modified?: Date | undefined } = {}
const given = () => ({ status: 200, body: { n: 1 }, ...answer })
const change = (request: Conditional) => {
  checkPreconditions(request, current.tag, current.modified)
  return { status: 204 }
}
const look = (request: Conditional) => ({
  status: isNotModified(request, current.tag, current.modified) ? 304 : 204
})
const { ask, log, port } = await serve(t, document, {
  handlers: {
    ...{ dated: given, tagged: given, bytes: given, lines: given },
    ...{ look, put: change, patch: change, remove: change }
  }
})

type Headers = Readonly<Record<string, string>>
const match = (tag: string) => ({ 'If-Match': tag })
const none = (tag: string) => ({ 'If-None-Match': tag })
const since = (date: string) => ({ 'If-Modified-Since': date })
const until = (date: string) => ({ 'If-Unmodified-Since': date })

async function get(path: string, headers: Headers, response: object) {
  answer = response
  return ask(request(`GET /${path}`, undefined, headers))
}

const then = 'Sun, 06 Nov 1994 08:49:37 GMT'

t.test('a date has one of three forms, and is ignored otherwise', async (t) => {
  const digits = (ahead: number) => String((new Date().getUTCFullYear() + ahead) % 100).padStart(2, '0')
  const later = [
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
    'Wed Nov 16 08:49:37 1994',
    `Sunday, 06-Nov-${digits(50)} 08:49:37 GMT`,
    'Thu, 29 Feb 1996 00:00:00 GMT'
  ]
  const earlier = ['Sun Nov  6 08:49:36 1994', `Sunday, 06-Nov-${digits(51)} 08:49:37 GMT`]
  const ignored = [
    'Thu, 30 Feb 1996 00:00:00 GMT',
    'Sun, 06 Nov 1996 24:00:00 GMT',
    'Sun, 06 Nov 1996 8:49:037 GMT',
    'Sun, 06 Nov 0096 08:49:37 GMT',
    'Sun, 06 Nov 1996 08:49:37 UTC',
    'Sun, 6 Nov 1996 08:49:37 GMT',
    '1996-11-06T08:49:37Z',
    `${then}, ${then}`
  ]
  const dated = { headers: { 'Last-Modified': then } }
  for (const [status, dates] of Object.entries({ 304: later, 412: earlier, 200: ignored }))
    for (const date of dates) {
      t.equal((await get('dated', since(date), dated)).status, status === '304' ? 304 : 200, date)
      t.equal((await get('dated', until(date), dated)).status, status === '412' ? 412 : 200, date)
    }
  for (const own of ['1994-11-06', undefined])
    for (const conditions of [since(then), until(then)])
      t.equal((await get('dated', conditions, { headers: { 'Last-Modified': own } })).status, 200)
})

t.test('a stream has the tag that its handler gives, and is released where 304 is sent', async (t) => {
  const stream = new Readable({ read: () => undefined })
  const tag = { headers: { ETag: '"7"' } }
  t.equal((await get('bytes', none('"7"'), { body: stream, ...tag })).status, 304)
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
  t.equal((await get('lines', none('"7"'), { body: items, ...tag })).status, 304)
  t.ok(isReturned)
  answer = { body: [{}] }
  const whole = await fetch(`http://127.0.0.1:${port}/lines`, { headers: none('*') })
  t.strictSame([whole.status, await whole.text()], [200, '{}\n'])
  t.notOk(whole.headers.has('etag'), 'no tag is made of a stream')
})

t.test('a tag that breaks the contract, or is none, is a 500 with its reason in the log', async (t) => {
  const rows: readonly (readonly [response: object, reason: string])[] = [
    [{ headers: { ETag: '7' } }, 'header etag is no entity tag: its text stands in double quotes'],
    [{}, 'header etag: body must match pattern ^"?\\d+"?$'],
    [{ body: undefined }, 'a body is declared'],
    [{ headers: { ETag: '"1"' } }, 'header x-count is required']
  ]
  for (const [response, reason] of rows) {
    t.equal((await get('tagged', none('*'), response)).status, 500, reason)
    t.equal(log.at(-1)?.['msg'], `tagged answered 200: ${reason} (handlers/tagged.ts)`)
  }
  t.equal((await get('tagged', none('"1"'), { headers: { ETag: '"1"', 'X-Count': 3 } })).status, 304)
  answer = { body: undefined }
  t.match(await headOf(port, 'tagged'), /^HTTP\/1\.1 500 /)
  t.match(log.at(-1)?.['msg'], /header etag is required/)
})

const send = (method: string, conditions: Headers) =>
  ask(
    request(`${method} /thing`, undefined, {
      ...conditions,
      ...(method !== 'GET' && { 'Content-Length': '0' })
    })
  )

t.test('a method that changes something is refused where its condition does not hold', async (t) => {
  const at = (fraction: string) => ({ modified: new Date(`1994-11-06T08:49:${fraction}Z`) })
  const rows: readonly (readonly [method: string, state: typeof current, Headers, status: number])[] = [
    ['PUT', { tag: '"1"' }, match('"1"'), 204],
    ['PUT', { tag: '"2"' }, match('"1"'), 412],
    ['PATCH', { tag: '"2"' }, match('"1"'), 412],
    ['PUT', { tag: '"1"' }, match('*'), 204],
    ['PUT', {}, match('*'), 412],
    ['PUT', {}, match('"1"'), 412],
    ['PUT', {}, none('*'), 204],
    ['PUT', { tag: '"1"' }, none('*'), 412],
    ['PUT', { tag: '"1"' }, none('"2"'), 204],
    ['PUT', at('37.999'), until(then), 204],
    ['PUT', at('38.000'), until(then), 412],
    ['PUT', {}, until(then), 204],
    ['PUT', { tag: '"1"', ...at('38.000') }, until(then), 412],
    ['PUT', at('37.000'), match('*'), 204],
    ['PUT', at('37.000'), match('"1"'), 412],
    ['GET', at('37.999'), since(then), 304],
    ['GET', at('38.000'), since(then), 204],
    ['GET', { tag: '"1"' }, none('"1"'), 304],
    ['GET', { tag: '"1"' }, none('"2"'), 204],
    ['PUT', at('37.000'), none('*'), 412]
  ]
  for (const [method, state, conditions, status] of rows) {
    current = state
    const label = `${method} ${JSON.stringify(state)} ${JSON.stringify(conditions)}`
    t.equal((await send(method, conditions)).status, status, label)
  }
  const { value } = await send('PUT', none('*'))
  t.same(value, { code: 'precondition-failed', message: 'what If-None-Match excludes exists' })
})

t.test('an operation without 412, and no entity tag, are mistakes of the handler', async (t) => {
  current = { tag: entityTag('{"n":1}') }
  t.equal(current.tag, entityTag(Buffer.from('{"n":1}')))
  t.equal((await send('DELETE', {})).status, 500)
  t.equal(Object(log.at(-1)?.['err']).message, 'checkPreconditions: remove declares no response 412')
  current = { tag: '1' }
  t.equal((await send('PUT', match('*'))).status, 500)
  t.match(Object(log.at(-1)?.['err']).message, '"1" is no entity tag: its text stands in double quotes')
})

t.test('a test calls both without a server', async (t) => {
  const ifMatch = { method: 'PUT', allHeaders: { 'if-match': '"1"' } }
  t.doesNotThrow(() => checkPreconditions(ifMatch, '"1"'))
  t.throws(() => checkPreconditions(ifMatch, '"2"'), FailureError)
  t.notOk(isNotModified({ method: 'PUT', allHeaders: { 'if-none-match': '*' } }, '"1"'))
  const allHeaders = { 'if-modified-since': then }
  t.ok(isNotModified({ method: 'HEAD', allHeaders }, undefined, new Date(0)))
  t.notOk(isNotModified({ method: 'PUT', allHeaders }, undefined, new Date(0)), 'not of PUT')
})
