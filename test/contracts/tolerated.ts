import type { Exchange } from './exchange.ts'

const post = (body: object, want: number, message?: string): Exchange => ({
  send: 'POST /words',
  body: { word: 'a', ...body },
  answer: { status: 200, body: { maybe: null } },
  want,
  ...(want === 200 ? { got: { maybe: null } } : {}),
  ...(message === undefined ? {} : { message })
})

export default [
  { send: 'GET /users/7', want: 204, seen: { operation: 'get_users_by_user__id', params: { 'user-id': 7 } } },
  { send: 'GET /users/x', want: 400, message: 'params/user-id must be integer' },
  post({ word: 'aB' }, 200),
  post({ word: 'a\n' }, 400, 'body/word must match pattern'),
  post({ word: 'a1' }, 400, 'body/word must match pattern'),
  { send: 'POST /words', body: {}, want: 400, message: 'body/word is required' },
  post({ loose: 'b' }, 200),
  post({ more: 2 }, 200),
  post({ more: 1 }, 400, 'body/more must be'),
  post({ maybe: null }, 200),
  post({ maybe: 1 }, 400),
  post({ strict: null }, 400, 'body/strict must be string'),
  post({ flag: 'a', other: 'a' }, 200),
  post({ none: 'a' }, 400, 'body/none must be one of its enum, which is empty'),
  post({ named: { X1: 1, q: 'not enforced' } }, 200),
  post({ named: { X1: 'a' } }, 400, 'body/named/X1 must be integer'),
  { send: 'PUT /yaml', headers: { 'content-type': 'application/yaml' }, body: 'a: 1', want: 415 },
  { send: 'PUT /yaml', headers: { 'content-type': 'application/json' }, body: {}, want: 415 },
  { send: 'PUT /yaml', want: 204, seen: { operation: 'put_yaml', body: undefined } },
  {
    send: 'POST /encoded',
    headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip' },
    body: 'a',
    want: 415
  },
  {
    send: 'POST /encoded',
    headers: { 'content-type': 'text/plain', 'content-encoding': 'identity' },
    body: 'a',
    want: 204
  },
  { send: 'GET /things/1%23share', want: 204, seen: { operation: 'share', params: { id: 1 } } },
  { send: 'GET /things/x%23share', want: 400, message: 'params/id must be integer' }
] satisfies Exchange[]
