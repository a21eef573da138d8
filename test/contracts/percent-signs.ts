import type { Exchange } from './exchange.ts'

export default [
  {
    send: 'POST /things?5%25=7',
    body: { '1%': { '%': 1 }, '50%': { '1%': 'a' } },
    answer: { status: 200, body: { 'percent-sign%': '100%' } },
    want: 200,
    seen: { operation: 'add%', query: { '5%': 7n }, body: { '1%': { '%': 1n }, '50%': { '1%': 'a' } } },
    got: { 'percent-sign%': '100%' }
  },
  { send: 'POST /things', body: { '50%': {} }, want: 400, message: 'body/1% is required' }
] satisfies Exchange[]
