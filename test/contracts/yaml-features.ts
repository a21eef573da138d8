import type { Exchange } from './exchange.ts'

const thing = {
  created: '2024-01-01T00:00:00Z',
  revision: 1,
  low: -1,
  name: 'abc',
  nickname: 'abcdefghij',
  1: 1,
  true: true,
  null: 'x'
}
const put = (change: object, want: number, message?: string): Exchange => ({
  send: 'PUT /things/5',
  body: { ...thing, ...change },
  answer: { status: 204 },
  want,
  ...(message === undefined ? {} : { message })
})

export default [
  {
    send: 'GET /things/5',
    answer: { status: 200, body: { ...thing, revision: 9007199254740993n, low: -9007199254740993n } },
    want: 200,
    seen: { params: { id: 5n } }
  },
  { send: 'GET /things/5', answer: { status: 200, body: { revision: 9007199254740994n } }, want: 500 },
  { send: 'GET /things/5', answer: { status: 200, body: { low: -9007199254740994n } }, want: 500 },
  {
    send: 'GET /things/5',
    answer: { status: 404, body: { code: 'a', x: 1 } },
    want: 404,
    got: { code: 'a' }
  },
  { send: 'GET /things/9007199254740994', want: 400, message: 'params/id must be <= 9007199254740993' },
  put({}, 204),
  put({ name: 'abcdef' }, 400, 'body/name must have at most 5 characters'),
  put({ name: 'a:b' }, 400, 'body/name must match pattern'),
  put({ nickname: 'abcdefghijk' }, 400, 'body/nickname must have at most 10 characters'),
  put({ created: 'now' }, 400, 'body/created must be a valid date-time'),
  put({ 1: 'x' }, 400, 'body/1 must be integer'),
  put({ true: 1 }, 400, 'body/true must be boolean'),
  put({ null: 1 }, 400, 'body/null must be string'),
  ...['yes', 'no', 15, 31, '1_000', null].map((answer) => put({ answer }, 204)),
  put({ answer: true }, 400, 'body/answer must be one of'),
  { send: 'PUT /things/5', want: 400, message: 'a body is required' },
  { send: 'PUT /things/5', body: thing, answer: { status: 200, body: { 1: 'x' } }, want: 500 },
  { send: 'POST /things/5', body: {}, want: 400, message: 'body/name is required' },
  { send: 'POST /things/5', body: { name: 'a' }, answer: { status: 200, body: {} }, want: 200 },
  { send: 'DELETE /copies/9007199254740993', want: 204, seen: { params: { id: 9007199254740993n } } },
  { send: 'DELETE /copies/1', answer: { status: 409, body: { code: 'a' } }, want: 409 },
  { send: 'DELETE /copies/x', want: 400, message: 'params/id must be integer' }
] satisfies Exchange[]
