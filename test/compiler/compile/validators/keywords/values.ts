/**
 * Verdicts that no comparison with Ajv holds: exact numbers, code points, deep values, names that JavaScript objects inherit,
 * and references between schemas with identifiers (JSON Schema Core and Validation, 2020-12).
 */
import { type Row, row, type Schema } from './table.ts'

const integer = { type: 'integer' }
const string = { type: 'string' }
const closed = { unevaluatedProperties: false }
const oak = { contains: { const: 'oak' } }
const ref = (name: string) => ({ $ref: name })
let count = 0
/** Returns the row of a schema with an $id, because without one `#` would mean the contract. */
const own = (schema: Schema & object, takes: string, refuses: string): Row =>
  row({ $id: `https://rows.example/${count++}/row`, ...schema }, takes, refuses)

export const values: Readonly<Record<string, readonly Row[]>> = {
  'numbers count by value, not by spelling': [
    row(integer, '0 -0 12.0 1.2e1 1200e-2 -9007199254740992 1e20', '1.5 1e-1 "12" null true [1]'),
    row({ type: 'number' }, '1 0.1 -2e3 1e300 3.14159265358979', '"1" null []'),
    row({ minimum: 1.5 }, '1.5 15e-1 1e300 "1"', '1.4999 -2'),
    row({ exclusiveMaximum: 2 }, '1.9 "2"', '2 20e-1 3'),
    row({ const: 4 }, '4 4.0 40e-1 0.4e1', '4.5 "4" [4] true'),
    row({ const: 0.5 }, '5e-1 0.50', '0.51 1'),
    row({ enum: [0] }, '0 -0.0', 'false [] "" null'),
    row({ const: true }, 'true', '1 "true" false')
  ],
  'an integer that no double holds is refused on purpose, unless its format is int64': [
    row(integer, '9007199254740992', '9007199254740993 -9007199254740993'),
    row(
      { type: 'number', maximum: 9007199254740992 },
      '9007199254740992.0',
      '9007199254740994 9007199254740993'
    ),
    row(
      { ...integer, format: 'int64' },
      '9223372036854775807 -9223372036854775808 9007199254740993',
      '9223372036854775808 -9223372036854775809 1e19 0.5'
    ),
    row(
      { items: { format: 'int64' }, prefixItems: [{ format: 'int32' }] },
      '[2147483647,9223372036854775807] [-1.0,1e3] ["a","a"] [null,null,true,[],{}]',
      '[2147483648] [-2147483649] [1.5] [0,1.5] [0,9223372036854775808] [0,1e400] [0,9.000000000000000001]'
    )
  ],
  'multipleOf is exact': [
    row({ multipleOf: 0.01 }, '0.07 19.99 4.35 1.1 0 123456789.01 -0.29 "9"', '0.075 19.999 0.001'),
    row({ multipleOf: 1e-8 }, '12391239123 1.5e-7 3e-8', '1.5e-8 1e-9'),
    row({ multipleOf: 3 }, '9007199254740990 3e20', '9007199254740991 1e21'),
    row({ type: 'number', multipleOf: 0.5 }, '1e308 -1e308', '0.25')
  ],
  'texts are code points, without normalisation and escapes': [
    row({ minLength: 2 }, '"ab" "🌱🌱" "e\\u0301" 12', '"a" "" "🌱" "\\ud83c\\udf31"'),
    row({ maxLength: 2 }, '"ab" "🌱🌱" "" 123', '"abc" "🌱🌱🌱" "e\\u0301a"'),
    row({ const: 'né\u0000x' }, '"né\\u0000x" "n\\u00e9\\u0000x"', '"ne\\u0301\\u0000x" "né" "né\\u0000y"'),
    row({ enum: ['a\nb', 'c\rd'] }, '"a\\nb" "c\\u000dd"', '"anb"'),
    row({ enum: [...'abcdefghijklmnopqrstuvwxyz'] }, '"a" "z"', '"A" "ab" 1 null'),
    row({ pattern: '^[🌱-🌳]+$' }, '"🌲" "🌱🌳" 5', '"🍀" "a" "🌱\\n"'),
    row({ pattern: '^\\d\\w\\s$' }, '"7_\\u00a0"', '"٧_\\u0020" "7é\\u0020" "7_\\u200b"'),
    row({ pattern: '^(?=.*\\d)(?!.*!)\\cC.+$' }, '"\\u0003a1"', '"a1" "\\u0003a" "\\u0003a1!"')
  ],
  'lists and objects are equal by their members': [
    row(
      { const: { leaf: 2, root: [1] } },
      '{"leaf":2,"root":[1]} {"root":[1.0],"leaf":2}',
      '{"leaf":2} {"leaf":2,"root":[1],"x":0} {"leaf":2,"root":[true]} []'
    ),
    row({ const: ['a', { b: false }] }, '["a",{"b":false}]', '[{"b":false},"a"] ["a"] ["a",{"b":0}]'),
    row({ const: [] }, '[]', '{} [null] null'),
    row({ const: {} }, '{}', '[] {"a":1}'),
    row(
      { enum: [6, 'fern', [], { moss: 12 }, null, [false]] },
      '6.0 "fern" [] {"moss":12.0} null [false]',
      '0 "6" {"moss":13} {"moss":12,"x":1} true false [0]'
    ),
    row(
      { uniqueItems: true },
      '[0,false] ["1",1] [[],{}] [{"a":1,"b":2},{"a":2,"b":1}] [[1],[true]] [{"a":[0]},{"a":[false]}] {}',
      '[0,-0] [2,1,20e-1] [null,1,null] [{"a":1,"b":2},{"b":2,"a":1.0}] [[["a"]],["x"],[["a"]]] [{},{}]'
    ),
    row(
      { items: string, uniqueItems: true },
      '["a","A","á"] ["__proto__","constructor"]',
      '["a","b","a"] ["__proto__","__proto__"]'
    )
  ],
  'names with escapes': [
    row(
      { properties: { 'a"b': integer, 'c\\d': integer, 'e\nf': integer, '': integer } },
      '{"a\\"b":1,"c\\\\d":2,"e\\nf":3,"":4}',
      '{"a\\"b":""} {"c\\\\d":""} {"e\\nf":""} {"":""}'
    ),
    row(
      { required: ['a"b', 'c\nd', 'e.f', "g'h"] },
      '{"a\\"b":1,"c\\nd":1,"e.f":1,"g\'h":1}',
      '{"a\\"b":1,"c\\nd":1,"e.f":1}'
    ),
    row({ dependentRequired: { 'a\nb': ['c"d'] } }, '{"a\\nb":1,"c\\"d":1} {}', '{"a\\nb":1}'),
    row(
      { patternProperties: { '^🌱$': integer, '^\\p{Lu}': string } },
      '{"🌱":1,"Ä":"a"}',
      '{"🌱":"a"} {"Ä":1}'
    )
  ],
  'names that JavaScript objects inherit are names like others': [
    row(
      JSON.parse('{"properties":{"__proto__":{"type":"integer"}}}'),
      '{} {"__proto__":1}',
      '{"__proto__":"a"} {"__proto__":null}'
    ),
    row(
      {
        properties: {
          constructor: integer,
          toString: { properties: { length: string } },
          hasOwnProperty: false
        }
      },
      '{} {"constructor":1} {"toString":{"length":"a"}} []',
      '{"constructor":"a"} {"toString":{"length":1}} {"hasOwnProperty":{}}'
    ),
    row({ patternProperties: { '^con': false } }, '{} {"a":1}', '{"constructor":1}'),
    row(
      { properties: { a: {} }, additionalProperties: false },
      '{"a":1}',
      '{"__proto__":1} {"toString":1} {"constructor":null}'
    ),
    row(closed, '{} []', '{"a":1} {"__proto__":1}'),
    row({ patternProperties: { '^x-': {} }, ...closed }, '{"x-a":1}', '{"y":1}'),
    row({ propertyNames: { maxLength: 3 } }, '{"abc":1} {"🌱🌱🌱":1}', '{"__proto__":1}'),
    row({ maxProperties: 0 }, '{} []', '{"__proto__":1}'),
    row(
      { required: ['__proto__', 'toString', 'constructor'] },
      '{"__proto__":1,"toString":1,"constructor":1} [] "a"',
      '{} {"__proto__":1} {"toString":1,"constructor":{"length":1}}'
    ),
    row({ dependentRequired: { constructor: ['a'] } }, '{}', '{"constructor":1}'),
    row({ dependentSchemas: { toString: false } }, '{}', '{"toString":1}')
  ],
  'annotations and unknown keywords refuse nothing': [
    row({ properties: { a: { default: 1 } }, required: ['a'] }, '{"a":2}', '{}'),
    row({ type: 'string', minLength: 4, default: 'bad', deprecated: true, examples: [1] }, '"long"', '"bad"'),
    row(
      {
        contentEncoding: 'base64',
        contentMediaType: 'application/json',
        contentSchema: { type: 'object' }
      },
      '"e30=" "WzFd" "?" 1'
    ),
    row({ colour: 'green', minimal: 5, 'x-min': 5, format: 'colour', ...integer }, '1', '"a"'),
    row({ format: 'date' }, '1 null {} []', '""'),
    row(
      { anyOf: [{ format: 'date', pattern: '^2' }, { format: 'ipv4' }] },
      '"2026-01-01" "192.0.2.1"',
      '"1999-01-01" "x"'
    )
  ],
  'a condition without consequence evaluates, too': [
    row({ if: { properties: { name: {} }, required: ['name'] }, ...closed }, '{"name":1} {}', '{"nam":1}'),
    row({ if: oak, unevaluatedItems: false }, '["oak"]', '["elm"] ["oak","elm"]')
  ],
  'items that contains matches are evaluated, no others; those of a branch that applies are': [
    row(
      { anyOf: [{ items: { type: 'null' } }, true], unevaluatedItems: { const: 0 } },
      '[null,null] [0,0]',
      '[1] [0,1]'
    ),
    row({ oneOf: [{ items: integer }, { items: string }], unevaluatedItems: false }, '["a","b"]', '[null]'),
    row({ ...oak, unevaluatedItems: integer }, '["oak",1]', '["oak","elm"] ["elm","oak"]'),
    row(
      { prefixItems: [true], ...oak, unevaluatedItems: false },
      '["fir","oak","oak"]',
      '["fir","oak","elm"]'
    ),
    row(
      { allOf: [oak, { contains: { const: 'elm' } }], unevaluatedItems: false },
      '["elm","oak"]',
      '["elm","oak","fir"]'
    )
  ],
  $ref: [
    own(
      { $ref: '#/$defs/c', $defs: { a: integer, b: ref('#/$defs/a'), c: ref('#/$defs/b') }, maximum: 5 },
      '1',
      '"x" 6'
    ),
    own(
      {
        $defs: { 'a~b': integer, 'c/d': integer, 'e%f': integer, 'g h': integer, 'i"j': integer },
        prefixItems: ['a~0b', 'c~1d', 'e%25f', 'g%20h', 'i%22j'].map((name) => ref(`#/$defs/${name}`))
      },
      '[1,2,3,4,5]',
      '["x"] [1,"x"] [1,1,"x"] [1,1,1,"x"] [1,1,1,1,"x"]'
    ),
    own(
      { properties: { $ref: ref('#/$defs/n'), $id: integer }, $defs: { n: string } },
      '{"$ref":"a","$id":1}',
      '{"$ref":1} {"$id":"a"}'
    ),
    row({ const: ref('#/nowhere') }, '{"$ref":"#/nowhere"}', '{} 1'),
    own(
      {
        properties: { a: ref('#/$defs/no'), b: ref('#/$defs/constructor') },
        $defs: { no: false, constructor: integer }
      },
      '{"b":1}',
      '{"a":1} {"b":"x"}'
    ),
    own(
      {
        $ref: '#/$defs/tree',
        $defs: {
          tree: { properties: { nodes: { items: ref('#/$defs/node') } }, required: ['nodes'] },
          node: { properties: { value: integer, tree: ref('#/$defs/tree') }, required: ['value'] }
        }
      },
      '{"nodes":[{"value":1,"tree":{"nodes":[]}}]}',
      '{"nodes":[{"value":1,"tree":{"nodes":[{"value":"x"}]}}]} {} {"nodes":[{}]}'
    ),
    own({ properties: { a: ref('#/colours/dark') }, colours: { dark: integer } }, '{"a":1}', '{"a":"x"}'),
    own(
      { properties: { name: {}, child: ref('#') }, ...closed },
      '{"name":1,"child":{"child":{"name":2}}}',
      '{"child":{"child":{"nam":2}}}'
    )
  ],
  '$id and $anchor': [
    own(
      {
        $defs: {
          inner: { $id: 'inner', $defs: { x: { $anchor: 'same', ...string } } },
          y: { $anchor: 'same', ...integer }
        },
        properties: { outer: ref('#same'), inner: ref('inner#same') }
      },
      '{"outer":1,"inner":"a"}',
      '{"outer":"a"} {"inner":1}'
    ),
    own(
      {
        $defs: { x: { enum: [{ $anchor: 'twice', type: 'null' }] }, y: { $anchor: 'twice', ...integer } },
        $ref: '#twice'
      },
      '1',
      '"a" {"$anchor":"twice","type":"null"}'
    ),
    own(
      { items: { $id: 'folder/', $ref: 'leaf' }, $defs: { x: { $id: 'folder/leaf', ...integer } } },
      '[1]',
      '["a"]'
    ),
    own({ $ref: '/top', $defs: { x: { $id: '/top', ...integer } } }, '1', '"a"'),
    row(
      { $id: 'urn:uuid:0b7f5cb6-57cd-4d3b-9d51-6f0d3d1a9f0e', $ref: '#/$defs/n', $defs: { n: integer } },
      '1',
      '"a"'
    ),
    own(
      {
        $ref: 'target',
        $defs: { x: { const: { $id: 'target', type: 'null' } }, y: { $id: 'target', ...integer } }
      },
      '1',
      'null'
    )
  ],
  $dynamicRef: [
    own(
      {
        $ref: 'list',
        $defs: {
          item: { $dynamicAnchor: 'item', ...integer },
          list: { $id: 'list', items: { $ref: '#item' }, $defs: { x: { $dynamicAnchor: 'item', ...string } } }
        }
      },
      '["a"]',
      '[1]'
    ),
    own(
      {
        $ref: 'list',
        $defs: {
          item: { $dynamicAnchor: 'item', ...integer },
          aside: { $id: 'aside', $dynamicAnchor: 'item', ...string },
          list: { $id: 'list', items: { $dynamicRef: '#item' }, $defs: { x: { $dynamicAnchor: 'item' } } }
        }
      },
      '[1]',
      '["a"]'
    ),
    own({ items: { $dynamicRef: '#item' }, $defs: { x: { $anchor: 'item', ...string } } }, '["a"]', '[1]'),
    own(
      {
        $dynamicAnchor: 'node',
        $ref: 'open-tree',
        ...closed,
        $defs: {
          tree: {
            $id: 'open-tree',
            $dynamicAnchor: 'node',
            properties: { value: {}, children: { items: { $dynamicRef: '#node' } } }
          }
        }
      },
      '{"children":[{"value":1}]}',
      '{"children":[{"valeu":1}]} {"valeu":1}'
    ),
    own(
      {
        properties: { words: ref('words'), counts: ref('counts') },
        $defs: {
          words: { $id: 'words', $ref: 'box', $defs: { x: { $dynamicAnchor: 'content', ...string } } },
          counts: { $id: 'counts', $ref: 'box', $defs: { x: { $dynamicAnchor: 'content', ...integer } } },
          box: {
            $id: 'box',
            properties: { content: { $dynamicRef: '#content' } },
            $defs: { x: { $dynamicAnchor: 'content' } }
          }
        }
      },
      '{"words":{"content":"a"},"counts":{"content":1}}',
      '{"words":{"content":1}} {"counts":{"content":"a"}}'
    )
  ]
}

/**
 * Verdict of the specification that the compiled validators miss: an $id in a keyword that is not known hides the schema with
 * that $id. The test asserts the wrong verdict, so that a fix shows. `$vocabulary` is ignored too: every vocabulary applies.
 */
export const knownLimit: Row = own(
  {
    $defs: {
      palette: { colours: { $id: 'inside', type: 'null' } },
      real: { $id: 'inside', type: 'string' }
    },
    $ref: 'inside'
  },
  '"a"',
  'null'
)
