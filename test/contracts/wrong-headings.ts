import type { Exchange } from './exchange.ts'

const post = {
  send: 'POST /things/7?page=2',
  headers: { 'x-trace': 'a' },
  body: { name: 'a' },
  answer: { status: 200, headers: { 'X-Count': 1 }, body: { name: 'b' } }
} as const

export default [
  {
    ...post,
    want: 200,
    seen: { params: { id: 7 }, query: { page: 2 }, headers: { 'x-trace': 'a' }, body: { name: 'a' } },
    got: { name: 'b' },
    gotHeaders: { 'x-count': '1' }
  },
  { ...post, send: 'POST /things/0', want: 400, message: 'params/id must be' },
  { ...post, send: 'POST /things/7?page=x', want: 400, message: 'query/page must be integer' },
  { ...post, headers: {}, want: 400, message: 'headers/x-trace is required' },
  { ...post, body: {}, want: 400, message: 'body/name is required' },
  { ...post, answer: { ...post.answer, body: {} }, want: 500 },
  { ...post, answer: { ...post.answer, headers: {} }, want: 500 },
  { send: 'GET /item', want: 204, seen: { operation: 'readItem' } }
] satisfies Exchange[]
