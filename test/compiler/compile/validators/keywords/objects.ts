/** Keywords for objects as a whole (JSON Schema Core, 10.2.2 and 10.3.2, and Validation, 6.5). Other types are accepted. */
import type { Table } from './table.ts'

const others = ['null', '3', '"abc"', '[]', '["a"]']
const integer = { type: 'integer' }

export const objects: Table = {
  propertyNames: [
    {
      about: 'every name as a string',
      schema: { propertyNames: { maxLength: 3 } },
      takes: ['{}', '{"abc":1}', '{"🌱🌱🌱":1}', ...others],
      refuses: ['{"abcd":1}', '{"a":1,"long":2}']
    },
    {
      about: 'a pattern',
      schema: { propertyNames: { pattern: '^[a-z]+$' } },
      takes: ['{"a":1}'],
      refuses: ['{"A":1}', '{"":1}', '{"a1":1}']
    },
    {
      about: 'an enum',
      schema: { propertyNames: { enum: ['a', 'b'] } },
      takes: ['{"a":1,"b":2}'],
      refuses: ['{"c":1}']
    },
    {
      about: 'a const',
      schema: { propertyNames: { const: 'a' } },
      takes: ['{"a":1}', '{}'],
      refuses: ['{"b":1}', '{"a":1,"b":1}']
    },
    {
      about: 'false: an empty object only',
      schema: { propertyNames: false },
      takes: ['{}', '[]'],
      refuses: ['{"a":1}']
    },
    {
      about: 'a name is never a number',
      schema: { propertyNames: { type: 'integer' } },
      takes: ['{}'],
      refuses: ['{"1":1}']
    },
    {
      about: '__proto__ is a name',
      schema: { propertyNames: { maxLength: 3 } },
      takes: ['{"a":1}'],
      refuses: ['{"__proto__":1}']
    }
  ],
  required: [
    {
      about: 'by name, of any value',
      schema: { required: ['a', 'b'] },
      takes: ['{"a":1,"b":null}', ...others],
      refuses: ['{}', '{"a":1}', '{"A":1,"b":2}']
    },
    { about: 'an empty list', schema: { required: [] }, takes: ['{}'], refuses: [] },
    {
      about: 'names that are not declared',
      schema: { properties: { a: {} }, required: ['b'] },
      takes: ['{"b":1}'],
      refuses: ['{"a":1}']
    },
    {
      about: 'names with escapes',
      schema: { required: ['a"b', 'c\nd', 'e.f', "g'h"] },
      takes: ['{"a\\"b":1,"c\\nd":1,"e.f":1,"g\'h":1}'],
      refuses: ['{"a\\"b":1,"c\\nd":1,"e.f":1}']
    },
    {
      about: 'inherited members are absent',
      schema: { required: ['__proto__', 'toString', 'constructor'] },
      takes: ['{"__proto__":1,"toString":1,"constructor":1}', '[]', '"a"'],
      refuses: ['{}', '{"__proto__":1}', '{"toString":1,"constructor":{"length":1}}']
    }
  ],
  minProperties: [
    {
      about: 'inclusive',
      schema: { minProperties: 2 },
      takes: ['{"a":1,"b":null}', '[]', '"a"'],
      refuses: ['{}', '{"a":1}', '{"a":1,"a":2}']
    }
  ],
  maxProperties: [
    {
      about: 'inclusive',
      schema: { maxProperties: 1 },
      takes: ['{}', '{"a":1}', '[1,2]'],
      refuses: ['{"a":1,"b":2}']
    },
    { about: 'zero', schema: { maxProperties: 0 }, takes: ['{}'], refuses: ['{"a":1}', '{"__proto__":1}'] }
  ],
  dependentRequired: [
    {
      about: 'names that a name requires',
      schema: { dependentRequired: { card: ['address', 'name'] } },
      takes: ['{}', '{"name":1}', '{"card":1,"address":1,"name":1}', ...others],
      refuses: ['{"card":1}', '{"card":null,"name":1}']
    },
    {
      about: 'an empty list',
      schema: { dependentRequired: { a: [] } },
      takes: ['{}', '{"a":1}'],
      refuses: []
    },
    {
      about: 'each other',
      schema: { dependentRequired: { a: ['b'], b: ['a'] } },
      takes: ['{}', '{"a":1,"b":1}'],
      refuses: ['{"a":1}', '{"b":1}']
    },
    {
      about: 'names with escapes',
      schema: { dependentRequired: { 'a\nb': ['c"d'] } },
      takes: ['{"a\\nb":1,"c\\"d":1}', '{}'],
      refuses: ['{"a\\nb":1}']
    },
    {
      about: 'inherited members are absent',
      schema: { dependentRequired: { constructor: ['a'] } },
      takes: ['{}'],
      refuses: ['{"constructor":1}']
    }
  ],
  dependentSchemas: [
    {
      about: 'applies to the whole object',
      schema: { dependentSchemas: { card: { properties: { limit: integer }, required: ['limit'] } } },
      takes: ['{}', '{"limit":"a"}', '{"card":1,"limit":2}', ...others],
      refuses: ['{"card":1}', '{"card":1,"limit":"a"}']
    },
    {
      about: 'boolean schemas',
      schema: { dependentSchemas: { a: true, b: false } },
      takes: ['{"a":1}', '{}'],
      refuses: ['{"b":1}', '{"a":1,"b":1}']
    },
    {
      about: 'beside properties',
      schema: { properties: { a: {} }, dependentSchemas: { a: { maxProperties: 1 } } },
      takes: ['{"a":1}', '{"b":1,"c":1}'],
      refuses: ['{"a":1,"b":1}']
    },
    {
      about: 'inherited members are absent',
      schema: { dependentSchemas: { toString: false } },
      takes: ['{}'],
      refuses: ['{"toString":1}']
    }
  ]
}
