/** Keywords for members by name (JSON Schema Core, 10.3.2). Values of other types are accepted. */
import type { Table } from './table.ts'

const others = ['null', '3', '"abc"', '[]', '["a"]']
const integer = { type: 'integer' }
const string = { type: 'string' }

export const properties: Table = {
  properties: [
    {
      about: 'by name; absent ones are accepted',
      schema: { properties: { height: integer, name: string } },
      takes: ['{}', '{"height":1}', '{"name":"a","x":[]}', ...others],
      refuses: ['{"height":"1"}', '{"name":"a","height":null}']
    },
    {
      about: 'boolean schemas',
      schema: { properties: { yes: true, no: false } },
      takes: ['{}', '{"yes":null}'],
      refuses: ['{"no":1}', '{"yes":1,"no":null}']
    },
    {
      about: 'names with escapes',
      schema: { properties: { 'a"b': integer, 'c\\d': integer, 'e\nf': integer, '': integer } },
      takes: ['{"a\\"b":1,"c\\\\d":2,"e\\nf":3,"":4}'],
      refuses: ['{"a\\"b":""}', '{"c\\\\d":""}', '{"e\\nf":""}', '{"":""}']
    },
    {
      about: 'a null is no absence',
      schema: { properties: { a: { type: 'null' } } },
      takes: ['{"a":null}', '{}'],
      refuses: ['{"a":0}']
    },
    {
      about: 'names that JavaScript objects inherit',
      schema: {
        properties: {
          constructor: integer,
          toString: { properties: { length: string } },
          hasOwnProperty: integer
        }
      },
      takes: ['{}', '{"constructor":1}', '{"toString":{"length":"a"}}', '[]'],
      refuses: ['{"constructor":"a"}', '{"toString":{"length":1}}', '{"hasOwnProperty":{}}']
    },
    {
      about: '__proto__ is a name like others',
      schema: JSON.parse('{"properties":{"__proto__":{"type":"integer"}}}'),
      takes: ['{}', '{"__proto__":1}'],
      refuses: ['{"__proto__":"a"}', '{"__proto__":null}']
    }
  ],
  patternProperties: [
    {
      about: 'every pattern that matches a name',
      schema: { patternProperties: { '^l': integer, f$: { maximum: 5 } } },
      takes: ['{}', '{"leaf":3}', '{"xf":"a"}', '{"other":[]}', ...others],
      refuses: ['{"leaf":6}', '{"l":"a"}', '{"leaf":3,"roof":6}']
    },
    {
      about: 'with properties, both apply',
      schema: { properties: { leaf: { minimum: 1 } }, patternProperties: { eaf: { maximum: 3 } } },
      takes: ['{"leaf":2}', '{"eaf":0}'],
      refuses: ['{"leaf":0}', '{"leaf":4}']
    },
    {
      about: 'not anchored, case-sensitive',
      schema: { patternProperties: { 'a+': false } },
      takes: ['{"A":1}', '{"":1}'],
      refuses: ['{"bab":1}']
    },
    {
      about: 'Unicode',
      schema: { patternProperties: { '^🌱$': integer, '^\\p{Lu}': string } },
      takes: ['{"🌱":1,"Ä":"a"}'],
      refuses: ['{"🌱":"a"}', '{"Ä":1}']
    },
    {
      about: 'true and false',
      schema: { patternProperties: { '^a': true, '^b': false } },
      takes: ['{"a":1}'],
      refuses: ['{"b":1}', '{"a":1,"b":null}']
    },
    {
      about: 'inherited names do not count',
      schema: { patternProperties: { '^con': false } },
      takes: ['{}', '{"a":1}'],
      refuses: ['{"constructor":1}']
    }
  ],
  additionalProperties: [
    {
      about: 'false: only declared names',
      schema: { properties: { a: {}, b: {} }, additionalProperties: false },
      takes: ['{}', '{"a":1}', '{"a":1,"b":2}', ...others],
      refuses: ['{"c":1}', '{"a":1,"A":1}']
    },
    {
      about: 'names that match a pattern are declared',
      schema: { properties: { a: {} }, patternProperties: { '^x-': string }, additionalProperties: false },
      takes: ['{"a":1,"x-b":"c"}'],
      refuses: ['{"b":1}', '{"x-b":1}', '{"yx-b":"c"}']
    },
    {
      about: 'a schema for the others',
      schema: { properties: { a: {} }, additionalProperties: integer },
      takes: ['{"a":"x"}', '{"b":1}'],
      refuses: ['{"b":"x"}']
    },
    {
      about: 'alone: for all',
      schema: { additionalProperties: { type: 'boolean' } },
      takes: ['{}', '{"a":true}'],
      refuses: ['{"a":1}']
    },
    {
      about: 'sees no subschema of allOf',
      schema: { allOf: [{ properties: { a: {} } }], additionalProperties: { type: 'boolean' } },
      takes: ['{"a":true}'],
      refuses: ['{"a":1}']
    },
    {
      about: 'sees neither propertyNames nor required',
      schema: { propertyNames: { maxLength: 3 }, required: ['a'], additionalProperties: integer },
      takes: ['{"a":1}'],
      refuses: ['{"a":"x"}', '{"abcd":1,"a":1}']
    },
    {
      about: 'sees no dependentSchemas',
      schema: {
        properties: { a: {} },
        dependentSchemas: { a: { properties: { b: {} } } },
        additionalProperties: false
      },
      takes: ['{"a":1}'],
      refuses: ['{"a":1,"b":1}']
    },
    {
      about: 'a null value is a property',
      schema: { additionalProperties: false },
      takes: ['{}'],
      refuses: ['{"a":null}']
    },
    {
      about: '__proto__ is additional',
      schema: { properties: { a: {} }, additionalProperties: false },
      takes: ['{"a":1}'],
      refuses: ['{"__proto__":1}', '{"toString":1}', '{"constructor":null}']
    }
  ]
}
