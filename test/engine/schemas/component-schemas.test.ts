/** Component schemas outside HTTP, as a contract offers them. */
import { load } from 'js-yaml'
import t from 'tap'
import { type ComponentSchema, componentSchemas, SchemaMismatch } from '../../../src/engine/schemas.ts'
import { compiled, type Json, taking } from '../serve.ts'

const schemas = load(`
Order:
  type: object
  required: [id, lines]
  properties: { id: &id { type: integer, format: int64 }, lines: { type: array, items: { $ref: '#/components/schemas/order.line' } } }
order.line: { type: object, required: [n], properties: { n: *id, note: { type: string } } }
shop-user:
  type: object
  required: [id, password]
  properties:
    id: { type: integer, format: int64, readOnly: true }
    password: { type: string, writeOnly: true }
    name: { type: string }
Either:
  oneOf:
    - { type: object, required: [a], properties: { a: *id }, additionalProperties: false }
    - { type: object, required: [b], properties: { b: { type: integer } }, additionalProperties: false }
Tree: { type: object, properties: { left: { $ref: '#/components/schemas/Tree' }, id: *id } }
Any: {}
__proto__: { type: string }
`) as Json

type Schemas = Readonly<Record<string, ComponentSchema<unknown>>>
const { loadSchemas, schemas: ofContract } = await compiled(t, {
  components: { schemas },
  paths: { '/orders': taking('order', { $ref: '#/components/schemas/Order' }) }
})
const lazy = ofContract as Schemas
const loaded = (await loadSchemas?.()) as Schemas
const codec = (name: string) => loaded[name] as ComponentSchema<unknown>

/** Texts that a schema accepts, and what `stringify` writes of the value. */
const valid: [name: string, given: string, written: string][] = [
  [
    'Order',
    '{"x":1,"lines":[{"note":"a","y":2,"n":9223372036854775807}],"id":-9007199254740993}',
    '{"id":-9007199254740993,"lines":[{"n":9223372036854775807,"note":"a"}]}'
  ],
  ['order.line', '{"n":1}', '{"n":1}'],
  ['shop-user', '{"id":9007199254740993,"password":"x"}', '{"id":9007199254740993}'],
  ['Either', '{"a":9007199254740993}', '{"a":9007199254740993}'],
  ['Either', '{"b":1}', '{"b":1}'],
  ['Tree', '{"left":{"left":{"id":9007199254740993}}}', '{"left":{"left":{"id":9007199254740993}}}'],
  ['Any', '[null]', '[null]'],
  ['__proto__', '"x"', '"x"']
]

/** Texts that a schema refuses, and the places of the problems. */
const invalid: [name: string, given: string, pointers: string[]][] = [
  ['Order', '{"lines":[{"n":"1"},{}]}', ['/id', '/lines/0/n', '/lines/1/n']],
  ['order.line', '{"n":9223372036854775808,"note":1}', ['/n', '/note']],
  ['shop-user', '{"name":1}', ['/id', '/name']],
  ['Either', '{"a":1,"b":2}', ['']],
  ['Tree', '{"left":{"id":1.5}}', ['/left/id']],
  ['__proto__', '1', ['']]
]

for (const [name, given, written] of valid)
  t.test(`${name} accepts ${given}`, async (t) => {
    const value = codec(name).parse(given)
    t.strictSame(codec(name).parse(Buffer.from(`\uFEFF${given}`)), value)
    t.strictSame(codec(name).check(value), [])
    t.equal(codec(name).stringify(value), written)
  })
for (const [name, given, pointers] of invalid)
  t.test(`${name} refuses ${given}`, async (t) => {
    const value: unknown = JSON.parse(given)
    const problems = codec(name).check(value)
    t.strictSame(
      problems.map(({ pointer }) => pointer),
      pointers
    )
    for (const refused of [() => codec(name).parse(given), () => codec(name).stringify(value)])
      t.throws(refused, { name: 'SchemaMismatch', schema: name, problems })
  })

t.test('a text that is no JSON is a mismatch of the whole value', async (t) => {
  const whole = (message: string) => {
    return { name: 'SchemaMismatch', problems: [{ place: 'value', pointer: '', message }] }
  }
  t.throws(() => codec('Any').parse('{"a":'), whole('is not valid JSON: it ends too early'))
  t.throws(() => codec('Any').parse(Buffer.of(0x22, 0xff, 0x22)), whole('is not valid UTF-8'))
  const deep = `${'{"left":'.repeat(50_000)}{}${'}'.repeat(50_000)}`
  t.throws(() => codec('Tree').parse(deep), whole('is nested too deeply'))
  for (const value of [undefined, () => 1])
    t.match(codec('Any').check(value), [{ message: 'is no JSON value' }])
})

t.test('the values of the other side', async (t) => {
  const { received } = codec('shop-user')
  t.strictSame(received.parse('{"password":"x"}'), { password: 'x' })
  t.equal(received.stringify({ password: 'x', more: 1 }), '{"password":"x"}')
  t.match(received.check({ id: 1n, password: 'x' }), [
    { place: 'value/id', keyword: 'readOnly', message: 'is read-only and must not be sent' }
  ])
  t.strictSame(codec('Tree').received.parse('{"id":1}'), { id: 1n })
})

t.test('an error of another kind is not hidden', async (t) => {
  const trap = Object.defineProperty({}, 'n', {
    get() {
      throw new Error('trap')
    }
  })
  t.throws(() => codec('order.line').check(trap), { message: 'trap' })
})

t.test('the functions of a contract load their code at the first call', async (t) => {
  t.strictSame(Object.keys(lazy), Object.keys(loaded))
  t.ok(Object.hasOwn(lazy, '__proto__'))
  const line = lazy['order.line'] as ComponentSchema<unknown>
  t.strictSame(line.parse('{"n":9223372036854775807}'), { n: 9223372036854775807n })
  t.equal(line.stringify({ n: 9223372036854775807n }), '{"n":9223372036854775807}')
  t.strictSame(line.received.check({ n: 1n }), [])
  const message = 'order.line: value/n is required; value/note must be string'
  t.throws(() => line.parse('{"note":1}'), { name: 'SchemaMismatch', message })
  t.throws(() => line.parse('{'), SchemaMismatch)
})

t.test('code of another version is refused', async (t) => {
  const tables = { format: 'other', sent: { schemas: {}, shapes: [], plans: {} }, validators: {} }
  t.throws(() => componentSchemas(tables), { message: /another version of the engine; run npm run generate/ })
})
