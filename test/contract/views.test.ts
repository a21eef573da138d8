/** Views of schemas: references, cycles, alternatives, digests, and what several schemas require together. */
import { load } from 'js-yaml'
import t from 'tap'
import {
  alternatives,
  defaultsOf,
  digestOf,
  hasSides,
  holdsBytes,
  isRecursive,
  make,
  merged,
  reaches,
  type Schema,
  target,
  validityDigest,
  type Writer
} from '../../src/contract/contract.ts'
import { schemaOf } from './schema-of.ts'

t.setTimeout(900_000)

const ref = (name: string, others: object = {}) => ({ $ref: `#/components/schemas/${name}`, ...others })

t.test('target skips what only refers', async (t) => {
  const schemas = { A: ref('B'), B: { title: 'B' }, C: ref('D'), D: ref('C'), Never: false }
  const of = (schema: object) => target(schemaOf(schema, schemas))
  t.equal(of(ref('A')).title, 'B')
  t.equal(of(ref('A', { maxLength: 3 })).maxLength, 3, 'a constraint stands beside the reference')
  t.equal(of(ref('A', { description: 'an A' })).description, 'an A')
  t.equal(of(ref('Never')).never, true)
  t.ok(of(ref('C')).ref, 'a cycle says nothing')
})

t.test('the nearest default', async (t) => {
  const schemas = { Open: { default: 'open' }, Deep: { allOf: [ref('Open')] } }
  const of = (schema: object) => defaultsOf(schemaOf(schema, schemas))
  t.strictSame(of({ ...ref('Open'), default: 'own' }), ['own'])
  t.strictSame(of(ref('Deep')), ['open'])
  t.strictSame(of({ allOf: [{ default: 1 }, { default: 2 }, ref('Deep')] }), [1, 2])
  t.strictSame(of({ anyOf: [ref('Open'), { type: 'null' }] }), ['open'])
  t.strictSame(of({}), [])
})

const tree = {
  Tree: {
    type: 'object',
    properties: { children: { type: 'array', items: ref('Tree') }, leaf: ref('Leaf') }
  },
  Leaf: { type: 'integer', format: 'int64' },
  Even: { properties: { next: ref('Odd') } },
  Odd: { properties: { next: ref('Even') } },
  Same: { not: { items: ref('Same') } }
}

t.test('recursion', async (t) => {
  const of = (name: string) => isRecursive(target(schemaOf(ref(name), tree)))
  t.strictSame(Object.keys(tree).map(of), [true, false, true, true, true])
  t.notOk(isRecursive(schemaOf(ref('Tree'), tree)), 'what refers to a cycle is not in it')
})

t.test('what a schema reaches', async (t) => {
  let visits = 0
  const isInt64 = ({ format }: Schema) => {
    visits++
    return format === 'int64'
  }
  const { Tree, Even } = Object.fromEntries(
    Object.keys(tree).map((name) => [name, target(schemaOf({ ...ref(name) }, tree))])
  )
  t.ok(reaches(Tree as Schema, isInt64))
  t.notOk(reaches(Even as Schema, isInt64))
  const before = visits
  const [children] = [...(Tree?.properties?.values() ?? [])]
  t.ok(reaches(Tree as Schema, isInt64))
  t.ok(reaches(children as Schema, isInt64), 'known for what stands below, too')
  t.equal(visits, before)
})

t.test('every keyword that holds a schema is below it', async (t) => {
  const inner = { title: 'inner' }
  const single =
    'items contains additionalProperties unevaluatedProperties unevaluatedItems not if then else propertyNames contentSchema'
  const holders: readonly object[] = [
    ...single.split(' ').map((key) => ({ [key]: inner })),
    ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((key) => ({ [key]: [inner] })),
    ...['properties', 'patternProperties', 'dependentSchemas'].map((key) => ({ [key]: { a: inner } }))
  ]
  const isInner = ({ title }: Schema) => title === 'inner'
  for (const holder of holders) t.ok(reaches(schemaOf(holder), isInner), Object.keys(holder).join())
})

t.test('schemas that are written and read with other properties', async (t) => {
  const schemas = { Id: { readOnly: true, type: 'string' }, Plain: { type: 'object' } }
  const of = (schema: object) => hasSides(schemaOf(schema, schemas))
  t.ok(of({ properties: { id: ref('Id') } }))
  t.ok(of({ items: { properties: { secret: { writeOnly: true } } } }))
  t.notOk(of({ properties: { plain: ref('Plain') }, readOnly: false }))
})

const shapes = {
  Circle: { type: 'object', required: ['kind'], properties: { kind: { const: 'circle' } } },
  Square: { type: 'object', required: ['kind'], properties: { kind: { enum: ['square', 'box'] } } },
  Base: { type: 'object', properties: { kind: { enum: ['Cat', 'Dog'] } } },
  Cat: { allOf: [ref('Base')] },
  Dog: { allOf: [ref('Base'), { properties: { kind: { enum: ['Dog', 'hound'] } } }] }
}
const kinds = { propertyName: 'kind' }
const optional = { type: 'object', properties: { kind: { const: 'b' } } }
const mapping = { Cat: 'Base', Dog: ref('Base').$ref }

/** Unions, and by what their branches are told apart. */
const unions: readonly (readonly [schema: object, want?: string])[] = [
  [{ oneOf: [{ type: 'string' }, { type: ['integer', 'null'] }] }, 'type: string | integer,null'],
  [{ oneOf: [{ type: 'integer' }, { type: 'number' }] }],
  [{ type: 'string' }],
  [{ anyOf: [{ const: 'a' }, { enum: ['b', 1] }, { type: 'null' }] }, 'value: a | b,1 | null'],
  [{ anyOf: [{ const: 'a' }, { enum: ['a', 'b'] }] }],
  [{ oneOf: [ref('Circle'), ref('Square'), { type: 'null' }] }, 'property kind: circle | square,box | null'],
  [{ oneOf: [ref('Circle'), optional] }],
  [{ oneOf: [ref('Cat'), ref('Dog')], discriminator: kinds }, 'tag kind: Cat | Dog'],
  [
    { oneOf: [ref('Base'), ref('Circle')], discriminator: { ...kinds, mapping } },
    'tag kind: Cat,Dog | circle'
  ],
  [{ oneOf: [{ type: 'object' }, ref('Circle')], discriminator: kinds }],
  [{ oneOf: [{ const: { a: 1 } }, { const: { b: 1 } }] }]
]

t.test('the alternatives of a union', async (t) => {
  for (const [schema, want] of unions) {
    const found = alternatives(schemaOf(schema, shapes))
    const branches = found?.branches.map(({ types, values }) => [...(types ?? values ?? [])].join())
    const text = found && `${[found.by, found.property].join(' ').trim()}: ${branches?.join(' | ')}`
    t.equal(text, want, JSON.stringify(schema))
  }
})

t.test('a discriminator leads to its otherwise and its heirs', async (t) => {
  const { discriminator } = schemaOf(
    { anyOf: [ref('Cat'), ref('Circle')], discriminator: { propertyName: 'kind', defaultMapping: 'Cat' } },
    shapes
  )
  t.equal(discriminator?.otherwise?.name, 'Cat')
  t.strictSame([...(discriminator?.tags?.keys() ?? [])], ['Cat', 'Dog', 'circle'])
  const base = { type: 'object', discriminator: kinds }
  const schemas = {
    Child: { allOf: [ref('Subject')] },
    Grandchild: { anyOf: [{ allOf: [ref('Child')] }, { type: 'null' }] }
  }
  const { discriminator: inherited } = schemaOf(base, schemas)
  t.strictSame(inherited?.of, 'heirs')
  t.equal(inherited?.heirs.length, 2)
  const astray = {
    anyOf: [ref('Cat'), ref('Circle')],
    discriminator: { propertyName: 'kind', defaultMapping: 'Square' }
  }
  t.equal(schemaOf(astray, shapes).discriminator?.tags, undefined, 'no alternative')
})

const digest = (schema: unknown, schemas: object = {}) => digestOf(schemaOf(schema, schemas))

t.test('schemas that mean the same have one digest', async (t) => {
  for (const [one, other] of [
    [
      { type: 'string', title: 'A', example: 1 },
      { description: 'B', type: 'string', 'x-a': 1 }
    ],
    [{ type: ['string', 'null'] }, { type: ['null', 'string'] }],
    [{ properties: { a: {}, b: { type: 'null' } } }, { properties: { b: { type: 'null' }, a: true } }],
    [{ required: ['a', 'b'] }, { required: ['b', 'a'] }]
  ])
    t.equal(digest(one), digest(other))
})

const different: readonly unknown[] = [
  ...[{}, false, { type: 'string' }, { format: 'date' }, { const: 1 }, { const: '1' }, { default: 1 }],
  ...[{ properties: { a: {} } }, { properties: { b: {} } }, { patternProperties: { a: {} } }],
  ...[{ allOf: [{ minimum: 1 }] }, { anyOf: [{ minimum: 1 }] }, { items: { minimum: 1 } }],
  ...[{ contains: {} }, { contains: {}, minContains: 2 }, { contentMediaType: 'text/plain' }],
  ...[{ required: ['a'] }, { readOnly: true }, { writeOnly: true }, { pattern: 'a' }],
  ...[{ dependentRequired: { a: ['b'] } }, { discriminator: { propertyName: 'a' } }]
]

t.test('different schemas have different digests', async (t) => {
  t.equal(new Set(different.map((each) => digest(each))).size, different.length)
  t.equal(digest({ const: 1 }), digest({ const: 1n }), 'a value has one JSON text')
})

t.test('digests of unions by a discriminator', async (t) => {
  const union = (...names: string[]) => ({
    oneOf: names.map((name) => ref(name)),
    discriminator: kinds
  })
  const renamed = { ...shapes, Disc: shapes.Circle }
  t.equal(digest(union('Circle', 'Square'), shapes), digest(union('Disc', 'Square'), renamed))
  t.not(digest(union('Circle', 'Square'), shapes), digest(union('Square', 'Circle'), shapes))
})

t.test('digests of cycles and of references', async (t) => {
  const list = (item: object) => ({ List: { properties: { next: ref('List'), item } } })
  t.equal(
    digest(ref('List'), list({ type: 'string' })),
    digest(ref('List'), list({ type: 'string', title: 'A' }))
  )
  t.not(digest(ref('List'), list({ type: 'string' })), digest(ref('List'), list({ type: 'null' })))
  t.equal(digest(ref('A'), { A: { type: 'string' } }), digest(ref('B'), { B: { type: 'string' } }))
  const odd = target(schemaOf(ref('Odd'), tree))
  t.equal(
    digestOf(odd),
    digestOf(target(schemaOf(ref('Even'), tree))),
    'the same cycle, entered at either place'
  )
})

t.test('a reader makes a schema at the place of another one', async (t) => {
  const from = schemaOf({ type: 'string' })
  const made = make({ anyOf: [from] }, from)
  t.equal(made.origin, from.origin)
  t.equal(digestOf(made), digest({ anyOf: [{ type: 'string' }] }))
})

t.test('depth has no bound', async (t) => {
  let deep: object = { type: 'integer', format: 'int64' }
  for (let depth = 0; depth < 50_000; depth++) deep = { items: deep }
  const schema = schemaOf(deep)
  t.ok(reaches(schema, ({ format }) => format === 'int64'))
  t.notOk(isRecursive(schema))
  t.match(validityDigest(schema), /^[\da-f]{64}$/)
})

t.test('schemas that hold bytes', async (t) => {
  const [binary, png] = [{ format: 'binary' }, { contentMediaType: 'image/png' }]
  for (const schema of [
    { ...binary, type: 'string' },
    { ...binary, type: ['string', 'null'] },
    { ...png, type: 'string' }
  ])
    t.ok(holdsBytes(schemaOf(schema)), JSON.stringify(schema))
  for (const more of [{ ...png, contentEncoding: 'base64' }, { contentMediaType: 'text/plain' }, {}])
    t.notOk(holdsBytes(schemaOf({ type: 'string', ...more })), JSON.stringify(more))
  t.notOk(holdsBytes(schemaOf(binary)))
})

/** Schemas in YAML, and `types: properties`, with `!` for required ones and `-` for ones that the writer leaves out. */
const merges = `{} → any:
{ type: [string, 'null'] } → string,null:
{ enum: [1, a, null, [1], {}] } → number,string,null,array,object:
{ type: integer, format: int64 } → int64:
{ type: number, allOf: [{ type: integer }] } → integer:
{ type: object, required: [a], properties: { a: {} }, allOf: [{ properties: { b: {} } }] } → object: a! b
{ type: object, required: [a] } → object: a!
{ oneOf: [{ type: object, required: [a, b], properties: { a: {}, b: {} } }, { type: object, required: [a], properties: { a: {} } }, { type: 'null' }] } → object,null: a! b
{ type: object, if: {}, then: { required: [a] }, else: { properties: { b: {} } }, dependentSchemas: { c: { properties: { d: {} } } } } → object: a b d
{ $ref: '#/components/schemas/Self' } → object: name
{ $ref: '#/components/schemas/Parent' } → object: kind! size
client { type: object, required: [a, b], properties: { a: { readOnly: true }, b: { writeOnly: true } } } → object: -a b!
service { type: object, required: [a, b], allOf: [{ required: [b] }], properties: { a: { readOnly: true }, b: { allOf: [{ writeOnly: true }] } } } → object: a! -b`

const components = {
  Self: { type: 'object', properties: { name: {} }, allOf: [ref('Self')] },
  Parent: { type: 'object', required: ['kind'], properties: { kind: {} }, discriminator: kinds },
  Child: { allOf: [ref('Parent'), { properties: { size: {} } }] }
}

t.test('what several schemas require together', async (t) => {
  for (const line of merges.split('\n')) {
    const [, writer, schema = '', want] = /^(\w+ )?(.*) → (.*)$/.exec(line) ?? []
    const read = schemaOf(load(schema), components)
    const { types, properties, required } = merged([read], writer?.trim() as Writer | undefined)
    const members = [...properties].map(([name, schemas]) =>
      schemas.length === 0 ? `-${name}` : `${name}${required.has(name) ? '!' : ''}`
    )
    t.equal([`${[...(types ?? ['any'])]}:`, ...members].join(' '), want, line)
  }
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
  const either = { oneOf: [{ type: 'array', items: a }, { type: 'array' }] }
  t.strictSame(of(either), [['a', undefined], []], 'a branch does not bound another one')
  t.strictSame(of({ allOf: [{ items: a }, { prefixItems: [b, c] }] }), [
    ['a'],
    [
      ['a', 'b'],
      ['a', 'c']
    ]
  ])
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
const levelAt = (index: number) => ref(`L${index}`)
const leaf = { type: 'object', properties: { a: { type: 'string' } } }

for (const [what, hold] of Object.entries(doubling))
  t.test(`${levels} levels of ${what}, in circles, are merged at once`, async (t) => {
    const held = Array.from({ length: levels }, (_, index) => [`L${index}`, hold(levelAt(index + 1), index)])
    const last = { ...leaf, allOf: [levelAt(3), levelAt(1)] }
    const { properties, unnamed } = merged([
      schemaOf(levelAt(0), { ...Object.fromEntries(held), [`L${levels}`]: last })
    ])
    t.strictSame(
      properties.get('a')?.map(({ types }) => types),
      [new Set(['string'])]
    )
    t.ok(unnamed.length <= 2 * levels)
  })
