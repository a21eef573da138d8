import type { Exchange } from './exchange.ts'

export default [
  { send: 'GET /query', want: 204, seen: { query: { limit: 20 } } },
  {
    send: `GET /json?json=${encodeURIComponent('{"id":9007199254740993,"n":1}')}`,
    headers: { 'x-ids': '[1]' },
    want: 204,
    seen: {
      query: { json: { id: 9007199254740993n, n: 1 }, range: { from: 5n } },
      headers: { 'x-ids': [1n] }
    }
  },
  {
    send: `GET /json?range=from,7&json=${encodeURIComponent('{"id":1}')}`,
    want: 204,
    seen: { query: { json: { id: 1n }, range: { from: 7n } } }
  },
  { send: 'GET /json?json=%7B%22id%22%3A%22x%22%7D', want: 400, message: 'query/json/id must be integer' },
  { send: 'GET /query?form=1&form=2', want: 204, seen: { query: { form: [1, 2], limit: 20 } } },
  { send: 'GET /query?form=1&form=x', want: 400, message: 'query/form/1 must be integer' },
  { send: 'GET /query?joined=1,2', want: 204, seen: { query: { joined: [1, 2], limit: 20 } } },
  { send: 'GET /query?joined=1,2&joined=3', want: 400, message: 'query/joined is given more than once' },
  { send: 'GET /query?spaces=a%20b', want: 204, seen: { query: { spaces: ['a', 'b'], limit: 20 } } },
  { send: 'GET /query?pipes=1|2%7C3', want: 204, seen: { query: { pipes: [1, 2, 3], limit: 20 } } },
  {
    send: 'GET /query?filter[size]=3&filter[tags]=a&filter[tags]=b',
    want: 204,
    seen: { query: { filter: { size: 3, tags: ['a', 'b'] }, limit: 20 } }
  },
  { send: 'GET /query?filter[colour]=3', want: 400, message: 'query/filter/colour is not allowed' },
  { send: 'GET /query?point=x,1.5,y,2', want: 204, seen: { query: { point: { x: 1.5, y: 2 }, limit: 20 } } },
  { send: 'GET /query?raw=a/b?c+d', want: 204, seen: { query: { raw: 'a/b?c+d', limit: 20 } } },
  { send: 'GET /query?limit=0', want: 400, message: 'query/limit must be >= 1' },
  { send: 'GET /query?limit=', want: 400, message: 'query/limit must be integer' },
  { send: 'GET /query?limit=0x10', want: 400, message: 'query/limit must be integer' },
  { send: 'GET /query?limit=1e1', want: 204, seen: { query: { limit: 10 } } },
  { send: 'GET /query?limit=5&limit=6', want: 400, message: 'query/limit is given more than once' },
  {
    send: 'GET /query?wide=9223372036854775807',
    want: 204,
    seen: { query: { wide: 9223372036854775807n, limit: 20 } }
  },
  { send: 'GET /query?wide=9223372036854775808', want: 400, message: 'query/wide must be an integer from' },
  { send: 'GET /query?flag=true', want: 204, seen: { query: { flag: true, limit: 20 } } },
  { send: 'GET /query?flag=1', want: 400, message: 'query/flag must be boolean' },
  { send: 'GET /query?raw=%zz', want: 400, message: 'percent-encoding' },
  {
    send: 'GET /defaults',
    want: 204,
    seen: { query: { one: 5n, ids: [1n, 9007199254740993n], sizes: [1] } }
  },
  {
    send: 'GET /nearest-defaults',
    want: 204,
    seen: {
      query: {
        ...{ beside: 'name', branch: 'size', inherited: 'id', described: 'id', chained: 'id' },
        ...{ nullable: 'id', own: 'name', wide: 5n }
      },
      headers: { 'x-order': 'size' }
    }
  },
  { send: 'GET /loose?list=1,a', want: 204, seen: { query: { list: ['1', 'a'] } } },
  { send: 'GET /loose?pair=1,2', want: 204, seen: { query: { pair: ['1', 2] } } },
  { send: 'GET /loose?pair=a,b', want: 400, message: 'query/pair/1 must be integer' },
  { send: 'GET /loose?map[n_a]=1', want: 204, seen: { query: { map: { n_a: 1 } } } },
  { send: 'GET /loose?map[n_a]=x', want: 400, message: 'query/map/n_a must be integer' },
  { send: 'GET /loose?text=1', want: 204, seen: { query: { text: '1' } } },
  { send: 'GET /spread?r=100&g=200', want: 204, seen: { query: { color: { r: 100, g: 200 } } } },
  { send: 'GET /spread?g=200', want: 400, message: 'query/color/r is required' },
  {
    send: 'GET /simple/1,2/a,1/a=2',
    want: 204,
    seen: { params: { list: [1, 2], pairs: { a: 1 }, spread: { a: 2 } } }
  },
  { send: 'GET /simple/1,2,3,4/a,1/a=2', want: 400, message: 'params/list must have at most 3 items' },
  {
    send: 'GET /label/.5/.3.4/.a=1',
    want: 204,
    seen: { params: { one: 5, list: [3, 4], spread: { a: 1 } } }
  },
  { send: 'GET /label/5/.3.4/.a=1', want: 400, message: 'params/one must begin with' },
  {
    send: 'GET /matrix/;one=5/;list=3,4/;a=1',
    want: 204,
    seen: { params: { one: 5, list: [3, 4], spread: { a: 1 } } }
  },
  { send: 'GET /matrix/;one=x/;list=3,4/;a=1', want: 400, message: 'params/one must be integer' },
  {
    send: 'GET /header',
    headers: { 'x-count': '3', 'X-LIST': '1, 2', accept: '*/*' },
    want: 204,
    seen: { headers: { 'x-count': 3, 'x-list': [1, 2] } }
  },
  { send: 'GET /header', want: 400, message: 'headers/x-count is required' },
  {
    send: 'GET /cookie',
    headers: { cookie: 'session=abcd; sizes=1,2; other=x' },
    want: 204,
    seen: { cookies: { session: 'abcd', sizes: [1, 2] } }
  },
  { send: 'GET /cookie', headers: { cookie: 'session=abc' }, want: 400, message: 'cookies/session' }
] satisfies Exchange[]
