/** The document for openapi-typescript: what a reference leads to becomes a component with a name of its own. */
import t from 'tap'
import type { JsonObject } from '../../../../src/compiler/compile/document/json-value.ts'
import { TypesView } from '../../../../src/compiler/compile/types/document-view.ts'

const to = (property: string): JsonObject => ({ $ref: `#/components/schemas/Plant/properties/${property}` })
const properties: JsonObject = {
  'leaf-size': { type: 'integer' },
  leaf_size: { type: 'string' },
  'leaf.size': { type: 'boolean' }
}

t.test('properties whose names differ by punctuation keep their types', async (t) => {
  const schemas = { Plant: { type: 'object', properties }, Both: { allOf: Object.keys(properties).map(to) } }
  const view = new TypesView({ openapi: '3.1.0', paths: {}, components: { schemas } }).of(String, []).document
  const found = Object(view['components']).schemas as Record<string, JsonObject>
  const references = found['Both']?.['allOf'] as { $ref: string }[]
  t.strictSame(
    references.map(({ $ref }) => found[$ref.replace('#/components/schemas/', '')]?.['type']),
    ['integer', 'string', 'boolean']
  )
})
