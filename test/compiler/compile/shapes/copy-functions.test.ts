/** Generated copies: the output of each shape for a value. */
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { bundleModules } from '../../../../src/compiler/compile/emit/bundle.ts'
import { Serializers } from '../../../../src/compiler/compile/shapes/serializers.ts'
import { schemaIn } from '../../../../src/contract/build/build-contract.ts'
import type { Json, JsonObject } from '../../../../src/contract/model/json.ts'

const runtime = fileURLToPath(new URL('../../../../src/engine/runtime/serializers.ts', import.meta.url))
const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })
const object = (properties: JsonObject): Json => ({ type: 'object', properties, additionalProperties: false })
const list = (items: Json): Json => ({ type: 'array', items })
const int64: Json = { type: 'integer', format: 'int64' }
const long = 9007199254740993n

const document: JsonObject = {
  components: {
    schemas: {
      A: object({ a: { type: 'string' } }),
      'A-': object({ b: { type: 'string' } }),
      A_: object({ c: { type: 'string' } }),
      Tree: object({ id: int64, children: list(ref('Tree')) }),
      Nest: list(ref('Nest'))
    }
  }
}

const rows: { name: string; schema: Json; value: unknown; want: string }[] = [
  { name: 'a text', schema: { type: 'string' }, value: 'a"', want: '"a\\""' },
  { name: 'an int64 that a double holds', schema: int64, value: 5n, want: '5' },
  { name: 'an int64 beyond 2^53', schema: int64, value: long, want: '9007199254740993' },
  { name: 'an object', schema: ref('A'), value: { extra: 1, a: 'x' }, want: '{"a":"x"}' },
  { name: 'an absent property', schema: ref('A'), value: {}, want: '{}' },
  { name: 'null', schema: { type: ['object', 'null'], properties: {} }, value: null, want: 'null' },
  {
    name: 'a recursive object',
    schema: ref('Tree'),
    value: { id: 1n, children: [{ id: long, x: 1 }] },
    want: '{"id":1,"children":[{"id":9007199254740993}]}'
  },
  {
    name: 'a list of lists',
    schema: list(list(ref('A'))),
    value: [[{ a: 'x', b: 1 }], []],
    want: '[[{"a":"x"}],[]]'
  },
  { name: 'a list that holds only itself', schema: ref('Nest'), value: [[], [[]]], want: '[[],[[]]]' },
  { name: 'items of any kind', schema: { type: 'array' }, value: [1, long], want: '[1,9007199254740993]' },
  {
    name: 'a name that every object inherits',
    schema: object({ toString: { type: 'string' } }),
    value: {},
    want: '{}'
  },
  {
    name: 'a tuple',
    schema: { type: 'array', prefixItems: [ref('A'), int64] },
    value: [{ a: 'x', b: 1 }, long],
    want: '[{"a":"x"},9007199254740993]'
  },
  {
    name: 'names that are no identifiers',
    schema: object({ 'a-b': list(int64) }),
    value: { 'a-b': [1n], c: 1 },
    want: '{"a-b":[1]}'
  },
  {
    name: 'two schemas whose names give one identifier',
    schema: object({ x: ref('A-'), y: ref('A_') }),
    value: { x: { b: '1' }, y: { c: '2' } },
    want: '{"x":{"b":"1"},"y":{"c":"2"}}'
  },
  {
    name: 'an object or a list',
    schema: {
      type: ['object', 'array'],
      properties: { a: {} },
      items: ref('A'),
      additionalProperties: false
    },
    value: [{ a: 'x', b: 1 }],
    want: '[{"a":"x"}]'
  }
]

const serializers = new Serializers()
const names = rows.map(({ schema }, index) => serializers.add(schemaIn(document, schema), `row${index}`))
const code = await bundleModules(serializers.modules(runtime))
const module = await import(`data:text/javascript,${encodeURIComponent(code)}`)

for (const [index, { name, value, want }] of rows.entries())
  t.test(name, async (t) => t.equal(module[String(names[index])](value), want))
