/** unevaluatedProperties (JSON Schema Core, 11.3), through every keyword that evaluates properties. */
import type { Table } from './table.ts'

const integer = { type: 'integer' }
const string = { type: 'string' }
const a = { properties: { a: string } }
const b = { properties: { b: string }, required: ['b'] }
const closed = { unevaluatedProperties: false }

export const unevaluatedProperties: Table = {
  unevaluatedProperties: [
    {
      about: 'alone: every property',
      schema: closed,
      takes: ['{}', '[]', '"a"', '1', 'null'],
      refuses: ['{"a":1}', '{"__proto__":1}']
    },
    {
      about: 'a schema',
      schema: { ...a, unevaluatedProperties: integer },
      takes: ['{"a":"x","b":1}'],
      refuses: ['{"a":"x","b":"y"}']
    },
    { about: 'true', schema: { unevaluatedProperties: true }, takes: ['{"a":1}'], refuses: [] },
    {
      about: 'sees properties',
      schema: { ...a, ...closed },
      takes: ['{}', '{"a":"x"}'],
      refuses: ['{"b":"x"}', '{"a":1}']
    },
    {
      about: 'sees patternProperties',
      schema: { patternProperties: { '^x-': {} }, ...closed },
      takes: ['{"x-a":1}'],
      refuses: ['{"y":1}']
    },
    {
      about: 'sees additionalProperties',
      schema: { ...a, additionalProperties: integer, ...closed },
      takes: ['{"a":"x","z":1}'],
      refuses: ['{"z":"a"}']
    },
    {
      about: 'sees allOf',
      schema: { allOf: [a, { properties: { c: {} } }], ...closed },
      takes: ['{"a":"x","c":1}'],
      refuses: ['{"a":"x","d":1}']
    },
    {
      about: 'sees what of anyOf accepts',
      schema: { anyOf: [b, { properties: { c: { const: 1 } }, required: ['c'] }], ...closed },
      takes: ['{"b":"x"}', '{"c":1}', '{"b":"x","c":1}'],
      refuses: ['{"b":"x","c":2}', '{"b":"x","d":1}', '{}']
    },
    {
      about: 'sees the one of oneOf',
      schema: { oneOf: [b, { properties: { c: {} }, required: ['c'] }], ...closed },
      takes: ['{"b":"x"}', '{"c":1}'],
      refuses: ['{"b":"x","d":1}', '{"c":1,"d":1}']
    },
    {
      about: 'sees nothing of not',
      schema: { not: { not: a }, ...closed },
      takes: ['{}'],
      refuses: ['{"a":"x"}']
    },
    {
      about: 'sees if and then where if accepts',
      schema: { if: b, then: { properties: { c: {} } }, else: { properties: { d: {} } }, ...closed },
      takes: ['{"b":"x"}', '{"b":"x","c":1}', '{"d":1}', '{}'],
      refuses: ['{"b":"x","d":1}', '{"c":1}', '{"b":1,"d":1}']
    },
    {
      about: 'sees then without else',
      schema: { if: b, then: a, ...closed },
      takes: ['{"b":"x","a":"y"}', '{}'],
      refuses: ['{"a":"x"}', '{"b":"x","c":1}']
    },
    {
      about: 'sees dependentSchemas of present properties',
      schema: { properties: { p: {} }, dependentSchemas: { p: { properties: { q: {} } } }, ...closed },
      takes: ['{"p":1}', '{"p":1,"q":1}'],
      refuses: ['{"q":1}', '{"p":1,"r":1}']
    },
    {
      about: 'sees $ref',
      schema: { $defs: { named: a }, $id: 'https://rows.example/ref-u', $ref: '#/$defs/named', ...closed },
      takes: ['{"a":"x"}'],
      refuses: ['{"b":1}', '{"a":1}']
    },
    {
      about: 'sees $dynamicRef',
      schema: {
        $id: 'https://rows.example/dynamic-u',
        $dynamicRef: '#here',
        $defs: { here: { $dynamicAnchor: 'here', ...a } },
        ...closed
      },
      takes: ['{"a":"x"}'],
      refuses: ['{"b":1}']
    },
    {
      about: 'sees another unevaluatedProperties below',
      schema: { allOf: [{ ...a, unevaluatedProperties: integer }], ...closed },
      takes: ['{"a":"x","b":1}'],
      refuses: ['{"b":"x"}']
    },
    {
      about: 'does not see a sibling in allOf',
      schema: { allOf: [a, closed] },
      takes: ['{}'],
      refuses: ['{"a":"x"}']
    },
    {
      about: 'does not see into members',
      schema: { properties: { a: { properties: { b: {} } } }, ...closed },
      takes: ['{"a":{"b":1,"c":1}}'],
      refuses: ['{"a":{},"b":1}']
    },
    {
      about: 'of a member',
      schema: { properties: { a: { allOf: [{ properties: { b: {} } }], ...closed } } },
      takes: ['{"a":{"b":1}}', '{"c":1}'],
      refuses: ['{"a":{"c":1}}']
    },
    {
      about: 'of the items',
      schema: { items: { allOf: [a], ...closed } },
      takes: ['[{"a":"x"},{}]'],
      refuses: ['[{"a":"x"},{"b":1}]']
    },
    {
      about: 'a failing branch evaluates nothing',
      schema: { anyOf: [{ properties: { a: integer } }, true], ...closed },
      takes: ['{"a":1}', '{}'],
      refuses: ['{"a":"x"}']
    },
    {
      about: 'nested branches',
      schema: { allOf: [{ anyOf: [{ oneOf: [b] }, a] }], ...closed },
      takes: ['{"b":"x"}', '{"a":"x"}', '{"a":"x","b":"y"}'],
      refuses: ['{"c":1,"a":"x"}']
    },
    {
      about: 'an object that contains itself',
      schema: {
        $id: 'https://rows.example/tree-u',
        properties: { name: {}, child: { $ref: '#' } },
        ...closed
      },
      takes: ['{"name":1,"child":{"child":{"name":2}}}'],
      refuses: ['{"child":{"child":{"nam":2}}}']
    },
    {
      about: 'a null value is evaluated',
      schema: { ...closed, properties: { n: {} } },
      takes: ['{"n":null}'],
      refuses: ['{"m":null}']
    },
    {
      about: 'a condition without consequence evaluates, too',
      schema: { if: { properties: { name: {} }, required: ['name'] }, ...closed },
      takes: ['{"name":1}', '{}'],
      refuses: ['{"nam":1}']
    },
    {
      about: 'a condition with an else',
      schema: { if: { properties: { name: {} }, required: ['name'] }, else: true, ...closed },
      takes: ['{"name":1}'],
      refuses: ['{"nam":1}']
    }
  ]
}
