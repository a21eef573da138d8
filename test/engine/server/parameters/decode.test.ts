/** Decoding of texts in all places: every style, with and without explode. */
import t from 'tap'
import type { ParameterSpec, PrimitiveType, TextShape } from '../../../../src/engine/model/parameter.ts'
import { decodeParameters } from '../../../../src/engine/server/parameters/decode.ts'
import { noParameters, type ParameterSource } from '../../../../src/engine/server/parameters/decoded.ts'

const string: TextShape = { types: ['string'] }
const integer: TextShape = { types: ['integer'] }
const strings: TextShape = { types: [], items: string }
const integers: TextShape = { types: [], items: integer }
const rgb: TextShape = { types: [], properties: { R: integer, G: integer, name: string, list: integers } }
const map: TextShape = { types: [], properties: { R: integer }, additional: string }
const unknown: TextShape = { types: [] }
const either: TextShape = { types: ['integer'], items: integer }

type Place = Exclude<ParameterSpec['in'], 'querystring'>
const styles = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' } as const
const sections = { path: 'params', query: 'query', header: 'headers', cookie: 'cookies' } as const

/** Returns a parameter `p`, in OpenAPI's default style for its place. */
function spec(where: Place, shape: TextShape, more: Partial<ParameterSpec> = {}): ParameterSpec {
  const style = more.style ?? styles[where]
  const explode = style === 'form' || style === 'cookie' || style === 'deepObject'
  return { name: 'p', in: where, key: 'p', required: false, style, explode, shape, ...more }
}

/** Returns a request that holds the text in one place. */
const source = (where: Place, text: string): ParameterSource => ({
  path: where === 'path' ? { p: text } : {},
  query: where === 'query' ? text : '',
  headers: where === 'header' ? { p: text } : {},
  cookie: where === 'cookie' ? text : undefined
})
const nothing = source('query', '')

/** Returns a copy with ordinary prototypes, for comparison with literals; `__proto__` stays a property. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
}

/** Returns the value of the only parameter; if it cannot be decoded, the messages of its problems. */
function decoded(where: Place, shape: TextShape, more: Partial<ParameterSpec>, text: string): unknown {
  const { problems, ...values } = decodeParameters([spec(where, shape, more)], source(where, text))
  const section = values[sections[where]]
  const place = `${sections[where]}/p`
  if (problems.length === 0) return plain(section['p'])
  if (problems.some((problem) => problem.place === place) === Object.hasOwn(section, 'p'))
    throw new Error('a parameter has either a value or a problem')
  return problems.map((problem) =>
    problem.place === place ? problem.message : `${problem.place} ${problem.message}`
  )
}

/** Values by text; a list of one message is a refusal. */
type Values = Readonly<Record<string, unknown>>
type Rows = readonly (readonly [shape: TextShape, more: Partial<ParameterSpec>, values: Values])[]

const malformed = ['has malformed percent-encoding']
const many = ['is given more than once']
const brackets = ['has a name with unbalanced brackets']
const noJson = ['is not valid JSON']
const json = { json: true } as const
const flat = { explode: false } as const
const exploded = { explode: true } as const
const label = (explode: boolean) => ({ style: 'label', explode }) as const
const matrix = (explode: boolean) => ({ style: 'matrix', explode }) as const
const space = { style: 'spaceDelimited', explode: false } as const
const pipe = { style: 'pipeDelimited', explode: false } as const
const deep = { style: 'deepObject' } as const
const cookie = { style: 'cookie' } as const

const tuple: TextShape = { types: [], prefixItems: [integer, string], items: { types: ['boolean'] } }
const nested: TextShape = {
  types: [],
  properties: { size: rgb, rows: { types: [], items: rgb }, tags: strings, n: { types: ['int64'] } }
}
const textOrObject: TextShape = { types: ['string', 'int64'], properties: { a: integer } }

const tables: Readonly<Record<Place, Rows>> = {
  path: [
    [string, {}, { blue: 'blue', 'a%2Cb%20c+d%2F': 'a,b c+d/', '%': malformed, '%ff': malformed }],
    [unknown, {}, { '1,2': '1,2' }],
    [integers, {}, { '3,4,5': [3, 4, 5], '1,x': [1, 'x'], '1,%zz': malformed }],
    [strings, {}, { 'a%2Cb,c': ['a,b', 'c'], '': [], ',': ['', ''] }],
    [strings, exploded, { 'a,b': ['a', 'b'] }],
    [tuple, {}, { '1,2,true': [1, '2', true] }],
    [{ types: [], prefixItems: [integer] }, {}, { '1,2': [1, '2'] }],
    [{ types: ['string'], items: integer }, {}, { 1: '1', '1,2': [1, 2] }],
    [rgb, {}, { 'R,100,name,7': { R: 100, name: '7' }, 'R,100,other,7': { R: 100, other: '7' }, '': {} }],
    [rgb, {}, { '__proto__,1': JSON.parse('{"__proto__":"1"}') }],
    [rgb, {}, { 'R,100,name': ['must be a list of names and values'] }],
    [rgb, {}, { 'R,1,%52,2': ['has a property that is given more than once'] }],
    [rgb, exploded, { 'R=1,name=a%3Db=2': { R: 1, name: 'a=b=2' } }],
    [rgb, exploded, { 'R=1,name': ['must be a list of name=value'] }],
    [{ types: ['string'], properties: {} }, {}, { x: 'x' }],
    [{ types: [], properties: {}, items: integer }, {}, { '1,2': [1, 2] }],
    [integer, label(false), { '.5': 5, 5: ['must begin with "."'] }],
    [{ types: ['number'] }, label(true), { '.1.5': 1.5 }],
    [integers, label(false), { '.3,4,5': [3, 4, 5], '.3.4.5': [3, 4, 5] }],
    [integers, label(true), { '.3.4.5': [3, 4, 5] }],
    [strings, label(true), { '.': [] }],
    [rgb, label(false), { '.R,100,G,200': { R: 100, G: 200 }, '.R.100.G.200': { R: 100, G: 200 } }],
    [rgb, label(true), { '.R=100.G=200': { R: 100, G: 200 } }],
    [integer, matrix(false), { ';p=5': 5 }],
    [integer, matrix(true), { ';p=5': 5, ';p=5;p=6': many }],
    [string, matrix(false), { ';p': '', ';p=': '', ';q=5': undefined, ';%=5': malformed }],
    [string, matrix(false), { 'p=5': ['must begin with ";"'] }],
    [integers, matrix(false), { ';p=3,4': [3, 4] }],
    [integers, matrix(true), { ';p=3;p=4': [3, 4] }],
    [rgb, matrix(false), { ';p=R,100,G,200': { R: 100, G: 200 } }],
    [rgb, matrix(true), { ';R=100;G=200;x=1': { R: 100, G: 200, x: '1' } }],
    [unknown, json, { '%5B1,%7B%22a%22%3A1%7D%5D': [1, { a: 1 }], '1,2': noJson }],
    [textOrObject, json, { auto: 'auto', '%22auto%22': 'auto', '{"a":1}': { a: 1 }, '{"a":': '{"a":' }],
    [
      textOrObject,
      json,
      { '[1]': '[1]', 5: 5, '9007199254740993': 9007199254740993n, true: 'true', null: 'null' }
    ],
    [{ types: ['string'], prefixItems: [integer] }, json, { '[1]': [1], 5: '5' }],
    [{ types: ['string', 'boolean', 'null'], properties: {} }, json, { null: null, true: true }],
    [string, json, { auto: noJson, '"auto"': 'auto' }]
  ],
  query: [
    [integer, {}, { 'p=1': 1, 'q=1': undefined, '': undefined, '&&p=1&': 1, 'p=1&p=1': many }],
    [
      string,
      {},
      { p: '', 'p=': '', 'p=a=b': 'a=b', 'p=a+b%2Bc%20d': 'a b+c d', '%70=a': 'a', 'p=a,b': 'a,b' }
    ],
    [
      string,
      {},
      { 'p=%E0%A4%A': malformed, 'p=%C0%80': malformed, 'p=%ED%A0%80': malformed, 'q=%&p=1': '1' }
    ],
    [string, {}, { '%=1&p=1': ['query has a name with malformed percent-encoding'], '=1': undefined }],
    [string, { allowReserved: true }, { 'p=/a?b:c+d%2F': '/a?b:c+d/' }],
    [string, { name: 'a b' }, { '%61+b=c': 'c' }],
    [unknown, {}, { 'p=1&p=1': many, 'p=1': '1' }],
    [integers, {}, { 'p=1&q=7&p=2': [1, 2], 'p=1': [1], 'p=1,2': ['1,2'] }],
    [strings, {}, { 'p=': [''], 'p=a%2Cb&p=c+d': ['a,b', 'c d'] }],
    [either, {}, { 'p=1': 1, 'p=1&p=2': [1, 2] }],
    [integers, flat, { 'p=1,2': [1, 2], 'p=': [], 'p=1&p=2': many }],
    [strings, flat, { 'p=a%2Cb,c': ['a,b', 'c'] }],
    [rgb, flat, { 'p=R,100,name,x': { R: 100, name: 'x' } }],
    [rgb, {}, { 'R=100&name=x&other=1': { R: 100, name: 'x' }, 'list=1&list=2': { list: [1, 2] } }],
    [rgb, {}, { 'other=1': undefined, 'toString=1': undefined, 'p=1': undefined, 'R=1&R=2': many }],
    [map, {}, { 'R=1&x=2': { R: 1, x: '2' } }],
    [{ types: ['integer'], properties: { a: integer } }, {}, { 'p=1': 1 }],
    [{ types: [], items: integer, properties: { a: integer } }, {}, { 'p=1&p=2': [1, 2], 'a=1': { a: 1 } }],
    [strings, space, { 'p=a%20b+c': ['a', 'b', 'c'] }],
    [strings, { ...space, allowReserved: true }, { 'p=a%20b+c': ['a', 'b+c'] }],
    [rgb, space, { 'p=R%20100%20G%20200': { R: 100, G: 200 } }],
    [strings, pipe, { 'p=a|b%7Cc%7cd': ['a', 'b', 'c', 'd'] }],
    [rgb, pipe, { 'p=R|100|G|200': { R: 100, G: 200 } }],
    [strings, { style: 'pipeDelimited', explode: true }, { 'p=a&p=b|c': ['a', 'b|c'] }],
    [unknown, json, { 'p=%7B%22a%22%3A9007199254740993%7D': { a: 9007199254740993n } }],
    [
      unknown,
      json,
      { 'p=9007199254740993': 9007199254740993n, 'p=[1e400,1e-400]': [Number.POSITIVE_INFINITY, 0] }
    ],
    [unknown, json, { 'p=x': noJson, 'p={"__proto__":1}': noJson, 'p=1&p=1': many, 'q=1': undefined }],
    [rgb, json, { 'p=%7B%22R%22%3A1%7D': { R: 1 } }],
    [
      rgb,
      deep,
      { 'p[R]=100&p[name]=x': { R: 100, name: 'x' }, 'p%5BR%5D=100': { R: 100 }, 'p[x]=1': { x: '1' } }
    ],
    [rgb, deep, { 'p[R]=1&p[R]=2': many, 'q[R]=1': undefined, 'pp[R]=1': undefined, 'p=1': '1' }],
    [rgb, deep, { 'p=1&p[R]=1': ['is given both with and without brackets'] }],
    [rgb, deep, { 'p[R=1': brackets, 'p[R]x=1': brackets, 'p[R]=%': malformed }],
    [nested, deep, { 'p[size][R]=1&p[size][name]=a+b&p[n]=5': { size: { R: 1, name: 'a b' }, n: 5n } }],
    [nested, deep, { 'p[tags]=a': { tags: ['a'] }, 'p[tags]=a&p[tags]=b': { tags: ['a', 'b'] } }],
    [nested, deep, { 'p[tags][]=a&p[tags][]=b': { tags: ['a', 'b'] } }],
    [
      nested,
      deep,
      { 'p[tags][1]=b&p[tags][0]=a': { tags: ['b', 'a'] }, 'p[tags][999999999]=a': { tags: ['a'] } }
    ],
    [nested, deep, { 'p[tags][x]=a': { tags: { x: 'a' } }, 'p[rows][][R]=1': { rows: [{ R: 1 }] } }],
    [
      nested,
      deep,
      { 'p[rows][0][R]=1&p[rows][0][G]=2&p[rows][1][R]=3': { rows: [{ R: 1, G: 2 }, { R: 3 }] } }
    ],
    [{ types: [], properties: { v: either } }, deep, { 'p[v]=1': { v: 1 }, 'p[v]=1&p[v]=2': { v: [1, 2] } }],
    [{ types: [], items: integer, properties: {} }, deep, { 'p=1': [1] }],
    [unknown, deep, { 'p[a][b]=1': { a: { b: '1' } } }],
    [rgb, deep, { [`p${'[a]'.repeat(17)}=1`]: ['must not nest deeper than 16 levels'] }],
    [unknown, deep, { [`p${'[a]'.repeat(16)}=1`]: JSON.parse(`${'{"a":'.repeat(16)}"1"${'}'.repeat(16)}`) }],
    [rgb, deep, { 'p[__proto__]=1': JSON.parse('{"__proto__":"1"}') }]
  ],
  header: [
    [string, {}, { 'a%20b, c': 'a%20b, c' }],
    [integer, {}, { 5: 5 }],
    [integers, {}, { '3, 4\t,5': [3, 4, 5] }],
    [rgb, {}, { 'R, 100, name, x': { R: 100, name: 'x' } }],
    [rgb, exploded, { 'R=100, name=x': { R: 100, name: 'x' } }],
    [unknown, json, { '{"a":1}': { a: 1 } }]
  ],
  cookie: [
    [string, {}, { 'q=1; p=a%20b': 'a b', 'p=100%': '100%', 'p=%ff%C0%80': '%ff%C0%80', 'p=a+b%2B': 'a+b+' }],
    [string, {}, { 'p="a b"': 'a b', 'p="': '"', 'p=""': '', 'p=a=b&c': 'a=b&c', ' p = x ;': 'x' }],
    [string, {}, { p: undefined, '=p': undefined }],
    [integer, {}, { 'p=1; p=2': many }],
    [integers, {}, { 'p=1; p=2': [1, 2], 'p=1&p=2': [1, 2] }],
    [integers, flat, { 'p=1,2': [1, 2] }],
    [rgb, flat, { 'p=R,1,G,2': { R: 1, G: 2 } }],
    [rgb, {}, { 'R=1; G=2': { R: 1, G: 2 }, 'R=1&G=2': { R: 1, G: 2 } }],
    [string, cookie, { 'p=a%20b': 'a%20b' }],
    [strings, cookie, { 'p=a&p=b; p=c': ['a&p=b', 'c'] }],
    [unknown, json, { 'p=%7B%22a%22%3A1%7D': { a: 1 } }]
  ]
}
for (const [where, rows] of Object.entries(tables) as [Place, Rows][])
  t.test(`a ${where} parameter is decoded by style, shape and explode`, async (t) => {
    for (const [shape, more, values] of rows)
      for (const [text, want] of Object.entries(values))
        t.strictSame(decoded(where, shape, more, text), want, `${JSON.stringify(more)} ${text}`)
  })

t.test('a text becomes a value of a declared type, or stays as it is', async (t) => {
  /** Texts that stay as they are have no value. */
  const rows: [types: readonly PrimitiveType[], values: Values, kept?: readonly string[]][] = [
    [['string'], {}, ['12', '', 'null']],
    [['integer'], { 12: 12, '-0': 0, '1.0': 1, '1e3': 1000, '9007199254740993': 9007199254740993n }],
    [['integer'], { '9007199254740992': 2 ** 53, [`1${'0'.repeat(309)}`]: 10n ** 309n }],
    [['integer'], {}, ['0x10', '', '1.5', '+1', '01', '1e999999999']],
    [['int64'], { 12: 12n, '9223372036854775808': 2n ** 63n, '9007199254740993.0': 2n ** 53n + 1n }, ['1.5']],
    [['int64', 'integer'], { 7: 7n }],
    [['number'], { 1.5: 1.5, '9007199254740993': 2 ** 53, '1e-400': 0 }, ['1e400', 'NaN', 'Infinity']],
    [['integer', 'number'], { 1.5: 1.5 }],
    [['integer', 'string'], { 12: 12 }, ['x']],
    [['boolean'], { true: true, false: false }, ['TRUE', '1']],
    [['null'], { null: null, '': null }],
    [['integer', 'null'], { null: null, '': null }, ['x']],
    [['string', 'null'], {}, ['null', '']],
    [[], {}, ['12', '']]
  ]
  for (const [types, values, kept = []] of rows)
    for (const [text, want] of [...Object.entries(values), ...kept.map((same) => [same, same] as const)])
      t.strictSame(
        decoded('query', { types }, {}, `p=${encodeURIComponent(text)}`),
        want,
        `${types.join(' or ')}: ${text.slice(0, 30)}`
      )
})

t.test('several lines of a header are one list', async (t) => {
  const lines = { ...nothing, headers: { p: ['1', '2, 3'] } }
  t.same(decodeParameters([spec('header', integers)], lines).headers, { p: [1, 2, 3] })
})

t.test('an open object takes only what no other parameter claims', async (t) => {
  const specs = [
    spec('query', map, { key: 'rest' }),
    spec('query', integer, { name: 'limit', key: 'limit' }),
    spec('query', unknown, { name: 'filter', key: 'filter', style: 'deepObject' }),
    spec('query', { types: [], properties: { x: integer } }, { name: 'point', key: 'point' }),
    spec('header', string, { name: 'h', key: 'h' })
  ]
  const decoded = decodeParameters(specs, source('query', 'R=1&limit=2&filter[a]=3&x=4&h=5'))
  const rest = { R: 1, h: '5' }
  t.same(plain(decoded.query), { rest, limit: 2, filter: { a: '3' }, point: { x: 4 } })
})

t.test('an absent parameter has its default, a new copy for each request', async (t) => {
  const list = spec('query', integers, { default: [1] })
  const first = decodeParameters([list], nothing).query['p']
  t.same(first, [1])
  t.not(first, list.default)
  t.equal(decoded('query', { types: ['integer', 'null'] }, { default: 7 }, 'p=null'), null)
  t.equal(decoded('query', { types: ['int64'] }, { default: 7n }, ''), 7n)
  for (const where of ['path', 'header', 'cookie'] as const) {
    const only = spec(where, integer)
    t.same(decodeParameters([only], nothing).problems, [], `${where}: absence is not a problem of decoding`)
    t.same(decodeParameters([{ ...only, default: 7 }], nothing)[sections[where]], { p: 7 }, where)
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
    const { query, params, headers, problems } = decodeParameters(specs, nothing)
    t.strictSame([query, params, headers, problems].map(plain), [{}, {}, {}, []], name)
    const given = decodeParameters(specs, source('query', `${name}=1&valueOf=2`))
    t.strictSame(Object.keys(given.query), [name, 'rest'])
    t.strictSame(plain(given.query['rest']), { valueOf: '2' })
  }
})

t.test('operations without parameters share objects that a handler cannot change', async (t) => {
  for (const members of Object.values(noParameters)) {
    t.throws(() => Object.assign(members, { added: true }), TypeError)
    t.same([Reflect.ownKeys(members), members['toString']], [[], undefined])
  }
})

t.test('every problem is reported', async (t) => {
  const specs = [spec('query', string, { key: 'a' }), spec('path', string, { key: 'b' })]
  const texts = { ...source('path', '%'), query: 'p=1&p=2&%=3' }
  const keyword = undefined
  t.strictSame(decodeParameters(specs, texts).problems, [
    { place: 'query', pointer: '/query', keyword, message: 'has a name with malformed percent-encoding' },
    { place: 'query/a', pointer: '/query/a', keyword, message: 'is given more than once' },
    { place: 'params/b', pointer: '/params/b', keyword, message: 'has malformed percent-encoding' }
  ])
})
