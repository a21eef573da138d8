import t from 'tap'
import { mappingPointer, requires } from '../../../src/contract/document/discriminator-object.ts'
import type { JsonObject } from '../../../src/contract/model/json.ts'

const document: JsonObject = { components: { schemas: { Child: {} } } }

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
