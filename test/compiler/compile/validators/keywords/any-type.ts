/** Keywords for values of any type (JSON Schema Validation, 6.1), and boolean schemas (Core, 4.3.2). */
import type { Table } from './table.ts'

const one = ['null', 'true', '7', '1.5', '"fern"', '["fern"]', '{"fern":1}']

export const anyType: Table = {
  'boolean schemas': [
    { about: 'true accepts every value', schema: true, takes: one, refuses: [] },
    { about: 'false refuses every value', schema: false, takes: [], refuses: one },
    { about: 'an empty schema accepts every value', schema: {}, takes: one, refuses: [] }
  ],
  type: [
    { about: 'null', schema: { type: 'null' }, takes: ['null'], refuses: ['0', '""', 'false', '[]', '{}'] },
    {
      about: 'boolean',
      schema: { type: 'boolean' },
      takes: ['true', 'false'],
      refuses: ['0', '1', '"true"', 'null', '[]']
    },
    {
      about: 'integer by value, not by spelling',
      schema: { type: 'integer' },
      takes: ['0', '-0', '12', '-12', '12.0', '1.2e1', '1200e-2'],
      refuses: ['1.5', '1e-1', '"12"', 'null', 'true', '[1]']
    },
    {
      about: 'number',
      schema: { type: 'number' },
      takes: ['1', '1.5', '-2e3'],
      refuses: ['"1"', 'null', '[]']
    },
    {
      about: 'string',
      schema: { type: 'string' },
      takes: ['""', '"12"', '"null"'],
      refuses: ['12', 'null', '[""]']
    },
    {
      about: 'array',
      schema: { type: 'array' },
      takes: ['[]', '[1]'],
      refuses: ['{}', '{"length":0}', '"[]"', 'null']
    },
    {
      about: 'object',
      schema: { type: 'object' },
      takes: ['{}', '{"a":1}'],
      refuses: ['[]', 'null', '"{}"']
    },
    {
      about: 'any of several',
      schema: { type: ['array', 'null', 'integer'] },
      takes: ['[]', 'null', '3'],
      refuses: ['{}', '3.5', '"3"', 'false']
    },
    {
      about: 'a long list of texts',
      schema: { enum: [...'abcdefghijklmnopqrstuvwxyz'] },
      takes: ['"a"', '"z"'],
      refuses: ['"A"', '"ab"', '1', 'null']
    },
    { about: 'a list of one', schema: { type: ['string'] }, takes: ['"a"'], refuses: ['1'] }
  ],
  const: [
    {
      about: 'numbers are equal by value',
      schema: { const: 4 },
      takes: ['4', '4.0', '40e-1', '0.4e1'],
      refuses: ['4.5', '"4"', '[4]', 'true']
    },
    { about: 'a fraction', schema: { const: 0.5 }, takes: ['0.5', '5e-1', '0.50'], refuses: ['0.51', '1'] },
    {
      about: 'zero equals negative zero',
      schema: { const: 0 },
      takes: ['0', '-0', '0.0'],
      refuses: ['false', 'null', '""']
    },
    {
      about: 'one is not true',
      schema: { const: 1 },
      takes: ['1'],
      refuses: ['true', '"1"', '[1]', '[true]']
    },
    { about: 'true is not one', schema: { const: true }, takes: ['true'], refuses: ['1', '"true"', 'false'] },
    { about: 'null', schema: { const: null }, takes: ['null'], refuses: ['0', 'false', '""', '{}'] },
    {
      about: 'objects without regard to the order of members',
      schema: { const: { leaf: 2, root: [1] } },
      takes: ['{"leaf":2,"root":[1]}', '{"root":[1.0],"leaf":2}'],
      refuses: ['{"leaf":2}', '{"leaf":2,"root":[1],"x":0}', '{"leaf":2,"root":[true]}', '[]']
    },
    {
      about: 'arrays in order',
      schema: { const: ['a', { b: false }] },
      takes: ['["a",{"b":false}]'],
      refuses: ['[{"b":false},"a"]', '["a"]', '["a",{"b":0}]', '["a",{"b":false},null]']
    },
    {
      about: 'an empty array is no empty object',
      schema: { const: [] },
      takes: ['[]'],
      refuses: ['{}', '[null]', 'null']
    },
    { about: 'an empty object', schema: { const: {} }, takes: ['{}'], refuses: ['[]', '{"a":1}'] },
    {
      about: 'text by code point: no Unicode normalisation, no end at U+0000',
      schema: { const: 'né\u0000x' },
      takes: ['"né\\u0000x"', '"n\\u00e9\\u0000x"'],
      refuses: ['"ne\\u0301\\u0000x"', '"né"', '"né\\u0000y"']
    }
  ],
  enum: [
    {
      about: 'values of several types',
      schema: { enum: [6, 'fern', [], { moss: 12 }, null, false] },
      takes: ['6', '6.0', '"fern"', '[]', '{"moss":12.0}', 'null', 'false'],
      refuses: ['0', '"6"', '{"moss":13}', '{"moss":12,"x":1}', 'true', '[false]']
    },
    { about: 'a list of one', schema: { enum: ['only'] }, takes: ['"only"'], refuses: ['"Only"', '"onl"'] },
    {
      about: 'zero is not false',
      schema: { enum: [0] },
      takes: ['0', '-0.0'],
      refuses: ['false', '[]', '""']
    },
    {
      about: 'false is not zero, nor is it in a list',
      schema: { enum: [[false]] },
      takes: ['[false]'],
      refuses: ['[0]', 'false']
    },
    {
      about: 'escapes of the text do not matter',
      schema: { enum: ['a\nb', 'c\rd'] },
      takes: ['"a\\nb"', '"c\\u000dd"'],
      refuses: ['"anb"']
    },
    {
      about: 'of a property that may be absent',
      schema: { properties: { size: { enum: ['small', 'large'] } } },
      takes: ['{}', '{"size":"large"}', '"small"'],
      refuses: ['{"size":"medium"}', '{"size":null}']
    },
    {
      about: 'with a type, both apply',
      schema: { type: 'string', enum: ['a', 1] },
      takes: ['"a"'],
      refuses: ['1', '"b"']
    }
  ]
}
