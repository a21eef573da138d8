/** Keywords for arrays (JSON Schema Core, 10.3.1, and Validation, 6.4). Values of other types are accepted. */
import type { Table } from './table.ts'

const others = ['null', '3', '"abc"', '{}', '{"0":1,"1":"x","length":2}']
const integer = { type: 'integer' }

export const arrays: Table = {
  items: [
    {
      about: 'every item',
      schema: { items: integer },
      takes: ['[]', '[1,2.0]', ...others],
      refuses: ['[1,"a"]', '[null]', '[1.5]']
    },
    {
      about: 'false: only an empty array',
      schema: { items: false },
      takes: ['[]', '{}'],
      refuses: ['[1]', '[null]']
    },
    { about: 'true', schema: { items: true }, takes: ['[]', '[1,"a",null]'], refuses: [] },
    {
      about: 'after prefixItems: the others only',
      schema: { prefixItems: [true, { type: 'string' }], items: integer },
      takes: ['["x"]', '[null,"a"]', '[null,"a",1,2]'],
      refuses: ['[null,1]', '[null,"a","b"]']
    },
    {
      about: 'false after prefixItems: no others',
      schema: { prefixItems: [true, true], items: false },
      takes: ['[]', '[1]', '[1,2]'],
      refuses: ['[1,2,3]']
    },
    {
      about: 'does not see prefixItems of a subschema',
      schema: { allOf: [{ prefixItems: [{ minimum: 3 }] }], items: { minimum: 5 } },
      takes: ['[5]', '[5,6]'],
      refuses: ['[3]', '[5,4]']
    },
    {
      about: 'nested',
      schema: { items: { items: { items: { type: 'boolean' } } } },
      takes: ['[[[true],[]],[]]', '["a"]'],
      refuses: ['[[[1]]]', '[[[true,"a"]]]']
    }
  ],
  prefixItems: [
    {
      about: 'by position; absent positions are accepted',
      schema: { prefixItems: [integer, { type: 'string' }] },
      takes: ['[]', '[1]', '[1,"a"]', '[1,"a",null]', ...others],
      refuses: ['["a",1]', '[1,2]']
    },
    {
      about: 'boolean schemas',
      schema: { prefixItems: [true, false] },
      takes: ['[]', '[1]'],
      refuses: ['[1,2]']
    }
  ],
  contains: [
    {
      about: 'at least one item',
      schema: { contains: { minimum: 5 } },
      takes: ['[1,5]', '[6]', '["a"]', ...others],
      refuses: ['[]', '[1,2]']
    },
    { about: 'true: not empty', schema: { contains: true }, takes: ['[null]'], refuses: ['[]'] },
    {
      about: 'false: no array at all',
      schema: { contains: false },
      takes: ['"a"', '{}'],
      refuses: ['[]', '[1]']
    },
    {
      about: 'with items, both apply',
      schema: { items: { multipleOf: 2 }, contains: { multipleOf: 3 } },
      takes: ['[6,2]', '[12]'],
      refuses: ['[2,4]', '[3,9]', '[6,5]', '[]']
    },
    {
      about: 'a const of null',
      schema: { contains: { const: null } },
      takes: ['[1,null]'],
      refuses: ['[0,false,""]']
    }
  ],
  minContains: [
    {
      about: 'counts matching items',
      schema: { contains: { const: 1 }, minContains: 2 },
      takes: ['[1,1]', '[1,2,1.0,1]'],
      refuses: ['[]', '[1]', '[1,2]']
    },
    {
      about: 'zero: contains never refuses',
      schema: { contains: { const: 1 }, minContains: 0 },
      takes: ['[]', '[2]', '[1,1]'],
      refuses: []
    },
    {
      about: 'zero, with a maximum',
      schema: { contains: { const: 1 }, minContains: 0, maxContains: 1 },
      takes: ['[]', '[2]', '[1,2]'],
      refuses: ['[1,1]']
    },
    {
      about: 'above the maximum: no array',
      schema: { contains: { const: 1 }, minContains: 3, maxContains: 1 },
      takes: ['{}'],
      refuses: ['[]', '[1]', '[1,1]', '[1,1,1]']
    },
    { about: 'has no effect without contains', schema: { minContains: 3 }, takes: ['[]', '[1]'], refuses: [] }
  ],
  maxContains: [
    {
      about: 'counts matching items',
      schema: { contains: { type: 'string' }, maxContains: 2 },
      takes: ['["a"]', '["a",1,"b",2]'],
      refuses: ['[]', '[1]', '["a","b","c"]']
    },
    { about: 'has no effect without contains', schema: { maxContains: 1 }, takes: ['[1,1,1]'], refuses: [] }
  ],
  minItems: [
    {
      about: 'inclusive',
      schema: { minItems: 2 },
      takes: ['[1,2]', '[null,null,null]', '""', '{}'],
      refuses: ['[]', '[1]']
    }
  ],
  maxItems: [
    {
      about: 'inclusive',
      schema: { maxItems: 2 },
      takes: ['[]', '[1,2]', '"abc"', '{"a":1,"b":2,"c":3}'],
      refuses: ['[1,2,3]']
    },
    { about: 'zero', schema: { maxItems: 0 }, takes: ['[]'], refuses: ['[null]'] }
  ],
  uniqueItems: [
    {
      about: 'numbers by value',
      schema: { uniqueItems: true },
      takes: ['[1,2]', '[]', '[0,1]', ...others],
      refuses: ['[1,1]', '[1.0,1]', '[2,1,20e-1]', '[0,-0]']
    },
    {
      about: 'types differ',
      schema: { uniqueItems: true },
      takes: ['[0,false]', '[1,true]', '["1",1]', '[[],{}]', '[null,0,"",false]'],
      refuses: ['[null,1,null]', '[true,false,true]']
    },
    {
      about: 'objects without regard to the order of members',
      schema: { uniqueItems: true },
      takes: ['[{"a":1,"b":2},{"a":2,"b":1}]', '[{"a":1},{"a":1,"b":2}]'],
      refuses: ['[{"a":1,"b":2},{"b":2,"a":1.0}]', '[{},{}]']
    },
    {
      about: 'deep values',
      schema: { uniqueItems: true },
      takes: ['[[["a"]],[["b"]]]', '[[1],[true]]', '[{"a":[0]},{"a":[false]}]'],
      refuses: ['[[["a"]],["x"],[["a"]]]', '[{"a":{"b":[1]}},{"a":{"b":[1]}}]']
    },
    { about: 'false', schema: { uniqueItems: false }, takes: ['[1,1]'], refuses: [] },
    {
      about: 'with items of one type',
      schema: { items: { type: 'string' }, uniqueItems: true },
      takes: ['["a","A","á"]', '["__proto__","constructor"]'],
      refuses: ['["a","b","a"]', '["__proto__","__proto__"]']
    },
    {
      about: 'with prefixItems',
      schema: { prefixItems: [{ type: 'boolean' }, { type: 'boolean' }], uniqueItems: true, items: false },
      takes: ['[true,false]', '[true]'],
      refuses: ['[true,true]', '[false,true,null]']
    }
  ]
}
