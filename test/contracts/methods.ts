import type { Exchange } from './exchange.ts'

export default [
  { send: 'GET /search', body: { q: 1 }, want: 204, seen: { operation: 'search', body: { q: 1 } } },
  { send: 'GET /search', want: 400, message: 'a body is required' },
  { send: 'GET /search', body: {}, want: 400, message: 'body/q is required' },
  { send: 'HEAD /search', want: 204, seen: { operation: 'peek' } },
  {
    send: 'OPTIONS /search',
    answer: { status: 204, headers: { allow: 'GET' } },
    want: 204,
    seen: { operation: 'options' },
    gotHeaders: { allow: 'GET' }
  },
  { send: 'OPTIONS /search', want: 500 },
  { send: 'TRACE /search', want: 204, seen: { operation: 'trace' } },
  { send: 'DELETE /search', body: [1], want: 204, seen: { operation: 'forget', body: [1] } },
  { send: 'DELETE /search', want: 204, seen: { operation: 'forget', body: undefined } },
  { send: 'DELETE /search', body: ['x'], want: 400, message: 'body/0 must be integer' },
  {
    send: 'PATCH /search',
    headers: { 'content-type': 'application/json-patch+json' },
    body: '[]',
    want: 204,
    seen: { mediaType: 'application/json-patch+json' }
  },
  {
    send: 'PATCH /search',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: '[]',
    want: 400,
    message: 'body must be object'
  },
  {
    send: 'PATCH /search',
    body: {},
    want: 415,
    gotHeaders: { accept: 'application/merge-patch+json, application/json-patch+json' }
  },
  { send: 'PUT /search', want: 405 }
] satisfies Exchange[]
