import t from 'tap'
import { bindDynamicReferences } from '../../../src/contract/document/dynamic-references.ts'
import { resolveIdentifiers } from '../../../src/contract/document/identifiers.ts'
import { type JsonObject, objectOf } from '../../../src/contract/model/json.ts'

/** Resolves and binds the references of the schemas; returns the schemas and the number of copies. */
function bind(members: JsonObject): { readonly schemas: JsonObject; readonly copies: number } {
  const document: JsonObject = { components: { schemas: members } }
  resolveIdentifiers(document)
  const copies = [...bindDynamicReferences(document)].length
  return { schemas: objectOf(objectOf(document['components'])['schemas']), copies }
}

const tree = (): JsonObject => ({
  $id: 'https://t.example/tree',
  $dynamicAnchor: 'node',
  properties: { children: { items: { $dynamicRef: '#node' } } }
})

t.test('without dynamic references nothing is copied', async (t) => {
  const { schemas, copies } = bind({ A: { $ref: '#/components/schemas/B' }, B: {} })
  t.equal(copies, 0)
  t.strictSame(schemas, { A: { $ref: '#/components/schemas/B' }, B: {} })
})

t.test('in its own scope a dynamic reference leads to its own anchor', async (t) => {
  const { schemas, copies } = bind({ Tree: tree() })
  t.equal(copies, 0)
  t.match(schemas['Tree'], { properties: { children: { items: { $ref: '#/components/schemas/Tree' } } } })
})

t.test('an extension with the same anchor gets a copy bound to itself', async (t) => {
  const { schemas, copies } = bind({
    Tree: tree(),
    Strict: { $id: 'https://t.example/strict', $dynamicAnchor: 'node', $ref: 'tree' }
  })
  t.ok(copies > 0)
  t.match(schemas['Strict'], { $ref: '#/components/schemas/Tree_2' })
  t.match(schemas['Tree_2'], { properties: { children: { items: { $ref: '#/components/schemas/Strict' } } } })
  t.match(schemas['Tree'], { properties: { children: { items: { $ref: '#/components/schemas/Tree' } } } })
  t.notMatch(schemas['Tree_2'], { $id: String, $dynamicAnchor: String })
})

t.test('a copy serves all references from the same scope, and its name is free', async (t) => {
  const { schemas } = bind({
    Tree: tree(),
    Tree_2: {},
    Strict: {
      $id: 'https://t.example/strict',
      $dynamicAnchor: 'node',
      $ref: 'tree',
      allOf: [{ $ref: 'tree' }]
    }
  })
  t.strictSame(Object.keys(schemas), ['Tree', 'Tree_2', 'Strict', 'Tree_3'])
  t.match(schemas['Strict'], {
    $ref: '#/components/schemas/Tree_3',
    allOf: [{ $ref: '#/components/schemas/Tree_3' }]
  })
})

t.test('a copied schema keeps its data and the names of its properties', async (t) => {
  const { schemas } = bind({
    Tree: { ...tree(), default: { $id: 'data' }, required: ['$id'], patternProperties: { $anchor: {} } },
    Strict: { $id: 'https://t.example/strict', $dynamicAnchor: 'node', $ref: 'tree' }
  })
  t.match(schemas['Tree_2'], {
    default: { $id: 'data' },
    required: ['$id'],
    patternProperties: { $anchor: {} }
  })
})
