import type { Exchange } from './exchange.ts'

const headers = { 'x-trace': '0b7f5cb6-57cd-4d3b-9d51-6f0d3d1a9f0e' }

export default [
  { send: 'GET /things/x?limit=5', headers, want: 204, seen: { params: { id: 'x' }, query: { limit: 5 } } },
  { send: 'GET /things/x?limit=6', headers, want: 400, message: 'query/limit must be <= 5' },
  { send: 'GET /things/x', want: 400, message: 'headers/x-trace is required' },
  {
    send: 'GET /things/x',
    headers: { 'x-trace': 'x' },
    want: 400,
    message: 'headers/x-trace must be a valid uuid'
  },
  { send: 'PATCH /things/x', headers: { 'x-trace': '5' }, want: 204, seen: { headers: { 'x-trace': 5 } } },
  { send: 'PATCH /things/x', want: 204 },
  { send: 'PUT /things/x', headers, want: 400, message: 'params/id must be integer' },
  {
    send: `PUT /things/1?limit=1&filter=${encodeURIComponent('{"a":9007199254740993}')}`,
    headers: { ...headers, limit: 'z' },
    want: 204,
    seen: {
      params: { id: 1 },
      query: { limit: 1, filter: { a: 9007199254740993n } },
      headers: { ...headers, limit: 'z' }
    }
  },
  { send: 'PUT /things/1?filter={', headers, want: 400, message: 'query/filter is not valid JSON' },
  { send: 'PUT /things/1?filter={}', headers, want: 400, message: 'query/filter/a is required' },
  { send: 'POST /things/1?filter={}', headers, want: 400, message: 'query/filter/a is required' },
  { send: 'POST /things/1', headers, want: 204, seen: { operation: 'referred' } }
] satisfies Exchange[]
