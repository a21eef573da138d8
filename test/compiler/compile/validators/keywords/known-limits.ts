/**
 * Verdicts of the specification that the compiled validators miss; the test asserts the wrong verdict, so that a fix
 * shows. The code that Ajv generates causes all but the last. `$vocabulary` is ignored too: every vocabulary applies.
 */
import type { Table } from './table.ts'

const oak = { contains: { const: 'oak' } }
const named = { properties: { name: {} }, required: ['name'] }

export const knownLimits: Table = {
  'contains evaluates every item, not only those that match': [
    {
      about: 'beside unevaluatedItems',
      schema: { ...oak, unevaluatedItems: { type: 'integer' } },
      takes: [],
      refuses: ['["oak","elm"]', '["elm","oak"]']
    },
    {
      about: 'after prefixItems',
      schema: { prefixItems: [true], ...oak, unevaluatedItems: false },
      takes: [],
      refuses: ['["fir","oak","elm"]']
    },
    {
      about: 'in allOf',
      schema: { allOf: [oak, { contains: { const: 'elm' } }], unevaluatedItems: false },
      takes: [],
      refuses: ['["elm","oak","fir"]']
    }
  ],
  'items of a branch evaluate the wrong number of items': [
    {
      about: 'in anyOf',
      schema: { anyOf: [{ items: { type: 'null' } }, true], unevaluatedItems: { const: 0 } },
      takes: ['[null,null]'],
      refuses: ['[1]', '[0,1]']
    },
    {
      about: 'in oneOf',
      schema: {
        oneOf: [{ items: { type: 'null' } }, { items: { type: 'string' } }],
        unevaluatedItems: false
      },
      takes: ['["a","b"]'],
      refuses: []
    }
  ],
  'if without then evaluates nothing': [
    {
      about: 'properties',
      schema: { if: named, unevaluatedProperties: false },
      takes: ['{"name":1}'],
      refuses: []
    },
    {
      about: 'properties, with else',
      schema: { if: named, else: true, unevaluatedProperties: false },
      takes: ['{"name":1}'],
      refuses: []
    },
    { about: 'items', schema: { if: oak, unevaluatedItems: false }, takes: ['["oak"]'], refuses: [] }
  ],
  'an $id counts in keywords that are not known': [
    {
      about: 'it hides the schema with that $id',
      schema: {
        $id: 'https://rows.example/outside',
        $defs: {
          palette: { colours: { $id: 'https://rows.example/inside', type: 'null' } },
          real: { $id: 'https://rows.example/inside', type: 'string' }
        },
        $ref: 'https://rows.example/inside'
      },
      takes: ['"a"'],
      refuses: ['null']
    }
  ]
}
