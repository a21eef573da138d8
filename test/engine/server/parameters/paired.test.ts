import t from 'tap'
import type { ParameterSpec, TextShape } from '../../../../src/engine/model/parameter.ts'
import { decodeParameters } from '../../../../src/engine/server/parameters/decode.ts'
import { UndecodableParameter } from '../../../../src/engine/server/parameters/decoded.ts'
import { pairedValue } from '../../../../src/engine/server/parameters/paired.ts'
import { formDecode, pairsOf } from '../../../../src/engine/server/parameters/pairs.ts'
import { integer, integers, map, plain, rgb, spec, string, unknown } from './parameter-table.ts'

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
