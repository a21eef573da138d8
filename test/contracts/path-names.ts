import type { Exchange } from './exchange.ts'

export default [
  { send: 'GET /things/7', want: 204, seen: { operation: 'hyphen', params: { 'thing-id': 7 } } },
  { send: 'GET /things/x', want: 400, message: 'params/thing-id must be integer' },
  { send: 'GET /things/%37', want: 204, seen: { operation: 'hyphen', params: { 'thing-id': 7 } } },
  { send: 'GET /things/latest', want: 204, seen: { operation: 'latest' } },
  { send: 'POST /things:batch', want: 204, seen: { operation: 'batch' } },
  { send: 'POST /thingsbatch', want: 404 },
  { send: 'POST /thingsxbatch', want: 404 },
  { send: 'GET /things:batch', want: 405 },
  { send: 'POST /things/a%2Fb:cancel', want: 204, seen: { operation: 'cancel', params: { id: 'a/b' } } },
  { send: 'POST /things/a:b:cancel', want: 204, seen: { operation: 'cancel', params: { id: 'a:b' } } },
  { send: 'POST /things/7', want: 405 },
  { send: 'GET /ranges/1-20', want: 204, seen: { params: { from: 1, to: 20 } } },
  { send: 'GET /ranges/1', want: 404 },
  { send: 'GET /ranges/1-x', want: 400, message: 'params/to must be integer' },
  { send: 'GET /files/a.b.json', want: 204, seen: { params: { name: 'a.b' } } },
  { send: 'GET /files/a%20b.json', want: 204, seen: { params: { name: 'a b' } } },
  { send: 'GET /files/a.xml', want: 204, seen: { operation: 'other', params: { name: 'a' } } },
  { send: 'GET /files/a.txt', want: 404 },
  { send: 'GET /re*ports/x*y', want: 204, seen: { params: { a: 'x', b: 'y' } } },
  { send: 'GET /re%2Aports/x%2Ay', want: 204, seen: { params: { a: 'x', b: 'y' } } },
  {
    send: 'GET /tiles/1/2,3@2x.png',
    want: 204,
    seen: { params: { z: 1, x: 2, y: 3, scale: 2, format: 'png' } }
  },
  { send: 'GET /tiles/1/2,3@2x.gif', want: 400, message: 'params/format must be one of' },
  { send: "GET /odata/People('ann')/Friends(3)", want: 204, seen: { params: { key: 'ann', other: 3 } } },
  { send: 'GET /tail/x/', want: 204, seen: { params: { rest: 'x' } } },
  { send: 'GET /tail/x', want: 404 },
  { send: 'GET /caf%C3%A9/*/~tilde', want: 204, seen: { operation: 'literal' } },
  { send: 'GET /caf%C3%A9/x/~tilde', want: 404 },
  { send: 'GET /$metadata', want: 204, seen: { operation: 'dollar' } }
] satisfies Exchange[]
