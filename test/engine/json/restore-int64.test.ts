/** int64 and other numbers stay exact in every place of a contract, in both directions. */
import t from 'tap'
import { parse } from 'yaml'
import { exactJson, plainJson } from '../../../src/engine/json/exact-json.ts'
import { int64Places } from '../../../src/engine/json/restore-int64.ts'
import type { Int64Node, Int64Plan } from '../../../src/engine/model/value-plans.ts'
import { type Json, request, serve, taking } from '../serve.ts'

const big = 2n ** 53n + 1n
const limits = [2n ** 63n - 1n, -(2n ** 63n)]

/** Schemas of bodies by path. */
const schemas: Readonly<Record<string, Json>> = parse(
  `
lone: &int64 { type: integer, format: int64 }
list: { type: array, items: *int64 }
matrix: { type: array, items: { type: array, items: *int64 } }
map: { type: object, additionalProperties: *int64 }
pattern: { type: object, patternProperties: { '^\\p{Lu}': *int64 }, additionalProperties: { type: number } }
tuple: { type: array, prefixItems: [{ type: string }, *int64], items: { type: number } }
deep:
  type: object
  properties:
    a: { type: object, properties: { b: { type: array, items: { type: object, properties: { c: *int64 } } } } }
all: { allOf: [{ type: object, properties: { a: *int64 } }, { type: object, properties: { b: *int64 } }] }
one:
  oneOf:
    - { type: object, required: [a], properties: { a: *int64 } }
    - { type: object, required: [b], properties: { b: { type: number } } }
any: { anyOf: [{ type: object, properties: { a: *int64 } }, { type: object, properties: { a: { type: number }, b: *int64 } }] }
mixed: { oneOf: [*int64, { type: string }, { type: boolean }] }
nullable: { type: [integer, 'null'], format: int64 }
either: { anyOf: [*int64, { type: 'null' }] }
condition:
  type: object
  properties: { kind: { type: string } }
  if: { properties: { kind: { const: big } } }
  then: { properties: { a: *int64 } }
  else: { properties: { a: { type: number } } }
dependent: { type: object, dependentSchemas: { x: { properties: { a: *int64 } } } }
tree: &tree { $ref: '#/components/schemas/Tree' }
trees: { $ref: '#/components/schemas/Tree', anyOf: [*tree] }
members: { additionalProperties: *int64 }
minimum: { <<: *int64, minimum: 9007199254740993 }
maximum: { <<: *int64, maximum: 10 }
above: { <<: *int64, exclusiveMinimum: 5 }
below: { <<: *int64, exclusiveMaximum: 5 }
multiple: { <<: *int64, multipleOf: 3 }
values: { <<: *int64, enum: [1, 9007199254740993] }
constant: { <<: *int64, const: 7 }
unique: { type: array, items: *int64, uniqueItems: true }
integer: { type: integer }
positive: { type: integer, minimum: 1, maximum: 10 }
number: { type: number }
int32: { type: integer, format: int32 }
free: {}
legacy: { type: object, patternProperties: { '^\\-': *int64 } }
price: { type: number, multipleOf: 0.01, exclusiveMaximum: 1000000 }
`,
  { merge: true, intAsBigInt: true }
)
const Tree = parse(`
type: object
required: [id]
properties: { id: { type: integer, format: int64 }, children: { type: array, items: { $ref: '#/components/schemas/Tree' } } }
`)
const paths = Object.entries(schemas).map(([name, schema]) => [`/${name}`, taking(name, schema)])

/** Returns the arguments of the handler, with their types. */
const seen = (value: unknown): string =>
  JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner))

const handler = ({ body }: { body: unknown }) => ({ status: 200, body: { seen: seen(body) } })
const { ask } = await serve(
  t,
  { paths: Object.fromEntries(paths), components: { schemas: { Tree } } },
  { handlers: Object.fromEntries(Object.keys(schemas).map((name) => [name, handler])) }
)

t.test('an int64 arrives as a bigint, as it was spelled', async (t) => {
  const spelled = [...limits, big, -big, 0n, 1n, 2n ** 53n]
  /** Bodies, and what their handlers see, by schema. */
  const rows: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    lone: {
      ...Object.fromEntries(spelled.map((id) => [id, `"${id}n"`])),
      ...{ '1.0': '"1n"', '1e3': '"1000n"', '9007199254740993.0': `"${big}n"`, '-0': '"0n"' }
    },
    list: { [`[1,${big},${limits}]`]: `["1n","${big}n","${limits[0]}n","${limits[1]}n"]` },
    matrix: { [`[[${big}],[],[2,${big}]]`]: `[["${big}n"],[],["2n","${big}n"]]` },
    map: { [`{"a":1,"toString":${big}}`]: `{"a":"1n","toString":"${big}n"}` },
    pattern: { '{"Äa":5,"äa":5}': '{"Äa":"5n","äa":5}' },
    tuple: { [`["a",${big},5]`]: `["a","${big}n",5]` },
    deep: { [`{"a":{"b":[{},{"c":${big}}]},"x":5}`]: `{"a":{"b":[{},{"c":"${big}n"}]},"x":5}` },
    all: {
      [`{"a":1,"b":${big}}`]: `{"a":"1n","b":"${big}n"}`,
      [`{"a":${big},"x":[${big}]}`]: `{"a":"${big}n","x":[9007199254740992]}`
    },
    any: {
      [`{"a":1.5,"b":${big},"x":${big}}`]: `{"a":1.5,"b":"${big}n","x":9007199254740992}`,
      '{"a":1,"b":2}': '{"a":"1n","b":"2n"}'
    },
    one: { [`{"a":${big}}`]: `{"a":"${big}n"}`, '{"b":1.5}': '{"b":1.5}' },
    mixed: { [`${big}`]: `"${big}n"`, '"5"': '"5"' },
    nullable: { null: 'null', 5: '"5n"' },
    either: { null: 'null', [`${big}`]: `"${big}n"` },
    condition: {
      '{"kind":"big","a":5}': '{"kind":"big","a":"5n"}',
      '{"kind":"small","a":5}': '{"kind":"small","a":5}'
    },
    dependent: { '{"x":1,"a":5}': '{"x":1,"a":"5n"}', '{"a":5}': '{"a":5}' },
    tree: {
      [`{"id":1,"children":[{"id":${big},"children":[{"id":3}]}]}`]: `{"id":"1n","children":[{"id":"${big}n","children":[{"id":"3n"}]}]}`
    },
    trees: { [`{"id":1,"children":[{"id":${big}}]}`]: `{"id":"1n","children":[{"id":"${big}n"}]}` },
    members: { [`{"a":${big}}`]: `{"a":"${big}n"}`, '[5]': '[5]' },
    minimum: { [`${big}`]: `"${big}n"` },
    maximum: { 10: '"10n"' },
    above: { 6: '"6n"' },
    below: { 4: '"4n"' },
    multiple: { [`${big}`]: `"${big}n"` },
    values: { [`${big}`]: `"${big}n"` },
    constant: { '7.0': '"7n"' },
    unique: { [`[${big},9007199254740992]`]: `["${big}n","9007199254740992n"]` },
    integer: {
      '9007199254740992': '9007199254740992',
      ...{ '1e3': '1000', '1e22': '1e+22', '18446744073709551616': '18446744073709552000' }
    },
    number: { '9007199254740993': '9007199254740992', '0.1': '0.1', '1e-400': '0' },
    int32: { '-2147483648': '-2147483648' },
    price: { '1.23': '1.23', 5: '5', '0.07': '0.07' },
    legacy: { '{"-a":5,"a":5}': '{"-a":"5n","a":5}' },
    free: { '{"a":1e400}': '{"a":null}' }
  }
  for (const [name, bodies] of Object.entries(rows))
    for (const [body, want] of Object.entries(bodies)) {
      const { value, status } = await ask(request(`POST /${name}`, body))
      t.same([status, value], [200, { seen: want }], `${name} ${body}`)
    }
})

t.test('a number outside of the schema is refused, compared as it was spelled', async (t) => {
  const range = 'must be an integer from -9223372036854775808 to 9223372036854775807'
  const rows: [string, string, string][] = [
    ['lone', '9223372036854775808', `body ${range}`],
    ['lone', '-9223372036854775809', `body ${range}`],
    ['lone', '1e400', `body ${range}`],
    ['lone', '100000000.00000000001', 'body must be integer'],
    ['lone', '"1"', 'body must be integer'],
    ['list', '[1,"2",3.5]', 'body/1 must be integer; body/2 must be integer'],
    ['map', '{"a":9223372036854775808}', `body/a ${range}`],
    ['deep', '{"a":{"b":[{"c":"x"}]}}', 'body/a/b/0/c must be integer'],
    ['minimum', '9007199254740992', 'body must be >= 9007199254740993'],
    ['maximum', '11', 'body must be <= 10'],
    ['maximum', '1e19', `body ${range}; body must be <= 10`],
    ['above', '5', 'body must be > 5'],
    ['below', '5', 'body must be < 5'],
    ['multiple', '9007199254740992', 'body must be a multiple of 3'],
    ['values', '9007199254740992', 'body must be one of 1, 9007199254740993'],
    ['constant', '7.00000000000000000001', 'body must be integer'],
    ['unique', '[5,6,5.0]', 'body must not have equal items (items 0 and 2)'],
    ['one', '{}', 'body must match exactly one of the allowed schemas'],
    ['mixed', '1.5', 'body must match exactly one of the allowed schemas'],
    ['nullable', '"x"', 'body must be integer or null'],
    ['integer', '9007199254740993', 'body must be integer'],
    ['integer', '1.5', 'body must be integer'],
    ['integer', '1e23', 'body must be integer'],
    ['integer', '1e-400', 'body must be integer'],
    ['integer', '100000000.00000000001', 'body must be integer'],
    ['number', '1e400', 'body must be number'],
    ['number', `${'9'.repeat(400)}`, 'body must be number'],
    ['int32', '2147483648', 'body must be an integer from -2147483648 to 2147483647'],
    ['positive', '11', 'body must be <= 10'],
    ['positive', '0', 'body must be >= 1'],
    ['price', '0.071', 'body must be a multiple of 0.01'],
    ['price', '1e6', 'body must be < 1000000']
  ]
  for (const [name, body, want] of rows) {
    const { value, status } = await ask(request(`POST /${name}`, body))
    const { code, message } = Object(value)
    t.same([status, code], [400, 'mismatch'], `${name} ${body.slice(0, 40)}`)
    t.same(message.split('; ').toSorted(), want.split('; ').toSorted(), `${name} ${body.slice(0, 40)}`)
  }
})

const number: Int64Node = { int64: true }
const plan = (plans: Record<string, Int64Node>): Int64Plan => ({ start: 'a', plans: { ...plans, number } })

t.test('int64Places converts every place of a plan without conditions, and nothing else', async (t) => {
  const convert = int64Places(
    plan({
      a: { parts: [{ plan: 'b' }, { plan: 'c' }] },
      b: { properties: { id: 'number', list: 'd' } },
      c: { properties: { deep: 'b' } },
      d: { items: 'number' }
    })
  )
  const converted = (value: unknown) => {
    const holder = { '': value }
    convert?.(holder, '')
    return holder['']
  }
  t.same(converted({ id: 1, other: 2 }), { id: 1n, other: 2 })
  const want = { list: [1n, '2', 3n], deep: { id: 4n, list: [5n] } }
  t.same(converted({ list: [1, '2', 3], deep: { id: 4, list: [5] } }), want)
  for (const kept of [{ id: '1', list: 2, deep: [{ id: 3 }] }, { id: null, deep: null }, 1])
    t.same(converted(structuredClone(kept)), kept)
})

t.test('int64Places reads exact integers, and doubles that no literal spells', async (t) => {
  const text = '{"a":9007199254740993,"b":1.00000000000000000001,"c":9007199254740993,"d":1}'
  const parsed = exactJson(text, JSON.parse(text))
  const properties = { a: 'number', b: 'number', d: 'number' }
  int64Places(plan({ a: { properties } }))?.({ '': parsed.value }, '')
  t.strictSame(plainJson(parsed), { a: 9007199254740993n, b: 1, c: 9007199254740992, d: 1n })
})

t.test('int64Places leaves plans that need a search', async (t) => {
  const wide = Array.from({ length: 600 }, (_, index) => [`p${index}`, 'number'])
  const rows: [string, Record<string, Int64Node>][] = [
    ['recursive', { a: { properties: { next: 'a', id: 'number' } } }],
    ['recursive below', { a: { items: 'b' }, b: { properties: { next: 'a' } } }],
    ['a branch of a union', { a: { parts: [{ plan: 'number', when: 'isNumber' }] } }],
    ['additional properties', { a: { additional: 'number' } }],
    ['patterns', { a: { patterns: [['^x', 'number']] } }],
    ['tuple', { a: { prefixItems: ['number'] } }],
    ['too many places', { a: { properties: Object.fromEntries(wide) } }]
  ]
  for (const [name, plans] of rows) t.equal(int64Places(plan(plans)), undefined, name)
})
