import t from 'tap'
import type { TextShape } from '../../../../src/engine/model/parameter.ts'
import { decoded, int64, integer, rgb, spec, strings, unknown } from './parameter-table.ts'

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
