import type { Exchange } from './exchange.ts'

export default [
  {
    send: 'GET /things?limit=1',
    answer: { status: 200, body: { 'x-id': 1, 'x-null': null, y: 1 } },
    want: 200,
    got: { 'x-id': 1, 'x-null': null }
  },
  { send: 'GET /things', answer: { status: 200, body: { 'x-id': 'a' } }, want: 500 },
  { send: 'GET /things?limit=x', want: 400, message: 'query/limit must be integer' }
] satisfies Exchange[]
