import t from 'tap'
import type { ParameterSpec, TextShape } from '../../../../src/engine/model/parameter.ts'
import { decodeParameters } from '../../../../src/engine/server/parameters/decode.ts'
import { UndecodableParameter } from '../../../../src/engine/server/parameters/decoded.ts'
import { pairedValue } from '../../../../src/engine/server/parameters/paired.ts'
import { formDecode, pairsOf } from '../../../../src/engine/server/parameters/pairs.ts'
import {
  decoded,
  int64,
  integer,
  integers,
  map,
  plain,
  rgb,
  spec,
  string,
  strings,
  unknown
} from './parameter-table.ts'

function valueIn(query: string, parameter: ParameterSpec): unknown {
  const { pairs } = pairsOf(query, '&', formDecode)
  return plain(pairedValue(parameter, { pairs, specs: [parameter], delimiter: ',', decode: formDecode }))
}

t.test(
  'a parameter is read from the pairs of its name, an exploded object from those of its properties',
  async (t) => {
    const either: TextShape = { types: ['integer'], items: integer }
    const rows: [shape: TextShape, more: Partial<ParameterSpec>, query: string, want: unknown][] = [
      [integer, {}, 'p=1&q=2', 1],
      [integer, {}, 'q=2', undefined],
      [integers, {}, 'p=1&p=2', [1, 2]],
      [integers, { explode: false }, 'p=1,2', [1, 2]],
      [either, {}, 'p=1', 1],
      [either, {}, 'p=1&p=2', [1, 2]],
      [rgb, {}, 'R=1&other=2', { R: 1 }],
      [rgb, {}, 'list=1&list=2', { list: [1, 2] }],
      [rgb, {}, 'p=1', undefined],
      [rgb, { explode: false }, 'p=R,1', { R: 1 }],
      [map, {}, 'R=1&other=2', { R: 1, other: '2' }],
      [unknown, { json: true }, 'p=[1]', [1]],
      [rgb, { style: 'deepObject' }, 'p[R]=1', { R: 1 }]
    ]
    for (const [shape, more, query, want] of rows)
      t.strictSame(valueIn(query, spec('query', shape, more)), want, query)
    const twice = new UndecodableParameter('is given more than once')
    for (const more of [{}, { explode: false }, { json: true }] as const)
      t.throws(() => valueIn('p=1&p=2', spec('query', integer, more)), twice, JSON.stringify(more))
  }
)

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

t.test('brackets nest objects and lists', async (t) => {
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
    [{ types: [], items: integer, properties: {} }, 'p=1', [1]],
    [unknown, 'p[a][b]=1', { a: { b: '1' } }],
    [rgb, `p${'[a]'.repeat(17)}=1`, ['must not nest deeper than 16 levels']],
    [rgb, 'p[__proto__]=1', JSON.parse('{"__proto__":"1"}')]
  ]
  for (const [shape, text, want] of rows)
    t.strictSame(decoded(spec('query', shape, { style: 'deepObject' }), text), want, text)
  const deepest = decoded(spec('query', unknown, { style: 'deepObject' }), `p${'[a]'.repeat(16)}=1`)
  t.match(JSON.stringify(deepest), '{"a":{"a":', '16 levels are accepted')
})
