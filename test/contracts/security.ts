import type { Exchange } from './exchange.ts'

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const basic = (user: string) => `Basic ${Buffer.from(`${user}:x`).toString('base64')}`

export default [
  { send: 'GET /default', headers: bearer('good'), want: 204, seen: { principal: 'token' } },
  { send: 'GET /default', want: 401, message: 'no-credentials' },
  { send: 'GET /default', headers: bearer('bad'), want: 401, message: 'credentials-refused' },
  { send: 'GET /default', headers: { authorization: 'Basic good' }, want: 401 },
  { send: 'GET /open', want: 204, seen: { principal: undefined } },
  { send: 'GET /optional', want: 204 },
  { send: 'GET /optional', headers: bearer('good'), want: 204, seen: { principal: 'token' } },
  { send: 'GET /either', headers: { 'x-key': 'good' }, want: 204, seen: { principal: 'key' } },
  {
    send: 'GET /either',
    headers: { ...bearer('bad'), 'x-key': 'good' },
    want: 204,
    seen: { principal: 'key' }
  },
  { send: 'GET /either', headers: { 'x-key': 'bad' }, want: 401 },
  {
    send: 'GET /both',
    headers: { authorization: basic('good'), cookie: 'session=good' },
    want: 204,
    seen: { principal: { basic: 'basic', cookieKey: 'cookieKey' } }
  },
  { send: 'GET /both', headers: { authorization: basic('good') }, want: 401 },
  { send: 'GET /both', headers: { authorization: basic('bad'), cookie: 'session=good' }, want: 401 },
  { send: 'GET /scoped', headers: bearer('good'), want: 204, seen: { principal: 'oauth' } },
  { send: 'GET /scoped', want: 401 },
  { send: 'POST /query?key=good', want: 204, seen: { principal: 'queryKey' } },
  { send: 'POST /query?key=good&key=good', want: 401 },
  { send: 'POST /query', headers: { 'content-type': 'application/json' }, body: '{', want: 401 },
  { send: 'GET /open-id', headers: bearer('good'), want: 204 }
] satisfies Exchange[]
