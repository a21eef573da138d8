/** Merges schemas: a table, and compositions that hold each schema several times at each level. */
import t from 'tap'
import { merged, type Writer } from '../../src/contract/contract.ts'
import { schemaOf } from './schema-of.ts'

t.setTimeout(900_000)

interface Row {
  readonly what: string
  readonly schema: object
  readonly writer?: Writer
  /** `types: properties, with ! for required ones, and - for ones that the writer leaves out`. */
  readonly want: string
}

const rows: readonly Row[] = [
  { what: 'nothing', schema: {}, want: 'any:' },
  { what: 'types', schema: { type: ['string', 'null'] }, want: 'string,null:' },
  {
    what: 'types of values',
    schema: { enum: [1, 'a', null, [1], {}] },
    want: 'number,string,null,array,object:'
  },
  { what: 'an int64', schema: { type: 'integer', format: 'int64' }, want: 'int64:' },
  { what: 'integer and number', schema: { type: 'number', allOf: [{ type: 'integer' }] }, want: 'integer:' },
  {
    what: 'all of',
    schema: { type: 'object', required: ['a'], properties: { a: {} }, allOf: [{ properties: { b: {} } }] },
    want: 'object: a! b'
  },
  { what: 'required without a declaration', schema: { type: 'object', required: ['a'] }, want: 'object: a!' },
  {
    what: 'one of',
    schema: {
      oneOf: [
        { type: 'object', required: ['a', 'b'], properties: { a: {}, b: {} } },
        { type: 'object', required: ['a'], properties: { a: {} } },
        { type: 'null' }
      ]
    },
    want: 'object,null: a! b'
  },
  {
    what: 'conditions',
    schema: {
      type: 'object',
      if: {},
      then: { required: ['a'] },
      else: { properties: { b: {} } },
      dependentSchemas: { c: { properties: { d: {} } } }
    },
    want: 'object: a b d'
  },
  {
    what: 'a schema that holds itself',
    schema: { $ref: '#/components/schemas/Self' },
    want: 'object: name'
  },
  {
    what: 'heirs',
    schema: { $ref: '#/components/schemas/Base' },
    want: 'object: kind! size'
  },
  {
    what: 'what a client leaves out',
    schema: {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { readOnly: true }, b: { writeOnly: true } }
    },
    writer: 'client',
    want: 'object: -a b!'
  },
  {
    what: 'what a service leaves out, of every branch',
    schema: {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { readOnly: true }, b: { allOf: [{ writeOnly: true }] } },
      allOf: [{ required: ['b'] }]
    },
    writer: 'service',
    want: 'object: a! -b'
  }
]

const components = {
  Self: { type: 'object', properties: { name: {} }, allOf: [{ $ref: '#/components/schemas/Self' }] },
  Base: {
    type: 'object',
    required: ['kind'],
    properties: { kind: {} },
    discriminator: { propertyName: 'kind' }
  },
  Child: { allOf: [{ $ref: '#/components/schemas/Base' }, { properties: { size: {} } }] }
}

for (const { what, schema, writer, want } of rows)
  t.test(what, async (t) => {
    const { types, properties, required } = merged([schemaOf(schema, components)], writer)
    const members = [...properties].map(([name, schemas]) =>
      schemas.length === 0 ? `-${name}` : `${name}${required.has(name) ? '!' : ''}`
    )
    t.equal([`${[...(types ?? ['any'])]}:`, ...members].join(' '), want)
  })

t.test('items', async (t) => {
  const of = (schema: object) => {
    const { items, prefix } = merged([schemaOf(schema)])
    return [items.map(({ title }) => title), prefix.map((list) => list.map(({ title }) => title))]
  }
  const [a, b, c] = ['a', 'b', 'c'].map((title) => ({ title }))
  t.strictSame(of({ items: a }), [['a'], []])
  t.strictSame(of({ items: false }), [[], []])
  t.strictSame(of({ prefixItems: [a], items: b, contains: c }), [['b', 'c'], [['a', 'c']]])
  t.strictSame(of({ prefixItems: [a] }), [[undefined], [['a']]], 'any item follows')
  t.strictSame(of({ allOf: [{ items: a }, { prefixItems: [b, c] }] }), [
    ['a'],
    [
      ['a', 'b'],
      ['a', 'c']
    ]
  ])
})

t.test('items of one branch do not bound those of another one', async (t) => {
  const { items } = merged([
    schemaOf({ oneOf: [{ type: 'array', items: { title: 'a' } }, { type: 'array' }] })
  ])
  t.strictSame(
    items.map(({ title }) => title),
    ['a', undefined]
  )
})

t.test('names that patterns declare', async (t) => {
  const { properties, unnamed } = merged([
    schemaOf({
      properties: { ab: { title: 'b' } },
      required: ['ac', 'd'],
      patternProperties: { '^a': { title: 'a' } },
      additionalProperties: { title: 'other' }
    })
  ])
  const titles = [...properties].map(([name, schemas]) => [name, schemas.map(({ title }) => title)])
  t.strictSame(titles, [
    ['ac', ['a']],
    ['d', ['other']],
    ['ab', ['b', 'a']]
  ])
  t.equal(unnamed.length, 1)
})

t.test('the result of the same schemas is the same', async (t) => {
  const [a, b] = [schemaOf({ type: 'string' }), schemaOf({ type: 'null' })]
  t.equal(merged([a, b]), merged([a, b]))
  t.not(merged([a, b]), merged([a]))
  t.not(merged([a], 'client'), merged([a], 'service'))
  t.strictSame(merged([]).types, new Set(), 'no schema applies')
})

/** Ways to hold the next schema twice, or several times. */
const doubling: Readonly<Record<string, (next: object, level: number) => object>> = {
  allOf: (next) => ({ allOf: [next, next] }),
  anyOf: (next) => ({ anyOf: [next, next] }),
  oneOf: (next) => ({ oneOf: [next, { description: 'other', ...next }] }),
  'then and else': (next) => Object.fromEntries(['if', 'then', 'else'].map((key) => [key, next])),
  dependentSchemas: (next) => ({ dependentSchemas: { a: next, b: next } }),
  'allOf of allOf and anyOf': (next, level) => ({
    allOf: [{ allOf: [next] }, { anyOf: [next, { properties: { [`k${level}`]: true } }] }]
  })
}
const levels = 28
const level = (index: number) => ({ $ref: `#/components/schemas/L${index}` })
const leaf = { type: 'object', properties: { a: { type: 'string' } } }
const ends = {
  'in a row': leaf,
  'in a circle': { ...leaf, allOf: [level(0)] },
  'in circles': { ...leaf, allOf: [level(3), level(1)] }
}

for (const [what, hold] of Object.entries(doubling))
  for (const [shape, last] of Object.entries(ends))
    t.test(`${levels} levels of ${what}, ${shape}, are merged at once`, async (t) => {
      const held = Array.from({ length: levels }, (_, index) => [`L${index}`, hold(level(index + 1), index)])
      const schemas = { ...Object.fromEntries(held), [`L${levels}`]: last }
      const { properties, unnamed } = merged([schemaOf(level(0), schemas)])
      t.strictSame(
        properties.get('a')?.map(({ types }) => types),
        [new Set(['string'])]
      )
      t.ok(unnamed.length <= 2 * levels)
    })
