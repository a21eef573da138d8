/** Keywords whose value JSON Schema does not allow, and the messages about them. */
import t from 'tap'
import { malformedIn } from '../../../../src/compiler/compile/validators/malformed.ts'
import type { Schema } from '../../../../src/compiler/compile/vocabulary/keywords.ts'

const rows: { name: string; schema: Schema; messages: string[] }[] = [
  { name: 'a schema without a fault', schema: { properties: { a: { minLength: 1 } } }, messages: [] },
  { name: 'a boolean schema', schema: true, messages: [] },
  {
    name: 'every fault of a schema, with the member that has it',
    schema: { properties: { 'a/b': { minLength: -1 }, c: { items: null } } },
    messages: [
      'minLength must be >= 0: properties/a/b/minLength is -1',
      'items must be an object or a boolean: properties/c/items is null'
    ]
  },
  {
    name: 'an item of a list, not the list around it',
    schema: { type: ['string', 1] },
    messages: [
      '1 must be equal to one of the allowed values: type/1 is 1; allowed are array, boolean, integer, null, number, object, string'
    ]
  },
  {
    name: 'a type that is misspelt or cut short',
    schema: { properties: { a: { type: 'strnig' }, b: { type: 'str' }, c: { type: 'text' } } },
    messages: [
      'type must be equal to one of the allowed values: properties/a/type is "strnig"; did you mean string?',
      'type must be equal to one of the allowed values: properties/b/type is "str"; did you mean string?',
      'type must be equal to one of the allowed values: properties/c/type is "text"; allowed are array, boolean, integer, null, number, object, string'
    ]
  },
  {
    name: 'a long value is cut',
    schema: { required: 'x'.repeat(100) },
    messages: [`required must be array: required is "${'x'.repeat(59)}…`]
  }
]

for (const { name, schema, messages } of rows)
  t.test(name, async (t) => {
    const found = malformedIn(schema).map(({ message }) => message)
    t.strictSame(found.sort(), messages.sort())
  })
