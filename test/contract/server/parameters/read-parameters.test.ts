import t from 'tap'
import type { ParameterSpec, TextShape } from '../../../../src/contract/model/parameter.ts'
import { decodeParameters } from '../../../../src/contract/server/parameters/decode.ts'
import type { ParameterSource } from '../../../../src/contract/server/parameters/decoded.ts'
import { type Json, request, serve } from '../../serve.ts'

const string: TextShape = { types: ['string'] }
const integer: TextShape = { types: ['integer'] }
const int64: TextShape = { types: ['int64'] }
const strings: TextShape = { types: [], items: string }
const integers: TextShape = { types: [], items: integer }
const rgb: TextShape = { types: [], properties: { R: integer, G: integer, name: string, list: integers } }
const map: TextShape = { types: [], properties: { R: integer }, additional: string }
const unknown: TextShape = { types: [] }

const styles = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' } as const

function spec(
  where: ParameterSpec['in'],
  shape: TextShape,
  more: Partial<ParameterSpec> = {}
): ParameterSpec {
  const style = more.style ?? styles[where]
  const explode = style === 'form' || style === 'cookie' || style === 'deepObject'
  return { name: 'p', in: where, key: 'p', required: false, style, explode, shape, ...more }
}

function source(where: ParameterSpec['in'], text: string): ParameterSource {
  return {
    path: where === 'path' ? { p: text } : {},
    query: where === 'query' ? text : '',
    headers: where === 'header' ? { p: text } : {},
    cookie: where === 'cookie' ? text : undefined
  }
}

/** The value of the only parameter, or its problems. */
function decode(only: ParameterSpec, text: string): unknown {
  const { problems, ...sections } = decodeParameters([only], source(only.in, text))
  const section = ({ path: 'params', query: 'query', header: 'headers', cookie: 'cookies' } as const)[only.in]
  const place = `${section}/p`
  if (problems.length === 0) return sections[section]['p']
  const isRefused = problems.some((problem) => problem.place === place)
  t.equal(Object.hasOwn(sections[section], 'p'), !isRefused, 'a refused parameter is absent')
  return problems.map((problem) =>
    problem.place === place ? problem.message : `${problem.place} ${problem.message}`
  )
}

t.test('primitives by type', async (t) => {
  const rows: [TextShape['types'], string, unknown][] = [
    [['string'], '12', '12'],
    [['string'], '', ''],
    [['string'], 'null', 'null'],
    [['integer'], '12', 12],
    [['integer'], '-0', 0],
    [['integer'], '1.0', 1],
    [['integer'], '1e3', 1000],
    [['integer'], '0x10', '0x10'],
    [['integer'], '', ''],
    [['integer'], '1.5', '1.5'],
    [['integer'], '+1', '+1'],
    [['integer'], '01', '01'],
    [['integer'], '9007199254740993', 9007199254740993n],
    [['integer'], '9007199254740992', 9007199254740992],
    [['integer'], `1${'0'.repeat(309)}`, 10n ** 309n],
    [['integer'], '1e999999999', '1e999999999'],
    [['int64'], '12', 12n],
    [['int64'], '9223372036854775808', 9223372036854775808n],
    [['int64'], '9007199254740993.0', 9007199254740993n],
    [['int64'], '1.5', '1.5'],
    [['int64', 'integer'], '7', 7n],
    [['number'], '1.5', 1.5],
    [['number'], '9007199254740993', 9007199254740992],
    [['number'], '1e400', '1e400'],
    [['number'], '1e-400', 0],
    [['number'], 'NaN', 'NaN'],
    [['number'], 'Infinity', 'Infinity'],
    [['integer', 'number'], '1.5', 1.5],
    [['integer', 'string'], '12', 12],
    [['integer', 'string'], 'x', 'x'],
    [['boolean'], 'true', true],
    [['boolean'], 'false', false],
    [['boolean'], 'TRUE', 'TRUE'],
    [['boolean'], '1', '1'],
    [['null'], 'null', null],
    [['null'], '', null],
    [['integer', 'null'], 'null', null],
    [['integer', 'null'], '', null],
    [['integer', 'null'], 'x', 'x'],
    [['string', 'null'], 'null', 'null'],
    [['string', 'null'], '', ''],
    [[], '12', '12']
  ]
  for (const [types, text, want] of rows)
    for (const where of ['path', 'header'] as const)
      t.strictSame(decode(spec(where, { types }), text), want, `${types} ${text.slice(0, 30)} in ${where}`)
})

t.test('styles in the path', async (t) => {
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
    t.strictSame(plain(decode(spec('path', shape, more), text)), want, `${JSON.stringify(more)} ${text}`)
})

t.test('styles in the query', async (t) => {
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
    t.strictSame(plain(decode(spec('query', shape, more), text)), want, `${JSON.stringify(more)} ${text}`)
})

t.test('deepObject', async (t) => {
  const nested: TextShape = {
    types: [],
    properties: { size: rgb, rows: { types: [], items: rgb }, tags: strings, n: int64 }
  }
  const either: TextShape = { types: [], properties: { v: { types: ['integer'], items: integer } } }
  const many = 'is given more than once'
  const rows: [TextShape, string, unknown][] = [
    [rgb, 'p[R]=100&p[name]=x', { R: 100, name: 'x' }],
    [rgb, 'p%5BR%5D=100', { R: 100 }],
    [rgb, 'p[R]=1&p[R]=2', [many]],
    [rgb, 'q[R]=1', undefined],
    [rgb, 'pp[R]=1', undefined],
    [rgb, 'p[x]=1', { x: '1' }],
    [rgb, 'p=1', '1'],
    [rgb, 'p=1&p[R]=1', ['is given both with and without brackets']],
    [rgb, 'p[R=1', ['has a name with unbalanced brackets']],
    [rgb, 'p[R]x=1', ['has a name with unbalanced brackets']],
    [rgb, 'p[R]=%', ['has malformed percent-encoding']],
    [nested, 'p[size][R]=1&p[size][name]=a+b&p[n]=5', { size: { R: 1, name: 'a b' }, n: 5n }],
    [nested, 'p[tags]=a', { tags: ['a'] }],
    [nested, 'p[tags]=a&p[tags]=b', { tags: ['a', 'b'] }],
    [nested, 'p[tags][]=a&p[tags][]=b', { tags: ['a', 'b'] }],
    [nested, 'p[tags][1]=b&p[tags][0]=a', { tags: ['b', 'a'] }],
    [nested, 'p[tags][999999999]=a', { tags: ['a'] }],
    [nested, 'p[tags][x]=a', { tags: { x: 'a' } }],
    [nested, 'p[rows][0][R]=1&p[rows][0][G]=2&p[rows][1][R]=3', { rows: [{ R: 1, G: 2 }, { R: 3 }] }],
    [nested, 'p[rows][][R]=1', { rows: [{ R: 1 }] }],
    [either, 'p[v]=1', { v: 1 }],
    [either, 'p[v]=1&p[v]=2', { v: [1, 2] }],
    [{ types: [], items: integer, properties: {} }, 'p=1', '1'],
    [unknown, 'p[a][b]=1', { a: { b: '1' } }],
    [rgb, `p${'[a]'.repeat(17)}=1`, ['must not nest deeper than 16 levels']],
    [rgb, 'p[__proto__]=1', JSON.parse('{"__proto__":"1"}')]
  ]
  for (const [shape, text, want] of rows)
    t.strictSame(plain(decode(spec('query', shape, { style: 'deepObject' }), text)), want, text)
  const deepest = decode(spec('query', unknown, { style: 'deepObject' }), `p${'[a]'.repeat(16)}=1`)
  t.match(JSON.stringify(deepest), '{"a":{"a":', '16 levels are read')
})

t.test('headers', async (t) => {
  const rows: [TextShape, Partial<ParameterSpec>, string, unknown][] = [
    [string, {}, 'a%20b, c', 'a%20b, c'],
    [integer, {}, '5', 5],
    [integers, {}, '3, 4\t,5', [3, 4, 5]],
    [rgb, {}, 'R, 100, name, x', { R: 100, name: 'x' }],
    [rgb, { explode: true }, 'R=100, name=x', { R: 100, name: 'x' }],
    [unknown, { json: true }, '{"a":1}', { a: 1 }]
  ]
  for (const [shape, more, text, want] of rows)
    t.strictSame(plain(decode(spec('header', shape, more), text)), want, text)
  const lines = { path: {}, query: '', headers: { p: ['1', '2, 3'] }, cookie: undefined }
  t.same(decodeParameters([spec('header', integers)], lines).headers, { p: [1, 2, 3] }, 'lines are joined')
})

t.test('cookies', async (t) => {
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
    t.strictSame(plain(decode(spec('cookie', shape, more), text)), want, text)
})

t.test('an open object takes only what no other parameter claims', async (t) => {
  const specs = [
    spec('query', map, { key: 'rest' }),
    spec('query', integer, { name: 'limit', key: 'limit' }),
    spec('query', unknown, { name: 'filter', key: 'filter', style: 'deepObject' }),
    spec('query', { types: [], properties: { x: integer } }, { name: 'point', key: 'point' }),
    spec('header', string, { name: 'h', key: 'h' })
  ]
  const query = 'R=1&limit=2&filter[a]=3&x=4&h=5'
  const decoded = decodeParameters(specs, { path: {}, query, headers: {}, cookie: undefined })
  const rest = { R: 1, h: '5' }
  t.same(plain(decoded.query), { rest, limit: 2, filter: { a: '3' }, point: { x: 4 } })
})

t.test('defaults stand in for what is absent, each time anew', async (t) => {
  const list = spec('query', integers, { default: [1] })
  const nothing = source('query', '')
  const first = decodeParameters([list], nothing).query['p']
  t.same(first, [1])
  t.not(first, list.default)
  t.equal(
    decode(spec('query', { types: ['integer', 'null'] }, { default: 7 }), 'p=null'),
    null,
    'null is not absent'
  )
  t.equal(decode(spec('query', int64, { default: 7n }), ''), 7n)
  for (const where of ['path', 'header', 'cookie'] as const) {
    const [only, empty] = [spec(where, integer), { path: {}, query: '', headers: {}, cookie: undefined }]
    t.same(decodeParameters([only], empty).problems, [], `${where}: absent is no problem here`)
    t.equal(JSON.stringify(decodeParameters([{ ...only, default: 7 }], empty)).includes('"p":7'), true, where)
  }
  t.throws(
    () => decodeParameters([spec('query', integer, { default: () => 1 })], nothing),
    /could not be cloned/
  )
})

t.test('names are only names', async (t) => {
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

t.test('every problem is told, and 10,000 pairs take linear time', async (t) => {
  const specs = [
    spec('query', integers),
    spec('query', map, { key: 'rest' }),
    spec('query', rgb, { name: 'd', key: 'd', style: 'deepObject' })
  ]
  const query = Array.from({ length: 10_000 }, (_, i) => `p=${i}&x${i}=%20&d[x${i}]=${i}`).join('&')
  const started = performance.now()
  const decoded = decodeParameters(specs, source('query', query))
  t.equal(Object.keys(Object(decoded.query['rest'])).length, 10_000)
  t.ok(performance.now() - started < 1000)
  const two = [spec('query', string, { key: 'a' }), spec('path', string, { key: 'b' })]
  const { problems } = decodeParameters(two, {
    path: { p: '%' },
    query: 'p=1&p=2',
    headers: {},
    cookie: undefined
  })
  t.same(problems, [
    { place: 'query/a', message: 'is given more than once' },
    { place: 'params/b', message: 'has malformed percent-encoding' }
  ])
})

t.test(
  "where only the router's own options make a path match, no handler runs without its parameters",
  async (t) => {
    const parameters: Json = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }]
    const operation: Json = { operationId: 'get', parameters, responses: { 204: { description: '' } } }
    const { ask } = await serve(
      t,
      { paths: { '/things/{id}': { get: operation } } },
      { handlers: { get: () => ({ status: 204 }) }, fastify: { routerOptions: { caseSensitive: false } } }
    )
    t.equal((await ask(request('GET /things/1'))).status, 204)
    t.match(await ask(request('GET /THINGS/1')), { status: 400, value: { message: 'params/id is required' } })
  }
)

/** With ordinary prototypes, so that they compare with literals; `__proto__` stays a property. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
}
