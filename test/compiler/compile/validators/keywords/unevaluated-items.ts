/** unevaluatedItems (JSON Schema Core, 11.2), through every keyword that evaluates items. */
import type { Table } from './table.ts'

const oak = { contains: { const: 'oak' } }
const integer = { type: 'integer' }
const string = { type: 'string' }
const closed = { unevaluatedProperties: false }
const closedItems = { unevaluatedItems: false }

export const unevaluatedItems: Table = {
  unevaluatedItems: [
    {
      about: 'alone: every item',
      schema: closedItems,
      takes: ['[]', '{"a":1}', '"ab"', '1'],
      refuses: ['[1]', '[null]']
    },
    {
      about: 'a schema',
      schema: { prefixItems: [string], unevaluatedItems: integer },
      takes: ['["a",1,2]', '["a"]'],
      refuses: ['["a","b"]', '[1]']
    },
    {
      about: 'sees prefixItems',
      schema: { prefixItems: [true, string], ...closedItems },
      takes: ['[1,"a"]', '[1]'],
      refuses: ['[1,"a",2]', '[1,2]']
    },
    {
      about: 'sees items: there is none left',
      schema: { items: string, ...closedItems },
      takes: ['["a","b"]'],
      refuses: ['["a",1]']
    },
    {
      about: 'sees the longest prefixItems of allOf',
      schema: { allOf: [{ prefixItems: [true, true] }, { prefixItems: [string] }], ...closedItems },
      takes: ['["a",1]'],
      refuses: ['["a",1,2]']
    },
    {
      about: 'sees what of anyOf accepts',
      schema: {
        prefixItems: [{ const: 'a' }],
        anyOf: [{ prefixItems: [true, { const: 'b' }] }, { prefixItems: [true, true, { const: 'c' }] }],
        ...closedItems
      },
      takes: ['["a","b"]', '["a"]', '["a","b","c"]'],
      refuses: ['["a","b","d"]', '["a","x","y"]']
    },
    {
      about: 'sees the one of oneOf',
      schema: {
        oneOf: [
          { prefixItems: [integer], minItems: 1 },
          { prefixItems: [string, string], minItems: 1 }
        ],
        ...closedItems
      },
      takes: ['[1]', '["a","b"]'],
      refuses: ['[1,"b"]', '["a","b","c"]']
    },
    {
      about: 'sees nothing of not',
      schema: { not: { not: { prefixItems: [true] } }, ...closedItems },
      takes: ['[]'],
      refuses: ['[1]']
    },
    {
      about: 'sees if, then and else',
      schema: {
        if: { prefixItems: [{ const: 1 }], minItems: 1 },
        then: { prefixItems: [true, string] },
        else: { prefixItems: [true, true, true] },
        ...closedItems
      },
      takes: ['[1,"a"]', '[2,3,4]'],
      refuses: ['[1,"a",3]', '[2,3,4,5]']
    },
    {
      about: 'sees $ref',
      schema: {
        $id: 'https://rows.example/items-u',
        $ref: '#/$defs/pair',
        $defs: { pair: { prefixItems: [integer, integer] } },
        ...closedItems
      },
      takes: ['[1,2]'],
      refuses: ['[1,2,3]']
    },
    {
      about: 'does not see a sibling in allOf',
      schema: { allOf: [{ prefixItems: [true] }, closedItems] },
      takes: ['[]'],
      refuses: ['[1]']
    },
    {
      about: 'does not see into items',
      schema: { prefixItems: [{ prefixItems: [true] }], ...closedItems },
      takes: ['[[1,2]]'],
      refuses: ['[[1],2]']
    },
    {
      about: 'of the items',
      schema: { items: { prefixItems: [true], ...closedItems } },
      takes: ['[[1],[]]'],
      refuses: ['[[1,2]]']
    },
    {
      about: 'with unevaluatedProperties, each for its type',
      schema: { ...closed, ...closedItems },
      takes: ['{}', '[]'],
      refuses: ['{"a":1}', '[1]']
    },
    {
      about: 'items that contains matches are evaluated, no others',
      schema: { ...oak, unevaluatedItems: { type: 'integer' } },
      takes: ['["oak",1]'],
      refuses: ['["oak","elm"]', '["elm","oak"]']
    },
    {
      about: 'contains after prefixItems',
      schema: { prefixItems: [true], ...oak, ...closedItems },
      takes: ['["fir","oak","oak"]'],
      refuses: ['["fir","oak","elm"]']
    },
    {
      about: 'contains in allOf',
      schema: { allOf: [oak, { contains: { const: 'elm' } }], ...closedItems },
      takes: ['["elm","oak"]'],
      refuses: ['["elm","oak","fir"]']
    },
    {
      about: 'items of a branch that applies',
      schema: { anyOf: [{ items: { type: 'null' } }, true], unevaluatedItems: { const: 0 } },
      takes: ['[null,null]', '[0,0]'],
      refuses: ['[1]', '[0,1]']
    },
    {
      about: 'items of one branch',
      schema: { oneOf: [{ items: { type: 'null' } }, { items: { type: 'string' } }], ...closedItems },
      takes: ['["a","b"]'],
      refuses: ['[1]']
    },
    {
      about: 'a condition without consequence evaluates, too',
      schema: { if: oak, ...closedItems },
      takes: ['["oak"]'],
      refuses: ['["elm"]', '["oak","elm"]']
    }
  ]
}
