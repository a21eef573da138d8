import t from 'tap'
import { ContractNode, contractNodes, nodesBelow } from '../../../src/contract/document/walk.ts'
import type { JsonObject } from '../../../src/contract/model/json.ts'

const pointers = (document: JsonObject) => [...contractNodes(document)].map(({ pointer }) => pointer).sort()

const rows: readonly (readonly [what: string, document: JsonObject, pointers: readonly string[]])[] = [
  ['objects in objects and lists', { a: { b: {} }, c: [{}, 1, {}] }, ['#', '#/a', '#/a/b', '#/c/0', '#/c/2']],
  ['escaped names', { 'a/b': { 'c~d': {} } }, ['#', '#/a~1b', '#/a~1b/c~0d']],
  ['no data', { example: { a: {} }, examples: [{}], default: {}, enum: [{}], const: {} }, ['#']],
  ['no extensions', { 'x-a': { b: {} } }, ['#']],
  [
    'properties called like keywords',
    { properties: { default: {}, example: {}, 'x-id': {} } },
    ['#', '#/properties', '#/properties/default', '#/properties/example', '#/properties/x-id']
  ],
  ['no extensions of paths', { paths: { '/a': {}, 'x-b': {} } }, ['#', '#/paths', '#/paths/~1a']],
  [
    'no data of a link',
    { links: { default: { parameters: { a: {} }, requestBody: {}, server: {} } } },
    ['#', '#/links', '#/links/default', '#/links/default/server']
  ],
  [
    'no default inside a property',
    { properties: { a: { default: {} } } },
    ['#', '#/properties', '#/properties/a']
  ]
]

for (const [what, document, want] of rows)
  t.test(`the walk visits ${what}`, async (t) => {
    t.strictSame(pointers(document), want)
  })

t.test('an object that stands at two places is visited once', async (t) => {
  const shared = { type: 'string' }
  t.equal(pointers({ a: shared, b: shared }).length, 2)
})

t.test('parents come first, and each node knows its parent', async (t) => {
  const document = { properties: { a: { items: {} } } }
  const nodes = [...contractNodes(document)]
  for (const { node, holder } of nodes)
    t.ok(node === document ? holder === undefined : nodes.some((other) => other === holder))
  t.strictSame(
    nodes.map(({ names }) => names),
    [undefined, 'properties', undefined, undefined]
  )
})

t.test('nodes that were seen before are skipped', async (t) => {
  const inner = { b: {} }
  t.strictSame([...nodesBelow(new ContractNode({ a: inner }), new Set([inner]))].length, 1)
})
