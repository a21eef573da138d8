import type { Exchange } from './exchange.ts'

const list = (answer: Exchange['answer'], want: number, more: Partial<Exchange> = {}): Exchange => ({
  send: 'GET /things',
  ...(answer === undefined ? {} : { answer }),
  want,
  ...more
})
const problem = { code: 'x', message: 'y' }

export default [
  list({ status: 200, body: ['a'], headers: { 'X-Total': 1 } }, 200, {
    got: ['a'],
    gotHeaders: { 'x-total': '1' }
  }),
  list({ status: 200, body: ['a'] }, 500, { message: 'response-mismatch' }),
  list(
    { status: 200, body: ['a'], headers: { 'x-total': 1, 'X-Point': { x: 1, y: 2 }, 'x-spread': { x: 1 } } },
    200,
    {
      gotHeaders: { 'x-point': 'x,1,y,2', 'x-spread': 'x=1' }
    }
  ),
  list({ status: 200, body: ['a'], headers: { 'x-total': 1, 'x-list': [1, 2] } }, 200, {
    gotHeaders: { 'x-list': '1, 2' }
  }),
  list({ status: 200, body: ['a'], headers: { 'x-total': 1, 'x-json': { id: 2n ** 60n, name: 'é' } } }, 200, {
    gotHeaders: { 'x-json': '{"id":1152921504606846976,"name":"\\u00e9"}' }
  }),
  list({ status: 200, body: ['a'], headers: { 'x-total': 1, 'x-text': 'abc' } }, 200, {
    gotHeaders: { 'x-text': 'abc' }
  }),
  list({ status: 200, body: ['a'], headers: { 'x-total': 1, 'x-free': [1] } }, 200, {
    gotHeaders: { 'x-free': '[1]' }
  }),
  list({ status: 200, body: ['a'], headers: { 'x-total': 1, 'x-text': 'abcd' } }, 500),
  list({ status: 200, body: ['a'], headers: { 'x-total': 1, 'x-json': { id: 'x' } } }, 500),
  list({ status: 200, body: ['a'], headers: { 'x-total': 1, 'x-point': { x: 'a' } } }, 500),
  list({ status: 200, body: ['a'], headers: { 'x-total': 1, 'x-point': { z: {} } } }, 500),
  list({ status: 200, body: ['a'], headers: { 'x-total': 1, 'x-other': {} } }, 500),
  list({ status: 200, body: ['a'], headers: { 'x-total': 'many' } }, 500),
  list({ status: 200, body: ['a'], headers: { 'x-total': 1, 'x-next': 'no uri' } }, 500),
  list({ status: 200, body: ['a'], headers: { 'x-total': 1, 'x-other': 'a\r\nb: c' } }, 500),
  list({ status: 200, body: [1], headers: { 'x-total': 1 } }, 500),
  list({ status: 200, headers: { 'x-total': 1 } }, 500),
  list({ status: 404, body: { ...problem, secret: 1 } }, 404, {
    got: problem,
    gotHeaders: { 'content-type': 'application/problem+json' }
  }),
  list({ status: 503, body: problem }, 503, { got: problem }),
  list({ status: 503, body: {} }, 500),
  list({ status: 99 }, 500),
  { send: 'GET /things?x=1', body: 'x', want: 400 },
  { send: 'DELETE /things', want: 204, got: '' },
  { send: 'DELETE /things', answer: { status: 304 }, want: 304 },
  { send: 'DELETE /things', answer: { status: 204, body: 'x' }, want: 500 },
  { send: 'DELETE /things', answer: { status: 200 }, want: 500 },
  { send: 'GET /nothing', want: 500, seen: { operation: 'nothing' } },
  {
    send: 'GET /measured',
    answer: { status: 200, headers: { 'X-Measure': 5 } },
    want: 200,
    gotHeaders: { 'x-measure': '5' }
  },
  { send: 'GET /measured', answer: { status: 200, headers: { 'X-Measure': '5' } }, want: 500 },
  { send: 'GET /measured', answer: { status: 200 }, want: 500 },
  { send: 'GET /switch', answer: { status: 101 }, want: 500, seen: { operation: 'switch' } },
  { send: 'PUT /things', want: 405, gotHeaders: { allow: 'DELETE, GET, HEAD' } },
  {
    send: 'HEAD /things',
    answer: { status: 200, body: ['a'], headers: { 'x-total': 1 } },
    want: 200,
    got: ''
  }
] satisfies Exchange[]
