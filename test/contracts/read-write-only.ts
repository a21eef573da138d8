import type { Exchange } from './exchange.ts'

const created = '2026-01-02T03:04:05Z'

export default [
  {
    send: 'POST /users',
    body: { name: 'a', password: 'abc' },
    answer: { status: 201, body: { id: 1, name: 'a', created } },
    want: 201,
    got: { id: 1, name: 'a', created }
  },
  {
    send: 'POST /users',
    body: { name: 'a', password: 'abc' },
    answer: { status: 201, body: { id: 1, name: 'a', created, password: 'abc' } },
    want: 201,
    got: { id: 1, name: 'a', created }
  },
  {
    send: 'POST /users',
    body: { name: 'a', password: 'abc' },
    answer: { status: 201, body: { name: 'a', created } },
    want: 500
  },
  {
    send: 'POST /users',
    body: { name: 'a', password: 'abc', id: 1 },
    want: 400,
    message: 'body/id is read-only'
  },
  { send: 'POST /users', body: { name: 'a' }, want: 400, message: 'body/password is required' },
  { send: 'POST /users', body: { password: 'abc' }, want: 400, message: 'body/name is required' }
] satisfies Exchange[]
