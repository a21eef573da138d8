import { type Exchange, exchangesOf } from './exchange.ts'

const { post, answers, breaks } = exchangesOf('POST /things')
const tooLarge = 9007199254740994n

export default [
  answers({ plain: 7n, narrow: -7n, real: 7n, half: 2n }, '{"plain":7,"narrow":-7,"real":7,"half":2}'),
  answers({ plain: 7, narrow: -7, real: 7.5, half: 1.5 }, '{"plain":7,"narrow":-7,"real":7.5,"half":1.5}'),
  answers(
    { plain: 9007199254740992n, real: -9007199254740992n },
    '{"plain":9007199254740992,"real":-9007199254740992}'
  ),
  breaks({ plain: tooLarge }),
  breaks({ real: tooLarge }),
  breaks({ plain: -tooLarge }),
  breaks({ plain: 7.5 }),
  breaks({ plain: '7' }),
  breaks({ real: Number.POSITIVE_INFINITY }),
  breaks({ plain: Number.NaN }),
  breaks({ narrow: 2147483648n }),
  breaks({ narrow: 2147483648 }),
  breaks({ half: 0n }),
  answers({ maybe: 1n, word: 2n, few: 1n, three: 3n }, '{"maybe":1,"word":2,"few":1,"three":3}'),
  answers({ maybe: null, word: 'a', few: 'a', three: 3 }, '{"maybe":null,"word":"a","few":"a","three":3}'),
  breaks({ few: 3n }),
  breaks({ three: 4n }),
  breaks({ word: true }),
  answers({ even: 4n }, '{"even":4}'),
  breaks({ even: 3n }),
  breaks({ even: 0n }),
  breaks({ even: 102n }),
  answers({ set: [1, 2n], loose: ['1', 1n] }, '{"set":[1,2],"loose":["1",1]}'),
  breaks({ set: [1, 1n] }),
  breaks({ loose: [{ a: 1 }, { a: 1n }] }),
  answers({ pair: [1n, 2], map: { a: 1n } }, '{"pair":[1,2],"map":{"a":1}}'),
  answers(
    { pair: [1, 9223372036854775807n], map: { a: 1 } },
    '{"pair":[1,9223372036854775807],"map":{"a":1}}'
  ),
  breaks({ pair: [tooLarge, 1n] }),
  breaks({ map: { a: tooLarge } }),
  breaks({ map: { a: 1.5 } }),
  answers({ one: { plain: 5n } }, '{"one":{"plain":5}}'),
  answers({ one: { wide: 5 } }, '{"one":{"wide":5}}'),
  answers({ one: { wide: 9223372036854775807n } }, '{"one":{"wide":9223372036854775807}}'),
  breaks({ one: { plain: tooLarge } }),
  answers({ tagged: { kind: 'plain', plain: 5n } }, '{"tagged":{"kind":"plain","plain":5}}'),
  breaks({ tagged: { kind: 'plain', plain: tooLarge } }),
  answers({ same: { id: 5n, w: 2 } }, '{"same":{"id":5,"w":2}}'),
  answers({ same: { id: tooLarge, w: 1n } }, '{"same":{"id":9007199254740994,"w":1}}'),
  breaks({ same: { id: tooLarge, w: 2 } }),
  answers({ all: 5n }, '{"all":5}'),
  answers({ numeric: 5n }, '{"numeric":5}'),
  answers({ numeric: tooLarge }, '{"numeric":9007199254740994}'),
  answers({ when: { id: 'a' } }, '{"when":{"id":"a"}}'),
  breaks({ when: { id: 1n } }),
  breaks({ no: 1n }),
  breaks({ text: 1n }),
  post('{}', {
    answer: {
      status: 200,
      headers: { 'X-Plain': 7n, 'X-Wide': 9007199254740993n, 'X-List': [1n, 2] },
      body: {}
    },
    gotHeaders: { 'x-plain': '7', 'x-wide': '9007199254740993', 'x-list': '1, 2' }
  }),
  post('{}', { answer: { status: 200, headers: { 'X-Wide': 7 }, body: {} }, gotHeaders: { 'x-wide': '7' } }),
  post('{}', { answer: { status: 200, headers: { 'X-Plain': 1n }, body: {} }, want: 500 }),
  post('{}', { answer: { status: 200, headers: { 'X-List': [1n, 1] }, body: {} }, want: 500 }),
  { send: 'GET /null', answer: { status: 200, body: 9007199254740992n }, want: 200, got: '9007199254740992' },
  { send: 'GET /null', answer: { status: 200, body: null }, want: 200, got: 'null' },
  { send: 'GET /null', answer: { status: 200, body: tooLarge }, want: 500 },
  post('{"one":{"plain":5},"same":{"id":5,"w":2},"numeric":5,"tagged":{"kind":"plain","plain":1}}', {
    seen: {
      body: { one: { plain: 5 }, same: { id: 5, w: 2 }, numeric: 5, tagged: { kind: 'plain', plain: 1 } }
    }
  }),
  post('{"one":{"wide":5},"same":{"id":5,"w":1},"numeric":50,"tagged":{"kind":"wide","wide":1}}', {
    seen: {
      body: { one: { wide: 5n }, same: { id: 5n, w: 1 }, numeric: 50n, tagged: { kind: 'wide', wide: 1n } }
    }
  }),
  post('{"plain":7.0,"real":7,"pair":[1,2],"all":3}', {
    seen: { body: { plain: 7, real: 7, pair: [1, 2n], all: 3n } }
  }),
  post('{"plain":9007199254740993}', { want: 400, message: 'body/plain must be integer' }),
  post('{"plain":1.00000000000000000001}', { want: 400, message: 'body/plain must be integer' }),
  post('{"maybe":1.5}', { want: 400, message: 'body/maybe must be integer or null' }),
  post('{"real":1e999}', { want: 400, message: 'body/real must be number' }),
  post('{"real":"1"}', { want: 400, message: 'body/real must be number' }),
  { ...post('{}', { seen: { query: { either: 3n } } }), send: 'POST /things?either=3' },
  { ...post('{}', { seen: { query: { either: 7n } } }), send: 'POST /things?either=7' },
  {
    ...post('{}', { seen: { query: { either: 9007199254740993n } } }),
    send: 'POST /things?either=9007199254740993'
  }
] satisfies Exchange[]
