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
  add({ wide: null, few: null }, 200),
  add({ few: 3 }, 400, 'body/few'),
  add({ strict: { a: 'x' } }, 200),
  add({ strict: {} }, 400, 'body/strict/a is required'),
  add({ loose: null }, 200),
  add({ undeclared: { a: 'x', b: null } }, 200),
  add({ undeclared: { a: 'x' } }, 400, 'body/undeclared/b is required'),
  add({ lists: [['a'], []] }, 200),
  add({ lists: ['a'] }, 400, 'body/lists/0 must be array'),
  back({ wide: null, few: 2n, loose: null }, { wide: null, few: 2, loose: null }),
  back({ undeclared: { a: 'x', b: [1] } }, { undeclared: { a: 'x', b: [1] } }),
  back({ lists: [['a']] }, { lists: [['a']] }),
  {
    send: 'POST /files',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nbytes\r\n--b--\r\n',
    want: 204
  },
  { send: 'GET /ping', answer: { status: 200, body: { state: 'up' } }, want: 200, got: { state: 'up' } }
] satisfies Exchange[]
