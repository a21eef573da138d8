import type { Exchange } from './exchange.ts'

const text = '"\'`*/\u0024{process.exit(1)}\\\n\r\u2028\u2029<!--</script>//\t'
const name = 'q"\'`*/\u0024{0}\\u2028 \u2028 \n'
/** Text of the places that may hold no control characters. */
const plainText = '"\'`*/\u0024{process.exit(1)}\\<!--</script>//'
const plainName = 'q"\'`*/\u0024{0}\\u2028 '
const path = `/quote%22'%60*$`
const key = { 'x-key': 'good' }
const query = encodeURIComponent(plainName)

export default [
  {
    send: `GET ${path}1?${query}=${encodeURIComponent(text)}`,
    headers: { "X-`'*!": '3', cookie: "c'`=4" },
    answer: {
      status: 200,
      body: {
        [name]: text,
        pattern: '`',
        enum: text,
        const: text,
        union: { [name]: 1 },
        list: [{ [name]: 5n }],
        '"`${\u2028x': 1,
        other: 1
      },
      headers: { "x-'`": 'v' }
    },
    want: 200,
    seen: {
      operation: plainText,
      params: { x: '1' },
      query: { [plainName]: text },
      headers: { "x-`'*!": 3 },
      cookies: { "c'`": 4 }
    },
    got: {
      [name]: text,
      pattern: '`',
      enum: text,
      const: text,
      union: { [name]: 1 },
      list: [{ [name]: 5 }],
      '"`${\u2028x': 1
    }
  },
  { send: `GET ${path}1?${query}=b`, want: 400, message: 'must be one of' },
  { send: 'POST /things', headers: key, body: { [name]: 'x', pattern: '\u2028' }, want: 204 },
  { send: 'POST /things', headers: key, body: {}, want: 400, message: 'is required' },
  {
    send: 'POST /things',
    headers: key,
    body: { [name]: 'x', pattern: 'a' },
    want: 400,
    message: 'body/pattern must match pattern'
  },
  {
    send: 'POST /things',
    headers: key,
    body: { [name]: 'x', const: 'a' },
    want: 400,
    message: 'body/const must be'
  },
  {
    send: 'POST /things',
    headers: key,
    body: { [name]: 'x', '"`${\u2028': 'a' },
    want: 400,
    message: 'must be integer'
  },
  { send: 'POST /things', want: 401 }
] satisfies Exchange[]
