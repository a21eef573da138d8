import type { Exchange } from './exchange.ts'

const add = (body: unknown, want: number, message?: string): Exchange => ({
  send: 'POST /things',
  body,
  want,
  answer: { status: 200, body: {} },
  ...(message === undefined ? {} : { message })
})

const back = (body: unknown, got: unknown): Exchange => ({
  send: 'POST /things',
  body: {},
  answer: { status: 200, body },
  want: 200,
  got
})

export default [
  add({ open: null }, 200),
  add({ open: { a: 'x', b: 1 } }, 200),
  add({ strict: null }, 200),
  add({ strict: {} }, 400, 'body/strict/a is required'),
  add({ widened: { a: 'x', b: 1, c: 'any' } }, 200),
  add({ widened: { a: 'x', b: 1 } }, 400, 'body/widened/c is required'),
  add({ before: null }, 400, 'body/before must be string'),
  add({ listed: null }, 400, 'body/listed'),
  add({ pair: [] }, 200),
  add({ pair: ['a', 1, 2] }, 400, 'body/pair'),
  add({ pairs: [] }, 400, 'body/pairs'),
  add({ pairs: ['a', 1, 2] }, 200),
  add({ either: null }, 200),
  add({ either: { a: 'x' } }, 400, 'body/either/x is required'),
  back({ open: null, strict: null, either: null }, { open: null, strict: null, either: null }),
  back({ widened: { a: 'x', b: 1, c: [2] } }, { widened: { a: 'x', b: 1, c: [2] } }),
  back({ pair: ['a', 9007199254740993n] }, '{"pair":["a",9007199254740993]}')
] satisfies Exchange[]
