/** Schemas that hold others exponentially often are found, and the linter does not follow them. */
import { join } from 'node:path'
import { BaseResolver, makeDocumentFromString } from '@redocly/openapi-core'
import t from 'tap'
import type { Json } from '../../../../src/compiler/compile/document/json-value.ts'
import { doubledSchema } from '../../../../src/compiler/compile/load/doubled-schemas.ts'
import { loadContract } from '../../../../src/compiler/compile/load/load.ts'

const pointerIn = async (document: Json) => {
  const found = await doubledSchema(
    makeDocumentFromString(JSON.stringify(document), '/openapi.json'),
    new BaseResolver()
  )
  return found?.pointer
}

const reference = (level: number) => ({ $ref: `#/components/schemas/L${level}` })

function chain(levels: number, make: (next: Json) => Json, last: Json): { [name: string]: Json } {
  const schemas = Array.from({ length: levels }, (_, index) => [`L${index + 1}`, make(reference(index))])
  return { L0: last, ...Object.fromEntries(schemas) }
}

const makers: Readonly<Record<string, (next: Json) => Json>> = {
  allOf: (next) => ({ allOf: [next, next] }),
  anyOf: (next) => ({ anyOf: [next, next] }),
  'oneOf and not': (next) => ({ oneOf: [next, { not: next }] }),
  'if, then and else': (next) => Object.fromEntries(['if', 'then', 'else'].map((key) => [key, next]))
}
const last = { type: 'object', properties: { a: { type: 'string' } } }

for (const [what, make] of Object.entries(makers)) {
  t.test(`28 levels of ${what} are found, 8 levels are none`, async (t) => {
    t.match(await pointerIn({ components: { schemas: chain(28, make, last) } }), '#/components/schemas/L')
    t.equal(await pointerIn({ components: { schemas: chain(8, make, last) } }), undefined)
  })

  t.test(`a contract with an example and 28 levels of ${what} is linted without them`, async (t) => {
    const schema = { allOf: [reference(28)], required: ['zz'] }
    const content = { 'application/json': { schema, example: { a: 1 } } }
    const document = {
      openapi: '3.1.0',
      info: { title: 'x', version: '1' },
      paths: { '/a': { get: { operationId: 'a', responses: { 200: { description: 'x', content } } } } },
      components: { schemas: chain(28, make, last) }
    }
    const folder = t.testdir({ 'openapi.json': JSON.stringify(document, null, 1) })
    const { problems } = await loadContract(join(folder, 'openapi.json'))
    const found = problems.filter(({ message }) => message.includes('are not checked'))
    t.match(found, [{ severity: 'warning', message: /^examples and required properties of this contract/ }])
    t.ok(Number(found[0]?.line) > 1)
  })
}

t.test(
  'a schema that holds itself is counted once, and one in thousands of levels is too many',
  async (t) => {
    const self = { allOf: [reference(1), { type: 'object' }] }
    t.equal(await pointerIn({ components: { schemas: { L1: self } } }), undefined)
    const deep = chain(3_000, (next) => ({ allOf: [next] }), last)
    t.type(await pointerIn({ components: { schemas: deep } }), 'string')
  }
)

const linked = (next: string) => ({ allOf: [{ $ref: next }, { $ref: next }] })

/** Returns the files of a contract whose example meets the schema that is named. */
function withExample(schema: string, files: { readonly [name: string]: Json } = {}, schemas: Json = {}) {
  const content = { 'application/json': { schema: { $ref: schema }, example: { a: 1 } } }
  const document = {
    openapi: '3.1.0',
    info: { title: 'x', version: '1' },
    paths: { '/a': { get: { operationId: 'a', responses: { 200: { description: 'x', content } } } } },
    components: { schemas }
  }
  return Object.fromEntries(
    Object.entries({ 'openapi.json': document, ...files }).map(([name, file]) => [
      name,
      JSON.stringify(file, null, 1)
    ])
  )
}

const levels = Array.from({ length: 28 }, (_, index) => index + 1)
const spread: Readonly<Record<string, { readonly [name: string]: string }>> = {
  'a file for each level': withExample('./l28.json', {
    'l0.json': last,
    ...Object.fromEntries(levels.map((level) => [`l${level}.json`, linked(`l${level - 1}.json`)]))
  }),
  'two files that name each other': withExample('a.json#/l28', {
    'a.json': { l0: last, ...Object.fromEntries(levels.map((n) => [`l${n}`, linked(`b.json#/l${n - 1}`)])) },
    'b.json': Object.fromEntries([0, ...levels].map((n) => [`l${n}`, { $ref: `a.json#/l${n}` }]))
  }),
  anchors: withExample(
    '#l28',
    {},
    {
      L0: { ...last, $anchor: 'l0' },
      ...Object.fromEntries(levels.map((n) => [`L${n}`, { $anchor: `l${n}`, ...linked(`#l${n - 1}`) }]))
    }
  )
}

for (const [what, files] of Object.entries(spread)) {
  t.test(`28 levels of allOf in ${what} are found`, async (t) => {
    const { problems } = await loadContract(join(t.testdir(files), 'openapi.json'))
    const found = problems.filter(({ message }) => message.includes('are not checked'))
    t.match(found, [{ severity: 'warning', message: /this schema names others more than 50000 times/ }])
  })
}

t.test('a file that cannot be read, and one that is no object, count as nothing', async (t) => {
  const files = withExample('list.json#/0', { 'list.json': [linked('nowhere.json')] })
  const { problems } = await loadContract(join(t.testdir(files), 'openapi.json'))
  t.notOk(problems.some(({ message }) => message.includes('are not checked')))
  const missing = withExample('nowhere.json#/a')
  t.match((await loadContract(join(t.testdir(missing), 'openapi.json'))).problems, [{ severity: 'error' }])
})

const nested = (make: (inner: Json) => Json): Json =>
  levels.reduce<Json>((inner) => make(inner), { a: 1, b: 2 })
const node = { $ref: '#/components/schemas/Node' }

/** Schemas that meet an example once more at each level, though no value of one level meets them often. */
const byExample: Readonly<
  Record<string, readonly [schema: { readonly [name: string]: Json }, example: Json]>
> = {
  'items and contains': [{ items: node, contains: node }, nested((inner) => [inner])],
  'prefixItems and unevaluatedItems': [
    { prefixItems: [node], unevaluatedItems: node },
    nested((inner) => [inner])
  ],
  'properties and patternProperties': [
    { properties: { a: node }, patternProperties: { '^a': node } },
    nested((inner) => ({ a: inner }))
  ],
  'additionalProperties and unevaluatedProperties': [
    { additionalProperties: node, unevaluatedProperties: node },
    nested((inner) => ({ a: inner }))
  ]
}

for (const [what, [schema, example]] of Object.entries(byExample)) {
  t.test(`a schema that holds itself by ${what} is found with a deep example`, async (t) => {
    const schemas = { Node: schema }
    const holding = (examples: { readonly [name: string]: Json }) =>
      pointerIn({ components: { schemas, parameters: { P: { schema: node, ...examples } } } })
    t.equal(await holding({}), undefined)
    t.equal(await holding({ example: { a: 1 } }), undefined)
    t.equal(await holding({ example }), '#/components/parameters/P')
    t.equal(
      await holding({ examples: { one: { value: 1 }, two: { value: example } } }),
      '#/components/parameters/P'
    )
    t.equal(await holding({ examples: { one: { $ref: '#/x-examples/one' } } }), undefined)
    t.equal(
      await pointerIn({
        components: {
          schemas,
          examples: { one: { value: example } },
          parameters: { P: { schema: node, examples: { one: { $ref: '#/components/examples/one' } } } }
        }
      }),
      '#/components/parameters/P'
    )
    t.equal(
      await pointerIn({ components: { schemas: { Node: { ...schema, examples: [null, example] } } } }),
      '#/components/schemas/Node'
    )
  })
}

t.test('28 levels of dependentSchemas are found', async (t) => {
  const makeLevel = (next: Json) => ({ dependentSchemas: { a: next, b: next } })
  t.match(await pointerIn({ components: { schemas: chain(28, makeLevel, last) } }), '#/components/schemas/L')
})

t.test('a large example that meets few schemas in each part is none', async (t) => {
  const schemas = { Node: { items: node, contains: node } }
  const example = Array.from({ length: 200 }, () => Array.from({ length: 200 }, () => 1))
  t.equal(await pointerIn({ components: { schemas: { Node: { ...schemas.Node, example } } } }), undefined)
})
