import type { Exchange } from './exchange.ts'

const tree = { id: 1, children: [{ id: 2 }], owner: { friends: [{ name: 'a', tree: { id: 3 } }] } }

export default [
  {
    send: 'POST /trees',
    body: tree,
    want: 204,
    seen: { body: { id: 1n, children: [{ id: 2n }], owner: { friends: [{ name: 'a', tree: { id: 3n } }] } } }
  },
  {
    send: 'POST /trees',
    body: { id: 1, owner: { friends: [{ name: 1 }] } },
    want: 400,
    message: 'body/owner/friends/0/name must be string'
  },
  {
    send: 'GET /people?limit=10',
    answer: { status: 200, body: [{ name: 'a', tree: { id: 1n } }] },
    want: 200,
    got: [{ name: 'a', tree: { id: 1 } }]
  },
  { send: 'GET /people?limit=11', want: 400, message: 'query/limit must be <= 10' }
] satisfies Exchange[]
