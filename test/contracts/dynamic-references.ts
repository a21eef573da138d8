import type { Exchange } from './exchange.ts'

const post = (path: string, body: unknown, want: number, more: Partial<Exchange> = {}): Exchange => ({
  send: `POST ${path}`,
  body,
  want,
  ...more
})
const names = (body: object, want: number, more: Partial<Exchange> = {}): Exchange =>
  post('/names', body, want, {
    answer: { status: 200, body: { word: 'abc' }, headers: { 'x-word': 'abc' } },
    ...more
  })

export default [
  post('/numbers', { items: [1], next: { items: [2] } }, 200, {
    seen: { body: { items: [1n], next: { items: [2n] } } },
    answer: { status: 200, body: { items: [9007199254740993n] } }
  }),
  post('/numbers', { items: ['a'] }, 400, { message: 'body/items/0 must be integer' }),
  post('/numbers', { items: [], next: { items: [1.5] } }, 400, {
    message: 'body/next/items/0 must be integer'
  }),
  post('/numbers', { items: [] }, 500, { answer: { status: 200, body: { items: ['a'] } } }),
  post('/words', { items: ['abc'] }, 204),
  post('/words', { items: [1] }, 400, { message: 'body/items/0 must be string' }),
  post('/words', { items: [], next: { items: ['abcd'] } }, 400, {
    message: 'body/next/items/0 must have at most'
  }),
  post('/anything', { items: [1, 'abcd', null] }, 204, { seen: { body: { items: [1, 'abcd', null] } } }),
  post('/anything', { next: {} }, 400, { message: 'body/items is required' }),
  post('/words', { items: [], note: 5 }, 204),
  post('/words', { items: [], a: 1, b: 2, c: 3 }, 400, { message: 'body must have at most 3 properties' }),
  post('/plain', { a: 9, b: 8, c: 'x' }, 204),
  post('/plain', { d: { children: [{}] } }, 204),
  post('/plain', { d: { children: [1] } }, 400, { message: 'body/d/children/0 must be object' }),
  post('/plain', { a: 10 }, 400, { message: 'body/a must be <= 9' }),
  post('/plain', { b: 10 }, 400, { message: 'body/b must be <= 9' }),
  post('/plain', { b: 7 }, 400, { message: 'body/b must be a multiple of 2' }),
  post('/tree', { children: [{ data: 1 }] }, 204),
  post('/tree', { children: [{ daat: 1 }] }, 400, { message: 'body/children/0/daat is not allowed' }),
  names({ default: 'abc', 'x-word': 'abc', within: { word: 'abc' } }, 200, { got: { word: 'abc' } }),
  names({ default: 'abcd' }, 400, { message: 'body/default must have at most 3' }),
  names({ local: 'abcd' }, 400, { message: 'body/local must have at most 3' }),
  names({ 'x-word': 'abcd' }, 400, { message: 'body/x-word must have at most 3' }),
  names({ within: { word: 'abcd' } }, 400, { message: 'body/within/word must have at most 3' }),
  names({}, 500, { answer: { status: 200, body: { word: 'abcd' } } }),
  names({}, 500, { answer: { status: 200, body: {}, headers: { 'x-word': 'abcd' } } })
] satisfies Exchange[]
