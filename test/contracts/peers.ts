import type { Exchange } from './exchange.ts'

const multipart = { 'content-type': 'multipart/form-data; boundary=b' }
const part = (head: string, content: string) =>
  `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`
const json = (send: string, body: object, want: number, more: Partial<Exchange> = {}): Exchange => ({
  send,
  body,
  want,
  ...more
})
const header = { 'x-my-header': 'test1' }

export default [
  // cdimascio/express-openapi-validator 656, 734: an absent object has no required properties.
  { send: 'GET /sort', want: 204, seen: { query: {} } },
  { send: 'GET /sort?sort%5Bfield%5D=created', want: 400 },
  {
    send: 'GET /sort?sort[field]=created&sort[order]=asc',
    want: 204,
    seen: { query: { sort: { field: 'created', order: 'asc' } } }
  },
  // cdimascio/express-openapi-validator 743: a list of objects in style deepObject.
  {
    send: 'GET /objects?request[0][name]=a&request[0][age]=1&request[1][name]=b',
    want: 204,
    seen: { query: { request: [{ name: 'a', age: '1' }, { name: 'b' }] } }
  },
  // pb33f/wiretap 82, stoplightio/prism 2058: maps and null in style deepObject.
  {
    send: 'GET /maps?map[test]=value&map[test2]=value2&lists[a]=b&lists[a]=c',
    want: 204,
    seen: { query: { map: { test: 'value', test2: 'value2' }, lists: { a: ['b', 'c'] } } }
  },
  { send: 'GET /maps?map[a]=b&maybe[a]=1', want: 204, seen: { query: { map: { a: 'b' }, maybe: { a: 1 } } } },
  { send: 'GET /maps', want: 400 },
  // stoplightio/prism 1294, 2269: nullable beside allOf, and beside an unknown format.
  json('POST /pets', { pet: null }, 201, { answer: { status: 201, body: { next: null } } }),
  json('POST /pets', { pet: { name: 'Rex' } }, 201, { answer: { status: 201, body: { next: 'EUR' } } }),
  json('POST /pets', { pet: {} }, 400),
  // getkin/kin-openapi 722: a form whose fields stand in branches.
  {
    send: 'POST /files',
    headers: multipart,
    body: `${part('name="name"', 'a')}${part('name="file"; filename="f.txt"', 'x')}--b--\r\n`,
    want: 201,
    answer: { status: 201 }
  },
  { send: 'POST /files', headers: multipart, body: `${part('name="name"', 'a')}--b--\r\n`, want: 400 },
  // getkin/kin-openapi 949: numbers and objects as curl sends them.
  {
    send: 'POST /fields',
    headers: multipart,
    body: `${part('name="text"', 'test')}${part('name="count"', '0')}${part('name="more"', '{"key1":"val1"}')}--b--\r\n`,
    want: 204,
    seen: { body: { text: 'test', count: 0, more: { key1: 'val1' } } }
  },
  // kogosoftwarellc/open-api 854, seriousme/fastify-openapi-glue 763: JSON in the query, the case of headers.
  { send: `GET /filter?filter=${encodeURIComponent('{"color":"black"}')}`, headers: header, want: 204 },
  { send: `GET /filter?filter=${encodeURIComponent('{"color":"red"}')}`, headers: header, want: 400 },
  { send: `GET /filter?filter=${encodeURIComponent('{}')}`, headers: header, want: 400 },
  {
    send: `GET /filter?filter=${encodeURIComponent('{"color":"white"}')}`,
    headers: { 'X-MY-HEADER': 'test3' },
    want: 400
  },
  // openapistack/openapi-backend 301, stoplightio/prism 2267: no body beside a default response, whatever is accepted.
  { send: 'DELETE /notes/1', headers: { accept: 'application/json' }, want: 204, got: '' },
  // pb33f/libopenapi-validator 183: a required cookie.
  { send: 'GET /burgers', want: 400 },
  { send: 'GET /burgers', headers: { cookie: 'Patty=1.5' }, want: 204, seen: { cookies: { Patty: 1.5 } } },
  // oazapfts/oazapfts 319: a list in the path.
  { send: 'GET /users/a,b%2Cc', want: 204, seen: { params: { userIds: ['a', 'b,c'] } } },
  // schemathesis/schemathesis 2293, 2900; OpenAPITools/openapi-generator 20561: a range, the text null, odd enums.
  {
    send: 'GET /password?charset=null&unit=%20',
    want: 200,
    answer: { status: 200, body: Buffer.from('x'), headers: { 'content-type': 'image/png' } },
    seen: { query: { charset: 'null', unit: ' ' } },
    gotHeaders: { 'content-type': 'image/png' }
  },
  { send: 'GET /password?unit=%26%26', want: 500, seen: { query: { unit: '&&' } } }
] satisfies Exchange[]
