import type { Exchange } from './exchange.ts'

const answer = {
  status: 200,
  headers: { 'X-Number': 7, 'X-Word': 'a' },
  body: { word: 'a' }
}
const alert = { send: 'GET /alerts/7', headers: { 'x-trace': 'a' }, answer } as const

export default [
  {
    ...alert,
    send: 'GET /alerts/7?state=open&filter[by]=me&page=3',
    headers: { 'x-trace': 'a', cookie: 'session=5' },
    want: 200,
    seen: {
      params: { number: 7 },
      query: { state: 'open', filter: { by: 'me' }, page: 3 },
      headers: { 'x-trace': 'a' },
      cookies: { session: 5 }
    },
    got: { word: 'a' },
    gotHeaders: { 'x-number': '7', 'x-word': 'a' }
  },
  { ...alert, headers: {}, want: 400, message: 'headers/x-trace is required' },
  { ...alert, send: 'GET /alerts/0', want: 400, message: 'params/number must be' },
  { ...alert, send: 'GET /alerts/7?filter[id]=1&filter[by]=me', want: 400, message: 'id is read-only' },
  { ...alert, send: 'GET /alerts/7?filter[x]=1', want: 400, message: 'query/filter/by is required' },
  {
    ...alert,
    answer: { ...answer, body: { word: 'a', secret: 'b', hidden: 'c' } },
    want: 200,
    got: { word: 'a' }
  },
  { ...alert, answer: { ...answer, headers: {} }, want: 500 },
  { ...alert, answer: { ...answer, body: {} }, want: 500 },
  {
    send: 'POST /notes',
    body: { list: ['a'], more: 'b' },
    answer: { status: 200, body: ['a'] },
    want: 200,
    got: ['a']
  },
  { send: 'POST /notes', body: { list: [], deep: 1 }, want: 400, message: 'body/deep is read-only' },
  { send: 'POST /notes', body: { list: [], id: 1 }, want: 400, message: 'body/id is read-only' },
  { send: 'POST /numbers', body: [1, 2], want: 204, seen: { body: [1, 2] } },
  { send: 'POST /numbers', body: [0], want: 400 },
  {
    send: 'POST /forms',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'name=a',
    want: 204,
    seen: { body: { name: 'a' } }
  },
  {
    send: 'POST /forms',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'name=a&id=1',
    want: 400,
    message: 'body/id is read-only'
  }
] satisfies Exchange[]
