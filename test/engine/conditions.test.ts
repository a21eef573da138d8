/** Conditions that handlers evaluate before they change anything (RFC 9110, section 13.2). */
import t from 'tap'
import {
  type Conditional,
  checkPreconditions,
  entityTag,
  isNotModified
} from '../../src/engine/conditions.ts'
import { FailureError } from '../../src/engine/errors.ts'
import { type Json, request, serve } from './serve.ts'

let current: string | undefined
let modified: Date | undefined
const done = { 204: { description: '' } }
const operation = (operationId: string, responses: Json): Json => ({ operationId, responses })
const { ask, log } = await serve(
  t,
  {
    paths: {
      '/thing': {
        get: operation('read', { ...done, 304: { description: '' } }),
        put: operation('write', { ...done, 412: { description: '' } }),
        patch: operation('change', { ...done, default: { description: '' } }),
        delete: operation('remove', done)
      }
    }
  },
  {
    handlers: {
      read: (given: Conditional) => ({ status: isNotModified(given, current, modified) ? 304 : 204 }),
      write: put,
      change: put,
      remove: put
    }
  }
)

function put(given: Conditional) {
  checkPreconditions(given, current, modified)
  return { status: 204 }
}

const send = (method: string, headers: Record<string, string>) =>
  ask(
    request(`${method} /thing`, undefined, { ...headers, ...(method !== 'GET' && { 'Content-Length': '0' }) })
  )

t.test('a method that changes something is refused where its condition does not hold', async (t) => {
  const rows: readonly (readonly [
    tag: string | undefined,
    headers: Record<string, string>,
    status: number
  ])[] = [
    ['"1"', {}, 204],
    ['"1"', { 'If-Match': '"1"' }, 204],
    ['"1"', { 'If-Match': '"0", "1"' }, 204],
    ['"2"', { 'If-Match': '"1"' }, 412],
    ['W/"1"', { 'If-Match': 'W/"1"' }, 412],
    ['"1"', { 'If-Match': '*' }, 204],
    [undefined, { 'If-Match': '*' }, 412],
    [undefined, { 'If-Match': '"1"' }, 412],
    [undefined, { 'If-None-Match': '*' }, 204],
    ['"1"', { 'If-None-Match': '*' }, 412],
    ['"1"', { 'If-None-Match': 'W/"1"' }, 412],
    ['"1"', { 'If-None-Match': '"2"' }, 204]
  ]
  for (const method of ['PUT', 'PATCH'])
    for (const [tag, headers, status] of rows) {
      current = tag
      const found = await send(method, headers)
      t.equal(found.status, status, `${method} ${tag} ${JSON.stringify(headers)}`)
    }
  current = '"1"'
  const { value } = await send('PUT', { 'If-None-Match': '*' })
  t.same(value, { code: 'precondition-failed', message: 'what If-None-Match excludes exists' })
})

t.test('the last change is compared by the second', async (t) => {
  const date = 'Sun, 06 Nov 1994 08:49:37 GMT'
  const rows: readonly (readonly [
    tag: string | undefined,
    change: string | undefined,
    headers: Record<string, string>,
    status: number
  ])[] = [
    [undefined, '37.999Z', { 'If-Unmodified-Since': date }, 204],
    [undefined, '38.000Z', { 'If-Unmodified-Since': date }, 412],
    [undefined, undefined, { 'If-Unmodified-Since': date }, 204],
    ['"1"', '38.000Z', { 'If-Unmodified-Since': date }, 412],
    ['"1"', '38.000Z', { 'If-Match': '"1"', 'If-Unmodified-Since': date }, 204],
    [undefined, '37.000Z', { 'If-Modified-Since': date }, 204],
    [undefined, '37.000Z', { 'If-Match': '*' }, 204],
    [undefined, '37.000Z', { 'If-Match': '"1"' }, 412],
    [undefined, '37.000Z', { 'If-None-Match': '*' }, 412]
  ]
  for (const [tag, change, headers, status] of rows) {
    current = tag
    modified = change === undefined ? undefined : new Date(`1994-11-06T08:49:${change}`)
    const found = await send('PUT', headers)
    t.equal(found.status, status, `${tag} ${change} ${JSON.stringify(headers)}`)
  }
  current = undefined
  modified = new Date('1994-11-06T08:49:37.999Z')
  t.equal((await send('GET', { 'If-Modified-Since': date })).status, 304)
  modified = new Date('1994-11-06T08:49:38Z')
  t.equal((await send('GET', { 'If-Modified-Since': date })).status, 204)
  modified = undefined
})

t.test('a handler of GET answers 304 itself', async (t) => {
  current = '"1"'
  t.equal((await send('GET', { 'If-None-Match': '"1"' })).status, 304)
  t.equal((await send('GET', { 'If-None-Match': '"2"' })).status, 204)
})

t.test('an operation that declares no 412 is a mistake of its handler, at the first request', async (t) => {
  current = '"1"'
  t.equal((await send('DELETE', {})).status, 500)
  t.equal(Object(log.at(-1)?.['err']).message, 'checkPreconditions: remove declares no response 412')
})

t.test('a text that is no entity tag is a mistake of the handler', async (t) => {
  current = '1'
  t.equal((await send('PUT', { 'If-Match': '*' })).status, 500)
  t.match(Object(log.at(-1)?.['err']).message, '"1" is no entity tag: its text stands in double quotes')
})

t.test('a test calls both without a server', async (t) => {
  const given = { method: 'PUT', allHeaders: { 'if-match': '"1"' } }
  t.doesNotThrow(() => checkPreconditions(given, '"1"'))
  t.throws(() => checkPreconditions(given, '"2"'), FailureError)
  t.notOk(isNotModified({ method: 'PUT', allHeaders: { 'if-none-match': '*' } }, '"1"'))
  const since = { 'if-modified-since': 'Sun, 06 Nov 1994 08:49:37 GMT' }
  t.ok(isNotModified({ method: 'HEAD', allHeaders: since }, undefined, new Date(0)))
  t.notOk(isNotModified({ method: 'PUT', allHeaders: since }, undefined, new Date(0)), 'not of PUT')
})

t.test('the tag of a text is the tag that the server makes of the same body', async (t) => {
  t.equal(entityTag('a'), entityTag(Buffer.from('a')))
  t.match(entityTag('a'), /^"[\w-]{43}"$/)
  t.not(entityTag('a'), entityTag('b'))
})
