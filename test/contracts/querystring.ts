import type { Exchange } from './exchange.ts'

const json = (text: string) => encodeURIComponent(text)
const find = { operation: 'find' }

export default [
  {
    send: 'GET /rides?from=a+%2B%20b&seats=9007199254740993&via=x&via=y&days=1,2&box[low]=1.5&box%5Bhigh%5D=2&direct=true',
    want: 204,
    seen: {
      ...find,
      query: {
        from: 'a + b',
        seats: 9007199254740993n,
        via: ['x', 'y'],
        days: [1, 2],
        box: { low: 1.5, high: 2 },
        direct: true
      }
    }
  },
  {
    send: `GET /rides?from=a&note=${json('{"id":9007199254740993}')}`,
    want: 204,
    seen: { query: { from: 'a', note: { id: 9007199254740993n } } }
  },
  // A list of one.
  { send: 'GET /rides?from=a&via=x', want: 204, seen: { query: { from: 'a', via: ['x'] } } },
  { send: 'GET /rides', want: 204, seen: { ...find, query: undefined } },
  { send: 'GET /rides?', want: 204, seen: { ...find, query: undefined } },
  { send: 'GET /rides?seats=1', want: 400, message: 'query/from is required' },
  { send: 'GET /rides?from=a&seats=x', want: 400, message: 'query/seats must be' },
  { send: 'GET /rides?from=a&direct=7', want: 400, message: 'query/direct must be boolean' },
  { send: 'GET /rides?from=a&from=b', want: 400, message: 'query/from is given more than once' },
  { send: 'GET /rides?from=%', want: 400, message: 'query/from has malformed percent-encoding' },
  {
    send: `GET /rides?${Array.from({ length: 1001 }, (_, index) => `a${index}=`).join('&')}`,
    want: 400,
    message: 'query has more than 1000 fields'
  },
  // The key of the API is no field.
  { send: 'GET /rides?from=a&k%65y=good', want: 204, seen: { principal: 'key', query: { from: 'a' } } },
  { send: 'GET /rides?key=good', want: 204, seen: { principal: 'key', query: undefined } },
  {
    send: 'POST /rides?from=a&key=good&seats=2&colour=red',
    want: 204,
    seen: {
      operation: 'book',
      principal: 'key',
      query: { from: 'a', seats: 2n, colour: 'red' }
    }
  },
  { send: 'POST /rides', want: 400, message: 'query/from is required' },

  {
    send: `GET /rides/7/reports?${json('{"n":9007199254740993,"part":1}')}`,
    headers: { 'x-page': '2' },
    want: 204,
    seen: {
      operation: 'report',
      params: { day: 7 },
      headers: { 'x-page': 2 },
      query: { n: 9007199254740993n, part: 1 }
    }
  },
  { send: 'GET /rides/7/reports', want: 400, message: 'query is required' },
  { send: 'GET /rides/7/reports?{"n"', want: 400, message: 'query is not valid JSON' },
  { send: 'GET /rides/7/reports?%zz', want: 400, message: 'query has malformed percent-encoding' },
  // Both locations are reported at once.
  {
    send: `GET /rides/x/reports?${json('{"n":"1"}')}`,
    want: 400,
    message: 'params/day must be integer; query/n must be'
  },
  { send: `GET /rides/7/reports?${json('{"n":1,"m":1}')}`, want: 400, message: 'query/m is not allowed' },
  { send: `GET /rides/7/reports?${json('{"n":1,"own":"a"}')}`, want: 400, message: 'query/own' },
  // What counts is the number as it is spelled.
  {
    send: `GET /rides/7/reports?${json('{"n":1,"part":100000000.00000000001}')}`,
    want: 400,
    message: 'query/part must be integer'
  },
  {
    send: `GET /rides/7/reports?${json('{"n":9223372036854775808}')}`,
    want: 400,
    message: 'query/n must be'
  },
  // A plus is a plus.
  { send: 'GET /rides/7/reports?{%22n%22:+1}', want: 400, message: 'query is not valid JSON' },

  { send: 'GET /numbers', want: 204, seen: { operation: 'count', query: undefined } },
  { send: 'GET /numbers?9007199254740993', want: 204, seen: { query: 9007199254740993n } },
  { send: 'GET /numbers?9223372036854775808', want: 400, message: 'query must be' },
  { send: 'GET /numbers?7', want: 204, seen: { query: 7n } },

  {
    send: 'GET /items?%24.a.b%5B1%3A1%5D',
    want: 204,
    seen: { operation: 'select', query: '$.a.b[1:1]' }
  },
  { send: 'GET /items?a+b', want: 204, seen: { query: 'a+b' } },
  { send: 'GET /items?%24.a.b.c.d.e.f.g', want: 400, message: 'query must have at most 12 characters' },
  { send: 'GET /items', want: 400, message: 'query is required' },

  { send: 'GET /levels?5', want: 204, seen: { operation: 'level', query: 5 } },
  { send: 'GET /levels', want: 204, seen: { query: 3 } },
  { send: 'GET /levels?high', want: 400, message: 'query must be integer' }
] satisfies Exchange[]
