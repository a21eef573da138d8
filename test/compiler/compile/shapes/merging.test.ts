/** A composition merges each schema once, however often it holds it. */
import t from 'tap'
import type { JsonObject } from '../../../../src/compiler/compile/document/json-value.ts'
import { Merging } from '../../../../src/compiler/compile/shapes/merging.ts'
import { Shapes } from '../../../../src/compiler/compile/shapes/shape.ts'
import { anything } from '../../../../src/compiler/compile/shapes/shape-merge.ts'

const pointer = (level: number) => ({ $ref: `#/components/schemas/S${level}` })
const levels = 28

/** Returns a document of schemas that hold the next one several times. */
function chain(hold: (next: object, level: number) => object, last: object): JsonObject {
  const schemas = Array.from(
    { length: levels },
    (_, level) => [`S${level}`, hold(pointer(level + 1), level)] as const
  )
  return {
    openapi: '3.1.0',
    components: { schemas: { ...Object.fromEntries(schemas), [`S${levels}`]: last } }
  } as never
}

const leaf = { type: 'object', properties: { a: { type: 'string' } } }

for (const [what, hold] of [
  ['allOf', (next: object) => ({ allOf: [next, next] })],
  ['anyOf', (next: object) => ({ anyOf: [next, next] })],
  ['oneOf', (next: object) => ({ oneOf: [next, { description: 'other', ...next }] })],
  ['then and else', (next: object) => Object.fromEntries(['if', 'then', 'else'].map((key) => [key, next]))],
  ['dependentSchemas', (next: object) => ({ dependentSchemas: { a: next, b: next } })],
  [
    'allOf of allOf and anyOf',
    (next: object, level: number) => ({
      allOf: [{ allOf: [next] }, { anyOf: [next, { properties: { [`k${level}`]: true } }] }]
    })
  ]
] as const)
  for (const last of [leaf, { ...leaf, allOf: [pointer(0)] }, { ...leaf, allOf: [pointer(3), pointer(1)] }])
    t.test(`${levels} levels of ${what}, ${'allOf' in last ? 'in a circle' : 'in a row'}`, async (t) => {
      const shape = new Shapes(chain(hold, last)).of([pointer(0)])
      t.strictSame(shape.properties.get('a'), [leaf.properties.a])
      t.ok(shape.unnamed.length <= 2 * levels)
    })

t.test('a schema that a cycle has cut is merged again elsewhere', async (t) => {
  const [a, b] = [{ name: 'a' }, { name: 'b' }]
  const merging = new Merging()
  const merged: string[] = []
  const merge = (schema: { name: string }, inner: () => unknown) =>
    merging.once(schema, () => {
      merged.push(schema.name)
      inner()
      return { ...anything, open: false }
    })
  merge(a, () => merge(b, () => merge(a, () => t.fail('a is merged within itself'))))
  merge(b, () => {})
  merge(a, () => {})
  merge(b, () => {})
  t.strictSame(merged, ['a', 'b', 'b'])
})
