import t from 'tap'
import {
  identifiersOf,
  isIdentified,
  resolveIdentifiers
} from '../../../src/contract/document/identifiers.ts'
import type { JsonObject } from '../../../src/contract/model/json.ts'

const schemas = (members: JsonObject): JsonObject => ({ components: { schemas: members } })
const at = (name: string) => `#/components/schemas/${name}`

t.test('identifiers are absolute, those of several schemas included', async (t) => {
  const document = schemas({
    A: { $id: 'https://a.example/a', $anchor: 'x', $defs: { B: { $id: 'b', $dynamicAnchor: 'y' } } },
    C: { $anchor: 'z' },
    D: { $anchor: 'twice' },
    E: { $anchor: 'twice' }
  })
  t.strictSame(
    identifiersOf(document),
    new Map([
      ['https://a.example/a', at('A')],
      ['https://a.example/a#x', at('A')],
      ['https://a.example/b', at('A/$defs/B')],
      ['https://a.example/b#y', at('A/$defs/B')],
      ['contract:/#z', at('C')],
      ['contract:/#twice', at('D')]
    ])
  )
})

const target = { $id: 'https://a.example/t', $anchor: 'x', properties: { p: {} } }

const rows: readonly (readonly [what: string, node: JsonObject, want: JsonObject])[] = [
  ['by $id', { $ref: 'https://a.example/t' }, { $ref: at('T') }],
  ['by anchor', { $ref: 'https://a.example/t#x' }, { $ref: at('T') }],
  ['by pointer below an $id', { $ref: 'https://a.example/t#/properties/p' }, { $ref: at('T/properties/p') }],
  ['to an unknown anchor', { $ref: '#nowhere' }, { $ref: '#nowhere' }],
  ['by pointer', { $ref: at('T') }, { $ref: at('T') }],
  ['that is not a URI', { $ref: 'http://[' }, { $ref: 'http://[' }],
  ['that is dynamic, to a plain anchor', { $dynamicRef: 'https://a.example/t#x' }, { $ref: at('T') }],
  ['that is dynamic, without a fragment', { $dynamicRef: 'https://a.example/t' }, { $ref: at('T') }],
  [
    'that is dynamic, beside a plain one',
    { $ref: at('T'), $dynamicRef: 'https://a.example/t#x', allOf: [{}] },
    { $ref: at('T'), allOf: [{}, { $ref: at('T') }] }
  ],
  ['that is dynamic, to a dynamic anchor', { $dynamicRef: '#dynamic' }, { $dynamicRef: at('Dynamic') }],
  ['that is dynamic, by a local pointer', { $dynamicRef: at('Dynamic') }, { $ref: at('Dynamic') }],
  ['that is dynamic, to nothing', { $dynamicRef: '#nowhere' }, { $dynamicRef: '#nowhere' }]
]

for (const [what, node, want] of rows)
  t.test(`a reference ${what}`, async (t) => {
    const document = schemas({ T: target, Dynamic: { $dynamicAnchor: 'dynamic' }, Node: node })
    resolveIdentifiers(document)
    t.strictSame(node, want)
  })

t.test('a reference to an anchor that two schemas have stays as it is', async (t) => {
  const node = { $ref: '#twice' }
  resolveIdentifiers(schemas({ A: { $anchor: 'twice' }, B: { $anchor: 'twice' }, Node: node }))
  t.strictSame(node, { $ref: '#twice' })
})

t.test('inside a schema with an $id a pointer may still mean the document', async (t) => {
  const inner = { $ref: '#/components/schemas/T' }
  resolveIdentifiers(schemas({ T: target, Outer: { $id: 'https://a.example/o', items: inner } }))
  t.equal(inner.$ref, at('T'))
})

t.test('isIdentified finds identifiers relative to any base', async (t) => {
  const identifiers = identifiersOf(schemas({ T: target }))
  t.ok(isIdentified('t', identifiers))
  t.ok(isIdentified('#x', identifiers))
  t.notOk(isIdentified('u', identifiers))
  t.notOk(isIdentified('#y', identifiers))
})
