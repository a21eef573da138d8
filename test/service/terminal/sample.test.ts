import { test } from 'tap'
import { resolver } from '../../../src/service/terminal/examples.ts'
import { sampleOf } from '../../../src/service/terminal/sample.ts'

const components = {
  schemas: {
    Cat: {
      type: 'object',
      required: ['kind', 'lives'],
      properties: { kind: { type: 'string' }, lives: { type: 'integer' } }
    },
    Named: { type: 'object', required: ['kind'], properties: { kind: { const: 'set' } } },
    Tree: { type: 'object', required: ['next'], properties: { next: { $ref: '#/components/schemas/Tree' } } }
  }
}
const read = resolver({ components })
const cat = { $ref: '#/components/schemas/Cat' }

const rows: readonly { schema: unknown; want: unknown }[] = [
  { schema: { type: 'string' }, want: 'text' },
  { schema: {}, want: 'text' },
  { schema: { type: 'string', minLength: 6 }, want: 'textxx' },
  { schema: { type: 'string', maxLength: 2 }, want: 'te' },
  { schema: { type: 'string', format: 'date' }, want: '2030-01-31' },
  { schema: { type: 'string', format: 'date', maxLength: 5 }, want: undefined },
  { schema: { type: 'string', format: 'uuid', minLength: 99 }, want: undefined },
  { schema: { type: 'string', contentEncoding: 'base64' }, want: 'dGV4dA==' },
  { schema: { type: 'string', pattern: '^a' }, want: undefined },
  { schema: { type: 'string', pattern: '^a', example: 'abc' }, want: 'abc' },
  { schema: { enum: ['b', 'c'] }, want: 'b' },
  { schema: { const: 0 }, want: 0 },
  { schema: { examples: [7] }, want: 7 },
  { schema: { default: 8 }, want: 8 },
  { schema: { type: ['null', 'boolean'] }, want: true },
  { schema: { type: 'null' }, want: null },
  { schema: { type: 'unknown' }, want: undefined },
  { schema: { type: 'integer' }, want: 1 },
  { schema: { type: 'number', maximum: 0.5 }, want: 0 },
  { schema: { type: 'integer', minimum: 10 }, want: 10 },
  { schema: { type: 'integer', exclusiveMinimum: 10 }, want: 11 },
  { schema: { type: 'integer', minimum: 10, exclusiveMinimum: true }, want: 11 },
  { schema: { type: 'integer', exclusiveMaximum: -3 }, want: -4 },
  { schema: { type: 'integer', multipleOf: 5 }, want: 5 },
  { schema: { type: 'integer', multipleOf: 5, minimum: 6, maximum: 9 }, want: undefined },
  { schema: { type: 'integer', multipleOf: 0.5, minimum: 2 }, want: 2 },
  { schema: { type: 'array', items: { type: 'integer' } }, want: [1] },
  { schema: { items: { type: 'integer' }, minItems: 2 }, want: [1, 1] },
  { schema: { type: 'array', items: { type: 'integer' }, minItems: 2, uniqueItems: true }, want: undefined },
  { schema: { type: 'array' }, want: ['text'] },
  { schema: { type: 'array', items: { pattern: '^a' } }, want: [] },
  { schema: { type: 'array', items: { pattern: '^a' }, minItems: 1 }, want: undefined },
  { schema: { properties: { a: { type: 'integer' }, b: { pattern: '^a' } } }, want: { a: 1 } },
  { schema: { required: ['b'], properties: { a: {}, b: { type: 'boolean' } } }, want: { b: true } },
  { schema: { required: ['b'], properties: { b: { pattern: '^a' } } }, want: undefined },
  { schema: { type: 'object', required: ['b'] }, want: undefined },
  { schema: { type: 'object', minProperties: 1 }, want: undefined },
  { schema: { required: ['id'], properties: { id: { readOnly: true } } }, want: {} },
  { schema: { $ref: '#/components/schemas/Tree' }, want: undefined },
  { schema: true, want: undefined },
  { schema: cat, want: { kind: 'text', lives: 1 } },
  { schema: { oneOf: [cat], discriminator: { propertyName: 'kind' } }, want: { kind: 'Cat', lives: 1 } },
  {
    schema: { anyOf: [cat], discriminator: { propertyName: 'kind', mapping: { dog: 'Dog', tom: 'Cat' } } },
    want: { kind: 'tom', lives: 1 }
  },
  {
    schema: { oneOf: [cat], discriminator: { propertyName: 'kind', mapping: { tom: cat.$ref } } },
    want: { kind: 'tom', lives: 1 }
  },
  {
    schema: { oneOf: [{ $ref: '#/components/schemas/Named' }], discriminator: { propertyName: 'kind' } },
    want: { kind: 'set' }
  },
  {
    schema: { oneOf: [{ properties: { kind: { enum: ['one'] } } }], discriminator: { propertyName: 'kind' } },
    want: { kind: 'one' }
  },
  {
    schema: { allOf: [cat, { required: ['age'], properties: { age: { type: 'integer' } } }] },
    want: { kind: 'text', lives: 1, age: 1 }
  },
  {
    schema: { allOf: [cat, { properties: { lives: { type: 'integer', minimum: 9 } } }] },
    want: { kind: 'text', lives: 9 }
  },
  { schema: { allOf: [{ type: 'integer', minimum: 1 }, { minimum: 2 }] }, want: undefined },
  {
    schema: {
      allOf: [{ properties: { a: { readOnly: true } } }, { properties: { a: {}, b: { type: 'boolean' } } }]
    },
    want: { b: true }
  }
]

for (const { schema, want } of rows) {
  test(`a value of ${JSON.stringify(schema)}`, async (t) => {
    t.strictSame(sampleOf(schema, read), want)
  })
}

const doubled = Object.fromEntries(
  Array.from({ length: 28 }, (_, index) => {
    const next = { $ref: `#/components/schemas/L${index}` }
    return [`L${index + 1}`, { allOf: [next, next] }] as const
  })
)
const level = (index: number) => ({ $ref: `#/components/schemas/L${index}` })
const list = (minItems: number, items: unknown) => ({ type: 'array', minItems, items })

for (const [what, schema, reads] of [
  ['a long list', list(300_000_000, {}), 1],
  ['lists of lists', list(900, list(900, list(900, {}))), 1_000],
  ['a long text', { type: 'string', minLength: 536_870_912 }, 1],
  ['28 levels of allOf', level(28), 1_000]
] as const)
  test(`no sample of ${what} is made, after ${reads} schemas`, async (t) => {
    let count = 0
    const resolve = resolver({ components: { schemas: { ...doubled, L0: { type: 'string' } } } })
    const counted = (value: unknown) => {
      count++
      return resolve(value)
    }
    t.strictSame([sampleOf(schema, counted), count], [undefined, reads])
  })

test('three levels of allOf have a sample; other errors of a sample pass', async (t) => {
  const resolve = resolver({ components: { schemas: { ...doubled, L0: { type: 'string' } } } })
  t.equal(sampleOf(level(3), resolve), 'text')
  t.throws(
    () =>
      sampleOf({}, () => {
        throw new TypeError('a defect')
      }),
    TypeError
  )
})
