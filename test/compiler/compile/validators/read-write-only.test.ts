/** Properties that one side does not send. */
import t from 'tap'
import type { Json, JsonObject } from '../../../../src/compiler/compile/document/json-value.ts'
import {
  HiddenProperties,
  hideRequired,
  none
} from '../../../../src/compiler/compile/validators/read-write-only.ts'

const readOnly: Json = { type: 'string', readOnly: true }
const document: JsonObject = {
  components: { schemas: { Base: { properties: { id: readOnly } }, Flagged: readOnly } }
}
const base: Json = { $ref: '#/components/schemas/Base' }

const rows: { name: string; node: JsonObject; want: string[] }[] = [
  { name: 'a flagged property', node: { properties: { a: readOnly, b: {} } }, want: ['a'] },
  {
    name: 'a property that refers to a flagged schema',
    node: { properties: { a: { $ref: '#/components/schemas/Flagged' } } },
    want: ['a']
  },
  { name: 'a property of a branch of allOf', node: { allOf: [base] }, want: ['id'] },
  { name: 'a property of the schema referred to', node: base, want: ['id'] },
  { name: 'the other flag', node: { properties: { a: { writeOnly: true } } }, want: [] },
  { name: 'a branch of anyOf', node: { anyOf: [base] }, want: [] }
]

for (const { name, node, want } of rows)
  t.test(name, async (t) => {
    t.strictSame([...new HiddenProperties(document, 'readOnly').namesIn(node, none)], want)
  })

t.test('a hidden property is not required', async (t) => {
  const schema: JsonObject = { type: 'object', required: ['id', 'name'] }
  t.strictSame(hideRequired(schema, new Set(['id'])), { type: 'object', required: ['name'] })
  t.strictSame(schema['required'], ['id', 'name'], 'the schema itself is unchanged')
  t.equal(hideRequired(schema, none), schema)
})
