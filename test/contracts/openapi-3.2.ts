import type { Exchange } from './exchange.ts'

export default [
  {
    send: 'QUERY /search',
    body: { q: 1 },
    answer: { status: 200, body: [1] },
    want: 200,
    got: [1],
    seen: { operation: 'search' }
  },
  { send: 'QUERY /search', body: {}, want: 400, message: 'body/q is required' },
  {
    send: 'GET /search',
    headers: { cookie: 'session=a%20b' },
    want: 204,
    seen: { cookies: { session: 'a%20b' } }
  }
] satisfies Exchange[]
