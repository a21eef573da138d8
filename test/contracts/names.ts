import type { Exchange } from './exchange.ts'

const auth = { authorization: 'Bearer good' }
const given = JSON.parse('{"constructor":1,"__proto__":2}') as object

export default [
  {
    send: 'POST /1/2?hasOwnProperty=3',
    headers: { ...auth, cookie: 'toString=4' },
    body: { toString: 1, hasOwnProperty: 5 },
    answer: { status: 200, body: { toString: 2, valueOf: { finally: 'x' }, toJSON: 'j' } },
    want: 200,
    seen: {
      operation: 'toString',
      params: given,
      query: { hasOwnProperty: 3 },
      cookies: { toString: 4 },
      body: { toString: 1, hasOwnProperty: 5n }
    },
    got: { toString: 2, valueOf: { finally: 'x' }, toJSON: 'j' }
  },
  { send: 'POST /1/2', headers: auth, body: {}, want: 400, message: 'body/toString is required' },
  { send: 'POST /1/x', headers: auth, want: 400, message: 'params/__proto__ must be integer' },
  { send: 'POST /1/2', headers: auth, body: { toString: 1 }, answer: { status: 200, body: {} }, want: 500 },
  { send: 'POST /1/2', want: 401 },
  {
    send: 'POST /1/2',
    headers: { constructor: 'good' },
    body: { toString: 1 },
    answer: { status: 200, body: { toString: 1 } },
    want: 200
  },
  { send: 'GET /a', want: 204, seen: { operation: '__proto__' } },
  { send: 'GET /b', want: 204, seen: { operation: 'constructor' } },
  { send: 'GET /c', want: 204, seen: { operation: 'hasOwnProperty' } },
  { send: 'GET /d', answer: { status: 200, body: { class: 'x' } }, want: 200, got: { class: 'x' } },
  { send: 'GET /e', answer: { status: 200, body: { x: 1, y: 2 } }, want: 200, got: { x: 1 } },
  { send: 'GET /f', answer: { status: 200, body: { x: 1, y: 2 } }, want: 200, got: { y: 2 } },
  { send: 'GET /g', want: 204 }
] satisfies Exchange[]
