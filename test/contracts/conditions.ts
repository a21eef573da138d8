import type { Exchange } from './exchange.ts'

const body = { title: 'Fantastic Mr Fox' }
const read = (want: number, headers: Record<string, string>, more: Partial<Exchange> = {}): Exchange => ({
  send: 'GET /books/1',
  headers,
  answer: { status: 200, body, headers: { ETag: '"1"' } },
  want,
  ...more
})
const write = {
  send: 'PUT /books/1',
  body: '{"title":"x"}',
  headers: { 'content-type': 'application/json', 'If-Match': '"1"' }
}

export default [
  read(200, {}, { got: body, gotHeaders: { etag: '"1"' } }),
  read(304, { 'If-None-Match': '"0", "1"' }, { got: '', gotHeaders: { etag: '"1"' } }),
  read(200, { 'If-None-Match': '"0"' }),
  read(412, { 'If-Match': '"0"' }, { message: 'precondition-failed' }),
  read(
    200,
    {},
    { answer: { status: 200, body }, gotHeaders: { etag: '"_EnARmXFFqrYnMEiR-xNtJZYm3Hi_JqlCNC78mJ3XsU"' } }
  ),
  { ...write, answer: { status: 204, headers: { ETag: '"2"' } }, want: 204, gotHeaders: { etag: '"2"' } },
  { ...write, answer: { status: 204 }, want: 500, message: 'response-mismatch' },
  { send: 'GET /covers', answer: { status: 200, body: [], headers: { 'X-Total': 0 } }, want: 200 },
  { send: 'GET /covers', answer: { status: 205 }, want: 500 },
  { send: 'GET /covers', answer: { status: 205, headers: { ETag: '"1"' } }, want: 205 },
  { send: 'PATCH /covers', answer: { status: 204 }, want: 204 }
] satisfies Exchange[]
