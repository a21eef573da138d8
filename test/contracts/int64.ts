import type { Exchange } from './exchange.ts'

const json = { 'content-type': 'application/json' }
const max = '9223372036854775807'
const post = (body: string, more: Partial<Exchange>): Exchange => ({
  send: 'POST /1',
  headers: json,
  body,
  answer: { status: 200, body: {} },
  want: 200,
  ...more
})

export default [
  {
    send: `POST /${max}?after=1e3&ids=1&ids=-5`,
    headers: { 'x-id': '7' },
    answer: { status: 200, body: {} },
    want: 200,
    seen: {
      params: { id: 9223372036854775807n },
      query: { after: 1000n, ids: [1n, -5n] },
      headers: { 'x-id': 7n }
    }
  },
  {
    send: 'POST /1',
    answer: { status: 200, body: {} },
    want: 200,
    seen: { query: { after: 9007199254740993n } }
  },
  { send: 'POST /9223372036854775808', want: 400, message: 'params/id must be an integer from' },
  { send: 'POST /1.5', want: 400, message: 'params/id' },
  {
    send: 'POST /1?ids=-9223372036854775808',
    want: 400,
    message: 'query/ids/0 must be >= -9223372036854775807'
  },
  post(
    `{"id":${max},"list":[9007199254740993],"map":{"a":9007199254740993},"maybe":9007199254740993,"either":9007199254740993,"pair":["x",9007199254740993],"few":9007199254740993,"text":"x"}`,
    {
      seen: {
        body: {
          id: 9223372036854775807n,
          list: [9007199254740993n],
          map: { a: 9007199254740993n },
          maybe: 9007199254740993n,
          either: 9007199254740993n,
          pair: ['x', 9007199254740993n],
          few: 9007199254740993n,
          text: 'x'
        }
      }
    }
  ),
  post('{"id":1.0,"maybe":null,"either":"x"}', { seen: { body: { id: 1n, maybe: null, either: 'x' } } }),
  post('{}', {
    answer: {
      status: 200,
      body: {
        id: 9007199254740993n,
        list: [1n],
        map: { a: -5n },
        either: 9007199254740993n,
        pair: ['a', 9007199254740993n]
      }
    },
    got: '{"id":9007199254740993,"list":[1],"map":{"a":-5},"either":9007199254740993,"pair":["a",9007199254740993]}'
  }),
  post('{}', { answer: { status: 200, body: { id: 9223372036854775808n } }, want: 500 }),
  post('{"id":9223372036854775808}', { want: 400, message: 'body/id must be an integer from' }),
  post('{"id":100000000.00000000001}', { want: 400, message: 'body/id must be integer' }),
  post('{"few":9007199254740992}', { want: 400, message: 'body/few must be one of' }),
  post('{"few":2}', { want: 400 }),
  post('{"plain":9007199254740993}', { want: 400, message: 'body/plain must be integer' }),
  post('{"rest":{"name":"x","a":9007199254740993}}', {
    seen: { body: { rest: { name: 'x', a: 9007199254740993n } } }
  }),
  post('{"any":9007199254740993}', { seen: { body: { any: 9007199254740993n } } }),
  post('{"any":"x"}', { want: 200 }),
  post('{"any":true}', { want: 200 }),
  post('{"any":null}', { want: 200 }),
  post('{"any":[]}', { want: 200 }),
  post('{"any":{}}', { want: 200 }),
  post('{"any":1.5}', { want: 400, message: 'body/any must be' }),
  post('{"word":-9007199254740993}', { seen: { body: { word: -9007199254740993n } } }),
  post('{"word":"all"}', { want: 200 }),
  post('{"word":"none"}', { want: 400, message: 'body/word must be one of' }),
  post('{"mixed":true}', { want: 200 }),
  post('{"mixed":false}', { want: 400, message: 'body/mixed must be one of' }),
  post('{"large":9007199254740992}', { want: 400, message: 'body/large must be 9007199254740993' }),
  post('{"only":9007199254740993}', { seen: { body: { only: 9007199254740993n } } }),
  post('{"fixed":9007199254740992}', { want: 400, message: 'body/fixed must be 9007199254740993' }),
  post('{"step":9007199254740993}', { want: 200 }),
  post('{"step":9007199254740994}', { want: 400, message: 'body/step must be a multiple of 3' }),
  post('{"id":"1"}', { want: 400, message: 'body/id must be integer' }),
  post('{"id":1e999999999}', { want: 400 })
] satisfies Exchange[]
