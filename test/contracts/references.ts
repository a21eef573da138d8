import type { Exchange } from './exchange.ts'

const post = (body: object, want: number, message?: string): Exchange => ({
  send: 'POST /words',
  body,
  answer: { status: 200, body, headers: { 'x-count': 1 } },
  want,
  ...(message === undefined ? {} : { message })
})

export default [
  { send: 'GET /things/1', want: 204, seen: { params: { id: 1 } } },
  { send: 'GET /things/0', want: 400, message: 'params/id must be >= 1' },
  post({ local: 1, absolute: 'abc', 'a~b/c': true }, 200),
  post({ local: 'x' }, 400, 'body/local must be integer'),
  post({ absolute: 'abcd' }, 400, 'body/absolute must have at most 3 characters'),
  post({ aliased: 'abcd' }, 400, 'body/aliased must have at most 3 characters'),
  post({ 'a~b/c': 1 }, 400, 'must be boolean'),
  { send: 'POST /words', body: {}, answer: { status: 200, body: {} }, want: 500 },
  { send: 'POST /words', body: {}, answer: { status: 418, body: { a: 1 } }, want: 418, got: { a: 1 } }
] satisfies Exchange[]
