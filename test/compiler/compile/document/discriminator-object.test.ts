import t from 'tap'
import {
  inheritors,
  mappingPointer,
  requires
} from '../../../../src/compiler/compile/document/discriminator-object.ts'
import type { JsonObject } from '../../../../src/compiler/compile/document/json-value.ts'

const parent: JsonObject = { discriminator: { propertyName: 'kind' } }
const child: JsonObject = { allOf: [{ $ref: '#/components/schemas/Parent' }] }
const grandchild: JsonObject = { allOf: [{}, { $ref: '#/components/schemas/Child' }] }
const schemas = { Grandchild: grandchild, Child: child, Parent: parent, Other: {} }
const document: JsonObject = { components: { schemas } }

for (const [target, pointer] of [
  ['Child', '#/components/schemas/Child'],
  ['#/components/schemas/Child', '#/components/schemas/Child'],
  ['#/components/schemas/None', undefined],
  ['None', undefined],
  ['toString', undefined]
] as const)
  t.test(`a mapping to ${target} leads to ${pointer ?? 'no schema'}`, async (t) => {
    t.equal(mappingPointer(document, target), pointer)
  })

t.test('the children of a schema with a discriminator inherit it, directly or not', async (t) => {
  t.strictSame(inheritors(document, parent), [child, grandchild])
})

t.test('schemas that also accept null inherit what accepts no null', async (t) => {
  const nothing = { type: 'null' }
  const members: JsonObject = { allOf: [{ $ref: '#/components/schemas/Parent' }] }
  const leaf: JsonObject = { allOf: [{ $ref: '#/components/schemas/Child' }] }
  const nullable = { Parent: { anyOf: [parent, nothing] }, Child: { anyOf: [members, nothing] }, Leaf: leaf }
  t.strictSame(inheritors({ components: { schemas: nullable } }, parent), [members, leaf])
})

t.test('a schema without a discriminator, or with a union, has no inheritors', async (t) => {
  t.strictSame(inheritors(document, child), [])
  t.strictSame(inheritors(document, { ...parent, oneOf: [] }), [])
  t.strictSame(inheritors(document, { ...parent, anyOf: [] }), [])
})

const to = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })
const tree: JsonObject = {
  components: {
    schemas: {
      Tagged: { type: 'object', required: ['kind'] },
      Open: { type: 'object' },
      Inheriting: { allOf: [to('Inheriting'), to('Open'), to('Tagged')] },
      Union: { oneOf: [to('Tagged'), to('Inheriting')] },
      Loose: { anyOf: [to('Tagged'), to('Open')] },
      Circular: { oneOf: [to('Tagged'), to('Circular')] }
    }
  }
}

for (const [name, isRequired] of [
  ['Tagged', true],
  ['Open', false],
  ['Inheriting', true],
  ['Union', true],
  ['Loose', false],
  ['Circular', false],
  ['None', false]
] as const)
  t.test(`${name} requires the property: ${isRequired}`, async (t) => {
    t.equal(requires(tree, to(name), 'kind'), isRequired)
  })
