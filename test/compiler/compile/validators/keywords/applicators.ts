/** Keywords that combine schemas (JSON Schema Core, 10.2). */
import type { Table } from './table.ts'

const integer = { type: 'integer' }
const string = { type: 'string' }
const has = (name: string) => ({ required: [name] })

export const applicators: Table = {
  allOf: [
    {
      about: 'every subschema',
      schema: { allOf: [{ minimum: 2 }, { multipleOf: 3 }] },
      takes: ['3', '6', '"a"'],
      refuses: ['2', '0', '-3']
    },
    {
      about: 'together with the keywords beside it',
      schema: {
        properties: { a: integer },
        required: ['a'],
        allOf: [has('b'), { properties: { b: string } }]
      },
      takes: ['{"a":1,"b":"x"}'],
      refuses: ['{"a":1}', '{"b":"x"}', '{"a":1,"b":2}', '{"a":"x","b":"x"}']
    },
    { about: 'boolean schemas', schema: { allOf: [true, false] }, takes: [], refuses: ['1', 'null', '{}'] },
    { about: 'an empty subschema', schema: { allOf: [{}, integer] }, takes: ['1'], refuses: ['"a"'] },
    {
      about: 'nested, with anyOf and oneOf beside it',
      schema: {
        allOf: [{ allOf: [{ multipleOf: 2 }] }],
        anyOf: [{ multipleOf: 3 }],
        oneOf: [{ multipleOf: 5 }, { const: 1 }]
      },
      takes: ['30', '-60'],
      refuses: ['10', '6', '15', '1']
    }
  ],
  anyOf: [
    {
      about: 'one subschema or more',
      schema: { anyOf: [integer, { minimum: 2 }] },
      takes: ['1', '2.5', '3', '"a"'],
      refuses: ['1.5', '0.5']
    },
    {
      about: 'beside a type',
      schema: { type: 'string', anyOf: [{ maxLength: 2 }, { minLength: 5 }] },
      takes: ['"ab"', '"abcde"'],
      refuses: ['"abc"', '1']
    },
    { about: 'all false', schema: { anyOf: [false, false] }, takes: [], refuses: ['1', 'null'] },
    { about: 'one true', schema: { anyOf: [false, true] }, takes: ['1', '{}'], refuses: [] },
    { about: 'nested', schema: { anyOf: [{ anyOf: [{ type: 'null' }] }] }, takes: ['null'], refuses: ['0'] },
    {
      about: 'null or another, beside a condition',
      schema: { anyOf: [{ type: 'null' }, integer], if: { minimum: 2 }, else: { const: 1 } },
      takes: ['1', '3', 'null'],
      refuses: ['0', '1.5', '"a"']
    },
    {
      about: 'objects',
      schema: {
        anyOf: [
          { properties: { a: integer }, required: ['a'] },
          { properties: { b: string }, required: ['b'] }
        ]
      },
      takes: ['{"a":1}', '{"b":"x"}', '{"a":1,"b":"x"}', '{"a":"x","b":"x"}'],
      refuses: ['{}', '{"a":"x"}', '{"a":"x","b":1}']
    }
  ],
  oneOf: [
    {
      about: 'exactly one subschema',
      schema: { oneOf: [integer, { minimum: 2 }] },
      takes: ['1', '2.5', '-7'],
      refuses: ['3', '2', '1.5', '0.5']
    },
    { about: 'two that are true', schema: { oneOf: [true, true, false] }, takes: [], refuses: ['1', '{}'] },
    { about: 'one that is true', schema: { oneOf: [false, true, false] }, takes: ['1'], refuses: [] },
    { about: 'none', schema: { oneOf: [false, false] }, takes: [], refuses: ['1'] },
    {
      about: 'required members exclude each other',
      schema: { type: 'object', oneOf: [{ required: ['mail'] }, { required: ['phone'] }] },
      takes: ['{"mail":1}', '{"phone":1,"x":2}'],
      refuses: ['{}', '{"mail":1,"phone":1}', '[]']
    },
    {
      about: 'an optional member does not distinguish',
      schema: {
        oneOf: [
          { properties: { a: integer, b: string }, required: ['a'] },
          { properties: { c: integer }, required: ['c'] }
        ]
      },
      takes: ['{"a":1}', '{"a":1,"c":"x"}'],
      refuses: ['{"a":1,"c":2}', '{"b":"x"}']
    },
    { about: 'nested', schema: { oneOf: [{ oneOf: [{ type: 'null' }] }] }, takes: ['null'], refuses: ['1'] }
  ],
  not: [
    {
      about: 'what the subschema refuses',
      schema: { not: integer },
      takes: ['"a"', '1.5', 'null'],
      refuses: ['1', '2.0']
    },
    {
      about: 'several types',
      schema: { not: { type: ['integer', 'boolean'] } },
      takes: ['"a"', '1.5'],
      refuses: ['1', 'true']
    },
    {
      about: 'an object with a forbidden member',
      schema: { properties: { a: { not: {} } } },
      takes: ['{}', '{"b":1}'],
      refuses: ['{"a":1}', '{"a":null}']
    },
    {
      about: 'of a required member',
      schema: { not: has('a') },
      takes: ['{}', '{"b":1}'],
      refuses: ['{"a":1}', '1']
    },
    { about: 'true refuses all', schema: { not: true }, takes: [], refuses: ['1', '{}'] },
    { about: 'false refuses nothing', schema: { not: false }, takes: ['1', '{}'], refuses: [] },
    { about: 'twice', schema: { not: { not: integer } }, takes: ['1'], refuses: ['"a"'] },
    {
      about: 'of a union',
      schema: { not: { anyOf: [{ const: 1 }, { const: 2 }] } },
      takes: ['3'],
      refuses: ['1', '2.0']
    }
  ],
  'if, then, else': [
    {
      about: 'then where if accepts, else where it refuses',
      schema: { if: { maximum: 0 }, then: { minimum: -10 }, else: { multipleOf: 2 } },
      takes: ['-5', '0', '4', '-10'],
      refuses: ['-11', '3']
    },
    {
      about: 'without else',
      schema: { if: { const: 'a' }, then: false },
      takes: ['"b"', '1'],
      refuses: ['"a"']
    },
    {
      about: 'without then',
      schema: { if: { const: 'a' }, else: false },
      takes: ['"a"'],
      refuses: ['"b"', '1']
    },
    { about: 'if alone refuses nothing', schema: { if: { const: 'a' } }, takes: ['"a"', '"b"'], refuses: [] },
    {
      about: 'then and else have no effect without if',
      schema: { then: false, else: false },
      takes: ['"a"', '{}'],
      refuses: []
    },
    {
      about: 'boolean conditions',
      schema: { if: true, then: { const: 1 }, else: { const: 2 } },
      takes: ['1'],
      refuses: ['2']
    },
    {
      about: 'a false condition',
      schema: { if: false, then: { const: 1 }, else: { const: 2 } },
      takes: ['2'],
      refuses: ['1']
    },
    {
      about: 'does not reach into another subschema of allOf',
      schema: { allOf: [{ if: { minimum: 5 } }, { then: false }, { else: false }] },
      takes: ['6', '1'],
      refuses: []
    },
    {
      about: 'by the value of a member',
      schema: {
        if: { properties: { kind: { const: 'tree' } }, required: ['kind'] },
        then: { required: ['height'] },
        else: { properties: { height: false } }
      },
      takes: ['{"kind":"tree","height":1}', '{"kind":"moss"}', '{}'],
      refuses: ['{"kind":"tree"}', '{"kind":"moss","height":1}', '{"height":1}']
    },
    {
      about: 'a chain',
      schema: { if: { const: 1 }, else: { if: { const: 2 }, else: { const: 3 } } },
      takes: ['1', '2', '3'],
      refuses: ['4']
    }
  ]
}
