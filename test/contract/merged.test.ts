/** Merges schemas: a table, and every schema of the collection as the shapes of the compiler have it. */
import t from 'tap'
import type { Json } from '../../src/compiler/compile/document/json-value.ts'
import { componentsOf } from '../../src/compiler/compile/document/reference.ts'
import { modelOf } from '../../src/compiler/compile/model/contract-model.ts'
import { Shapes } from '../../src/compiler/compile/shapes/shape.ts'
import { merged, type Schema, type Writer } from '../../src/contract/contract.ts'
import { collection } from './collection.ts'
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

t.test('a composition that holds each schema twice at each of 40 levels is merged at once', async (t) => {
  const levels = Array.from({ length: 40 }, (_, index): [string, object] => {
    const next = { $ref: `#/components/schemas/L${index + 1}` }
    return [`L${index}`, { properties: { [`p${index}`]: {} }, allOf: [next, next] }]
  })
  const schemas = { ...Object.fromEntries(levels), L40: { type: 'object' } }
  t.equal(merged([schemaOf({ $ref: '#/components/schemas/L0' }, schemas)]).properties.size, 40)
})

const hidden = { client: 'readOnly', service: 'writeOnly' } as const

t.test('every schema of the collection is merged as its shape', async (t) => {
  let count = 0
  for await (const [file, contract] of collection()) {
    const model = modelOf(contract)
    for (const writer of [undefined, 'client', 'service'] as const) {
      const shapes = new Shapes(contract.document, writer && hidden[writer])
      for (const [name, json] of Object.entries(componentsOf(contract.document, 'schemas'))) {
        const schema = model.components.schemas.get(name)
        const differing = schema && compare(shapes, [[[json], [schema]]], writer)
        count += differing?.count ?? 0
        if (differing?.first !== undefined) t.fail(`${file} ${name} ${writer}: ${differing.first}`)
      }
    }
  }
  t.ok(count > 500, String(count))
})

type Pair = readonly [json: readonly Json[], schemas: readonly Schema[]]

/** Compares lists of schemas, and those below them. */
function compare(shapes: Shapes, pairs: readonly Pair[], writer: Writer | undefined) {
  const seen = new Set<unknown>()
  const pending = [...pairs]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [json, schemas] = next
    const key = merged(schemas, writer)
    if (seen.has(key)) continue
    seen.add(key)
    const shape = shapes.of(json)
    const summary = (of: typeof shape | typeof key, isOpen: boolean, isUnion: boolean) => {
      const prefix = 'prefix' in of ? of.prefix : of.prefixItems
      return JSON.stringify([
        of.types === undefined ? 'any' : [...of.types],
        [...of.properties].map(([name, list]) => [name, list.length]),
        of.unnamed.map(({ patterns, additional }) => [patterns.length, additional.length]),
        [of.items.length, prefix.map((list) => list.length), isOpen, isUnion]
      ])
    }
    const [want, got] = [summary(shape, shape.open, shape.fromUnion), summary(key, key.isOpen, key.isUnion)]
    if (want !== got) return { count: seen.size, first: `${got} instead of ${want}` }
    for (const [name, list] of shape.properties) pending.push([list, key.properties.get(name) ?? []])
    pending.push([shape.items, key.items])
    for (const [index, { patterns, additional }] of shape.unnamed.entries()) {
      pending.push([additional, key.unnamed[index]?.additional ?? []])
      for (const [at, [, each]] of patterns.entries()) {
        const schema = key.unnamed[index]?.patterns[at]?.schema
        if (schema !== undefined) pending.push([[each], [schema]])
      }
    }
  }
  return { count: seen.size, first: undefined }
}
