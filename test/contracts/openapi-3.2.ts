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
  },
  {
    send: 'COPY /things/9007199254740993',
    headers: { destination: '/things/2', 'x-key': 'good' },
    body: { deep: true },
    answer: { status: 201, body: 9007199254740993n },
    want: 201,
    got: '9007199254740993',
    seen: {
      operation: 'copyThing',
      params: { id: 9007199254740993n },
      headers: { destination: '/things/2' },
      body: { deep: true },
      principal: 'key'
    }
  },
  {
    send: 'COPY /things/1',
    headers: { destination: '/a', 'x-key': 'good' },
    answer: { status: 201, body: 1 },
    want: 201,
    seen: { body: undefined }
  },
  { send: 'COPY /things/1', headers: { destination: '/a' }, want: 401 },
  {
    send: 'COPY /things/1',
    headers: { 'x-key': 'good' },
    body: {},
    want: 400,
    message: 'headers/destination is required; body/deep is required'
  },
  { send: 'M-SEARCH /things/1', want: 204, seen: { operation: 'm__search_things_by_id' } },
  { send: 'M-SEARCH /things/x', want: 400, message: 'params/id must be' },
  { send: 'DELETE /things/1', want: 204, seen: { operation: 'removeThing' } },
  { send: 'GET /things/1', want: 405, gotHeaders: { allow: 'COPY, DELETE, M-SEARCH' } },
  { send: 'MOVE /things/1', want: 405, gotHeaders: { allow: 'COPY, DELETE, M-SEARCH' } },
  { send: 'COPY /search', want: 405, gotHeaders: { allow: 'GET, HEAD, QUERY' } },
  { send: 'COPY /nowhere', want: 404 },
  {
    send: 'GET /shared?size=2',
    answer: { status: 204, headers: { 'x-size': 3 } },
    want: 204,
    seen: { query: { size: 2 } }
  },
  { send: 'GET /shared?size=0', want: 400, message: 'query/size must be >= 1' },
  { send: 'GET /shared', answer: { status: 204, headers: { 'x-size': 0 } }, want: 500 },
  // The members beside a $ref and those where it leads are one path item.
  { send: 'GET /joined?q=1', want: 204, seen: { operation: 'readJoined', query: { q: 1 } } },
  { send: 'PUT /joined?q=1', want: 204, seen: { operation: 'writeJoined', query: { q: 1 } } },
  { send: 'LOCK /joined?q=1', want: 204, seen: { operation: 'lockJoined', query: { q: 1 } } },
  { send: 'LOCK /joined', want: 400, message: 'query/q is required' },
  // Exploded by default, and not decoded.
  {
    send: 'GET /tags',
    headers: { cookie: 'tag=a%20b; tag=c,d; r=1; g=x' },
    want: 204,
    seen: { operation: 'listTags', cookies: { tag: ['a%20b', 'c,d'], pair: { r: 1, g: 'x' } } }
  }
] satisfies Exchange[]
