import type { Exchange } from './exchange.ts'

export default [
  { send: 'POST /subscriptions', body: { url: 'https://a.example/b' }, answer: { status: 201 }, want: 201 },
  {
    send: 'POST /subscriptions',
    body: { url: 'no uri' },
    want: 400,
    message: 'body/url must be a valid uri'
  },
  { send: 'POST /event', want: 404 }
] satisfies Exchange[]
