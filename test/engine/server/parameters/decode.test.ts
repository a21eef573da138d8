/** Decoding of texts in all places: every style, with and without explode. */
import t from 'tap'
import type { ParameterSpec, TextShape } from '../../../../src/engine/model/parameter.ts'
import { decodeParameters } from '../../../../src/engine/server/parameters/decode.ts'
import { cpuGrowth } from '../../../cpu-time.ts'
import {
  decoded,
  int64,
  integer,
  integers,
  map,
  plain,
  rgb,
  source,
  spec,
  string,
  strings,
  unknown
} from './parameter-table.ts'

t.test('path parameters are decoded by style, shape and explode', async (t) => {
  const label = (explode: boolean) => ({ style: 'label', explode }) as const
  const matrix = (explode: boolean) => ({ style: 'matrix', explode }) as const
  const many = 'is given more than once'
  const rows: [TextShape, Partial<ParameterSpec>, string, unknown][] = [
    [string, {}, 'blue', 'blue'],
    [string, {}, 'a%2Cb%20c+d%2F', 'a,b c+d/'],
    [string, {}, '%', ['has malformed percent-encoding']],
    [string, {}, '%ff', ['has malformed percent-encoding']],
    [integers, {}, '3,4,5', [3, 4, 5]],
    [strings, {}, 'a%2Cb,c', ['a,b', 'c']],
    [strings, {}, '', []],
    [strings, { explode: true }, 'a,b', ['a', 'b']],
    [
      { types: [], prefixItems: [integer, string], items: { types: ['boolean'] } },
      {},
      '1,2,true',
      [1, '2', true]
    ],
    [{ types: [], prefixItems: [integer] }, {}, '1,2', [1, '2']],
    [{ types: ['string'], items: integer }, {}, '1', '1'],
    [{ types: ['string'], items: integer }, {}, '1,2', [1, 2]],
    [rgb, {}, 'R,100,name,7', { R: 100, name: '7' }],
    [rgb, {}, 'R,100,other,7', { R: 100, other: '7' }],
    [rgb, {}, 'R,100,name', ['must be a list of names and values']],
    [rgb, {}, 'R,1,R,2', ['has a property that is given more than once']],
    [rgb, { explode: true }, 'R=100,name=a%3Db', { R: 100, name: 'a=b' }],
    [rgb, { explode: true }, 'R=100,name', ['must be a list of name=value']],
    [rgb, {}, '', {}],
    [{ types: ['string'], properties: {} }, {}, 'x', 'x'],
    [{ types: [], properties: {}, items: integer }, {}, '1,2', [1, 2]],
    [integer, label(false), '.5', 5],
    [{ types: ['number'] }, label(true), '.1.5', 1.5],
    [integer, label(false), '5', ['must begin with "."']],
    [integers, label(false), '.3,4,5', [3, 4, 5]],
    [integers, label(false), '.3.4.5', [3, 4, 5]],
    [integers, label(true), '.3.4.5', [3, 4, 5]],
    [strings, label(true), '.', []],
    [rgb, label(false), '.R,100,G,200', { R: 100, G: 200 }],
    [rgb, label(false), '.R.100.G.200', { R: 100, G: 200 }],
    [rgb, label(true), '.R=100.G=200', { R: 100, G: 200 }],
    [integer, matrix(false), ';p=5', 5],
    [integer, matrix(true), ';p=5', 5],
    [string, matrix(false), ';p', ''],
    [string, matrix(false), ';p=', ''],
    [string, matrix(false), 'p=5', ['must begin with ";"']],
    [string, matrix(false), ';q=5', undefined],
    [string, matrix(false), ';%=5', ['has malformed percent-encoding']],
    [integer, matrix(true), ';p=5;p=6', [many]],
    [integers, matrix(false), ';p=3,4', [3, 4]],
    [integers, matrix(true), ';p=3;p=4', [3, 4]],
    [rgb, matrix(false), ';p=R,100,G,200', { R: 100, G: 200 }],
    [rgb, matrix(true), ';R=100;G=200;x=1', { R: 100, G: 200, x: '1' }],
    [unknown, { json: true }, '%7B%22a%22%3A1%7D', { a: 1 }]
  ]
  for (const [shape, more, text, want] of rows)
    t.strictSame(decoded(spec('path', shape, more), text), want, `${JSON.stringify(more)} ${text}`)
})

t.test('query parameters are decoded by style, shape and explode', async (t) => {
  const flat = { explode: false } as const
  const space = { style: 'spaceDelimited', explode: false } as const
  const pipe = { style: 'pipeDelimited', explode: false } as const
  const many = 'is given more than once'
  const rows: [TextShape, Partial<ParameterSpec>, string, unknown][] = [
    [integer, {}, 'p=1', 1],
    [integer, {}, 'q=1', undefined],
    [integer, {}, '', undefined],
    [integer, {}, '&&p=1&', 1],
    [string, {}, 'p', ''],
    [string, {}, 'p=', ''],
    [string, {}, 'p=a=b', 'a=b'],
    [string, {}, 'p=a+b%2Bc%20d', 'a b+c d'],
    [string, {}, '%70=a', 'a'],
    [string, {}, 'p=a,b', 'a,b'],
    [string, { allowReserved: true }, 'p=/a?b:c+d%2F', '/a?b:c+d/'],
    [string, {}, 'p=%E0%A4%A', ['has malformed percent-encoding']],
    [string, {}, 'p=%C0%80', ['has malformed percent-encoding']],
    [string, {}, 'q=%&p=1', '1'],
    [string, {}, '%=1&p=1', ['query has a name with malformed percent-encoding']],
    [integer, {}, 'p=1&p=1', [many]],
    [unknown, {}, 'p=1&p=1', [many]],
    [unknown, {}, 'p=1', '1'],
    [integers, {}, 'p=1&q=7&p=2', [1, 2]],
    [integers, {}, 'p=1', [1]],
    [integers, {}, 'p=1,2', ['1,2']],
    [strings, {}, 'p=', ['']],
    [strings, {}, 'p=a%2Cb&p=c+d', ['a,b', 'c d']],
    [{ types: ['integer'], items: integer }, {}, 'p=1', 1],
    [{ types: ['integer'], items: integer }, {}, 'p=1&p=2', [1, 2]],
    [integers, flat, 'p=1,2', [1, 2]],
    [integers, flat, 'p=', []],
    [strings, flat, 'p=a%2Cb,c', ['a,b', 'c']],
    [integers, flat, 'p=1&p=2', [many]],
    [rgb, flat, 'p=R,100,name,x', { R: 100, name: 'x' }],
    [rgb, {}, 'R=100&name=x&other=1', { R: 100, name: 'x' }],
    [rgb, {}, 'other=1', undefined],
    [rgb, {}, 'toString=1', undefined],
    [rgb, {}, 'p=1', undefined],
    [rgb, {}, 'list=1&list=2', { list: [1, 2] }],
    [rgb, {}, 'R=1&R=2', [many]],
    [map, {}, 'R=1&x=2', { R: 1, x: '2' }],
    [{ types: ['integer'], properties: { a: integer } }, {}, 'p=1', 1],
    [{ types: [], items: integer, properties: { a: integer } }, {}, 'p=1&p=2', [1, 2]],
    [{ types: [], items: integer, properties: { a: integer } }, {}, 'a=1', { a: 1 }],
    [strings, space, 'p=a%20b+c', ['a', 'b', 'c']],
    [strings, { ...space, allowReserved: true }, 'p=a%20b+c', ['a', 'b+c']],
    [rgb, space, 'p=R%20100%20G%20200', { R: 100, G: 200 }],
    [strings, pipe, 'p=a|b%7Cc%7cd', ['a', 'b', 'c', 'd']],
    [rgb, pipe, 'p=R|100|G|200', { R: 100, G: 200 }],
    [strings, { style: 'pipeDelimited', explode: true }, 'p=a&p=b|c', ['a', 'b|c']],
    [unknown, { json: true }, 'p=%7B%22a%22%3A9007199254740993%7D', { a: 9007199254740993n }],
    [unknown, { json: true }, 'p=9007199254740993', 9007199254740993n],
    [unknown, { json: true }, 'p=[1e400,1e-400]', [Number.POSITIVE_INFINITY, 0]],
    [unknown, { json: true }, 'p=x', ['is not valid JSON']],
    [unknown, { json: true }, 'p=1&p=1', [many]],
    [unknown, { json: true }, 'q=1', undefined],
    [rgb, { json: true }, 'p=%7B%22R%22%3A1%7D', { R: 1 }]
  ]
  for (const [shape, more, text, want] of rows)
    t.strictSame(decoded(spec('query', shape, more), text), want, `${JSON.stringify(more)} ${text}`)
})

t.test('header parameters are decoded by shape, without percent-encoding', async (t) => {
  const rows: [TextShape, Partial<ParameterSpec>, string, unknown][] = [
    [string, {}, 'a%20b, c', 'a%20b, c'],
    [integer, {}, '5', 5],
    [integers, {}, '3, 4\t,5', [3, 4, 5]],
    [rgb, {}, 'R, 100, name, x', { R: 100, name: 'x' }],
    [rgb, { explode: true }, 'R=100, name=x', { R: 100, name: 'x' }],
    [unknown, { json: true }, '{"a":1}', { a: 1 }]
  ]
  for (const [shape, more, text, want] of rows)
    t.strictSame(decoded(spec('header', shape, more), text), want, text)
  const lines = { path: {}, query: '', headers: { p: ['1', '2, 3'] }, cookie: undefined }
  t.same(
    decodeParameters([spec('header', integers)], lines).headers,
    { p: [1, 2, 3] },
    'several lines are one list'
  )
})

t.test('cookie parameters are decoded by style and shape', async (t) => {
  const raw = { style: 'cookie' } as const
  const flat = { explode: false } as const
  const rows: [TextShape, Partial<ParameterSpec>, string, unknown][] = [
    [string, {}, 'q=1; p=a%20b', 'a b'],
    [string, {}, 'p=100%', '100%'],
    [string, {}, 'p="a b"', 'a b'],
    [string, {}, 'p="', '"'],
    [string, {}, 'p=a=b&c', 'a=b&c'],
    [string, {}, ' p = x ;', 'x'],
    [string, {}, 'p', undefined],
    [string, {}, '=p', undefined],
    [integer, {}, 'p=1; p=2', ['is given more than once']],
    [integers, {}, 'p=1; p=2', [1, 2]],
    [integers, {}, 'p=1&p=2', [1, 2]],
    [integers, flat, 'p=1,2', [1, 2]],
    [rgb, flat, 'p=R,1,G,2', { R: 1, G: 2 }],
    [rgb, {}, 'R=1; G=2', { R: 1, G: 2 }],
    [rgb, {}, 'R=1&G=2', { R: 1, G: 2 }],
    [string, raw, 'p=a%20b', 'a%20b'],
    [strings, raw, 'p=a&p=b; p=c', ['a&p=b', 'c']],
    [unknown, { json: true }, 'p=%7B%22a%22%3A1%7D', { a: 1 }]
  ]
  for (const [shape, more, text, want] of rows)
    t.strictSame(decoded(spec('cookie', shape, more), text), want, text)
})

t.test('an absent parameter has its default, a new copy for each request', async (t) => {
  const list = spec('query', integers, { default: [1] })
  const nothing = source('query', '')
  const first = decodeParameters([list], nothing).query['p']
  t.same(first, [1])
  t.not(first, list.default)
  t.equal(
    decoded(spec('query', { types: ['integer', 'null'] }, { default: 7 }), 'p=null'),
    null,
    'null is not absent'
  )
  t.equal(decoded(spec('query', int64, { default: 7n }), ''), 7n)
  for (const where of ['path', 'header', 'cookie'] as const) {
    const [only, empty] = [spec(where, integer), { path: {}, query: '', headers: {}, cookie: undefined }]
    t.same(decodeParameters([only], empty).problems, [], `${where}: absence is not a problem of decoding`)
    t.equal(JSON.stringify(decodeParameters([{ ...only, default: 7 }], empty)).includes('"p":7'), true, where)
  }
  t.throws(
    () => decodeParameters([spec('query', integer, { default: () => 1 })], nothing),
    /could not be cloned/
  )
})

t.test('names of the prototype are names like any other', async (t) => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    const specs = [
      spec('query', integer, { name, key: name }),
      spec('query', { types: [], additional: string }, { key: 'rest' }),
      spec('path', integer, { name, key: name }),
      spec('header', integer, { name, key: name })
    ]
    const empty = decodeParameters(specs, source('query', ''))
    t.strictSame(
      [empty.query, empty.params, empty.headers, empty.problems].map(plain),
      [{}, {}, {}, []],
      name
    )
    const given = decodeParameters(specs, source('query', `${name}=1&valueOf=2`))
    t.strictSame(Object.keys(given.query), [name, 'rest'])
    t.strictSame(plain(given.query['rest']), { valueOf: '2' })
  }
  t.equal(Object.hasOwn(Object.prototype, 'R'), false)
})

t.test('every problem is reported', async (t) => {
  const specs = [spec('query', string, { key: 'a' }), spec('path', string, { key: 'b' })]
  const texts = { path: { p: '%' }, query: 'p=1&p=2&%=3', headers: {}, cookie: undefined }
  const keyword = undefined
  t.strictSame(decodeParameters(specs, texts).problems, [
    { place: 'query', pointer: '/query', keyword, message: 'has a name with malformed percent-encoding' },
    { place: 'query/a', pointer: '/query/a', keyword, message: 'is given more than once' },
    { place: 'params/b', pointer: '/params/b', keyword, message: 'has malformed percent-encoding' }
  ])
})

t.test('the CPU time of a query is linear in its length', async (t) => {
  const specs = [
    spec('query', integers),
    spec('query', map, { key: 'rest' }),
    spec('query', rgb, { name: 'd', key: 'd', style: 'deepObject' })
  ]
  const decode = (pairs: number) => {
    const query = Array.from({ length: pairs }, (_, i) => `p=${i}&x${i}=%20&d[x${i}]=${i}`).join('&')
    return () => decodeParameters(specs, source('query', query))
  }
  const [short, long] = [decode(600), decode(6000)]
  t.equal(Object.keys(Object(long().query['rest'])).length, 6000)
  t.ok(cpuGrowth(10, short, long) < 4, 'one long query takes less than 40 short ones')
})
