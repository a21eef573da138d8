/** References (JSON Schema Core, 8.2.3.1). Every row that uses `#` has an $id, because it would mean the contract. */
import type { Table } from './table.ts'

const integer = { type: 'integer' }
const string = { type: 'string' }
const at = (name: string) => ({ $id: `https://rows.example/${name}` })

export const references: Table = {
  '$ref and $defs': [
    {
      about: 'a pointer',
      schema: { ...at('pointer'), $defs: { n: integer }, properties: { a: { $ref: '#/$defs/n' } } },
      takes: ['{"a":1}', '{}'],
      refuses: ['{"a":"x"}']
    },
    {
      about: 'the resource itself',
      schema: { ...at('self'), properties: { next: { $ref: '#' }, n: integer }, additionalProperties: false },
      takes: ['{"next":{"next":{"n":1}}}'],
      refuses: ['{"next":{"x":1}}', '{"next":1.5,"x":1}']
    },
    {
      about: 'a chain',
      schema: {
        ...at('chain'),
        $ref: '#/$defs/c',
        $defs: { a: integer, b: { $ref: '#/$defs/a' }, c: { $ref: '#/$defs/b' } }
      },
      takes: ['1'],
      refuses: ['"x"']
    },
    {
      about: 'keywords beside it apply too',
      schema: {
        ...at('beside'),
        $ref: '#/$defs/list',
        maxItems: 2,
        $defs: { list: { type: 'array', minItems: 1 } }
      },
      takes: ['[1]', '[1,2]'],
      refuses: ['[]', '[1,2,3]', '{}']
    },
    {
      about: 'into properties and arrays',
      schema: { ...at('into'), prefixItems: [integer, { $ref: '#/prefixItems/0' }] },
      takes: ['[1,2]'],
      refuses: ['[1,"a"]']
    },
    {
      about: 'names with ~, / and %',
      schema: {
        ...at('escaped'),
        $defs: { 'a~b': integer, 'c/d': integer, 'e%f': integer, 'g h': integer, 'i"j': integer },
        properties: {
          t: { $ref: '#/$defs/a~0b' },
          s: { $ref: '#/$defs/c~1d' },
          p: { $ref: '#/$defs/e%25f' },
          b: { $ref: '#/$defs/g%20h' },
          q: { $ref: '#/$defs/i%22j' }
        }
      },
      takes: ['{"t":1,"s":2,"p":3,"b":4,"q":5}'],
      refuses: ['{"t":"x"}', '{"s":"x"}', '{"p":"x"}', '{"b":"x"}', '{"q":"x"}']
    },
    {
      about: 'a property named $ref is no reference',
      schema: { properties: { $ref: string } },
      takes: ['{"$ref":"a"}'],
      refuses: ['{"$ref":1}']
    },
    {
      about: 'a property named $ref, by reference',
      schema: { ...at('named-ref'), properties: { $ref: { $ref: '#/$defs/n' } }, $defs: { n: string } },
      takes: ['{"$ref":"a"}'],
      refuses: ['{"$ref":1}']
    },
    {
      about: 'a $ref in enum or const is data',
      schema: { const: { $ref: '#/nowhere' } },
      takes: ['{"$ref":"#/nowhere"}'],
      refuses: ['{}', '1']
    },
    {
      about: 'a boolean schema',
      schema: {
        ...at('boolean'),
        properties: { a: { $ref: '#/$defs/no' }, b: { $ref: '#/$defs/yes' } },
        $defs: { no: false, yes: true }
      },
      takes: ['{"b":1}'],
      refuses: ['{"a":1}']
    },
    {
      about: 'two schemas that refer to each other',
      schema: {
        ...at('mutual'),
        $ref: '#/$defs/tree',
        $defs: {
          tree: { properties: { nodes: { items: { $ref: '#/$defs/node' } } }, required: ['nodes'] },
          node: { properties: { value: integer, tree: { $ref: '#/$defs/tree' } }, required: ['value'] }
        }
      },
      takes: ['{"nodes":[{"value":1,"tree":{"nodes":[]}}]}'],
      refuses: ['{"nodes":[{"value":1,"tree":{"nodes":[{"value":"x"}]}}]}', '{}', '{"nodes":[{}]}']
    },
    {
      about: 'one definition from two branches',
      schema: {
        ...at('twice'),
        $defs: { n: integer },
        allOf: [{ properties: { a: { $ref: '#/$defs/n' } } }, { additionalProperties: { $ref: '#/$defs/n' } }]
      },
      takes: ['{"a":1}'],
      refuses: ['{"a":"x"}', '{"b":"x"}']
    },
    {
      about: 'to a schema in a keyword that is not known',
      schema: { ...at('unknown'), properties: { a: { $ref: '#/colours/dark' } }, colours: { dark: integer } },
      takes: ['{"a":1}'],
      refuses: ['{"a":"x"}']
    },
    {
      about: 'to the schema of an inherited name',
      schema: {
        ...at('inherited'),
        $defs: { constructor: integer },
        properties: { a: { $ref: '#/$defs/constructor' } }
      },
      takes: ['{"a":1}'],
      refuses: ['{"a":"x"}']
    }
  ]
}
