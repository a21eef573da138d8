import type { Exchange } from './exchange.ts'

const add = (body: object, want: number, message?: string): Exchange => ({
  send: 'POST /things',
  body,
  want,
  ...(message === undefined ? {} : { message })
})

export default [
  add(
    {
      int32: 2147483647,
      float: 1.5,
      double: 1e300,
      byte: 'aGk=',
      binary: '\u00ff',
      password: 'x',
      date: '2024-02-29',
      unknown: 'x',
      numeric: 5,
      text: 'x'
    },
    204
  ),
  add({ int32: 2147483648 }, 400, 'body/int32'),
  add({ float: 'x' }, 400, 'body/float must be number'),
  add({ byte: '?' }, 400, 'body/byte must be a valid byte'),
  add({ date: '2023-02-29' }, 400, 'body/date must be a valid date'),
  add({ dateTime: '2023-02-28 10:00' }, 400, 'body/dateTime must be a valid date-time'),
  add({ email: 'a' }, 400, 'body/email'),
  add({ uuid: 'a' }, 400, 'body/uuid'),
  add({ uri: 'a b' }, 400, 'body/uri'),
  add({ ipv4: '1.2.3' }, 400, 'body/ipv4'),
  add({ unknown: 1 }, 400, 'body/unknown must be string'),
  { send: 'POST /things', body: { wideNumber: 5 }, want: 204, seen: { body: { wideNumber: 5n } } }
] satisfies Exchange[]
