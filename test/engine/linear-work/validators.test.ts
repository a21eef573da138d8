/**
 * The CPU time of validation and of its error message grows with the body, for schemas that refer to themselves, and for
 * random schemas that refer to each other with random nested bodies.
 * A number as an argument tests more seeds: `node test/engine/linear-work/validators.test.ts 200`.
 */
import t, { type Test } from 'tap'
import { jsonBody } from '../../../src/engine/server/body/parse.ts'
import { Choices } from '../../contracts/large/choices.ts'
import { compiled as compiledContract, type Json } from '../serve.ts'
import { assertLinear, type Row, type Work } from './rows.ts'

t.setTimeout(900_000)

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Compiles schemas as bodies, and resolves with a function that returns what a handler receives, or the failure. */
async function compiled(t: Test, schemas: Readonly<Record<string, unknown>>) {
  const operation = (name: string) => ({
    operationId: name,
    requestBody: { content: { 'application/json': { schema: ref(name) } } },
    responses: { 204: { description: 'ok' } }
  })
  const paths = Object.keys(schemas).map((name) => [`/${name}`, { post: operation(name) }])
  const document = { paths: Object.fromEntries(paths), components: { schemas: schemas as Json } }
  const contract = await compiledContract(t, document)
  const code = await contract.load()
  return (schema: string, bytes: Buffer): unknown => {
    const operation = contract.operations.find(({ operationId }) => operationId === schema)
    const content = operation?.requestBody?.content[0]
    try {
      return content && jsonBody(bytes, content, code)
    } catch (error) {
      return error
    }
  }
}

const many = (name: string) => ({ type: 'array', items: ref(name) })
const text = { type: 'string' }
const kind = (name: string) => ({ const: name })
const int64 = { type: 'integer', format: 'int64' }
const ten = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`p${index}`, text]))

const schemas: Record<string, object> = {
  Filter: {
    oneOf: [
      { properties: { children: many('Filter'), kind: kind('and') }, required: ['kind'] },
      { properties: { children: many('Filter'), kind: kind('or') }, required: ['kind'] },
      { properties: { value: int64, kind: kind('is') }, required: ['kind', 'value'] }
    ]
  },
  Unique: { type: ['array', 'integer', 'string'], uniqueItems: true, items: ref('Unique') },
  Constant: { anyOf: [{ const: { a: 1 } }, { properties: { c: ref('Constant') } }] },
  Tags: { additionalProperties: { type: 'array', items: text } },
  Members: { additionalProperties: { type: 'array', items: ref('Member') } },
  Member: { type: 'object', properties: ten },
  Listed: { enum: [[1, 2], { a: [1] }, 5] },
  Distinct: { uniqueItems: true },
  Named: { propertyNames: { maxLength: 2, pattern: '^[a-z]+$' }, additionalProperties: false },
  Long: { type: 'string', maxLength: 5, pattern: '^[a-z]*[a-z]*$' },
  Numbers: { items: { type: 'number', multipleOf: 0.01, minimum: 1 } }
}

const nested = (before: string, leaf: string, after: string) => (size: number) =>
  before.repeat(size) + leaf + after.repeat(size)
const list = (item: (index: number) => string) => (size: number) =>
  `[${Array.from({ length: size }, (_, index) => item(index)).join()}]`

const exactLeaf = '{"kind":"is","value":9007199254740993}'
/** Bodies by schema; a nested one is at most as deep as the stack allows. */
const bodies: readonly [schema: string, about: string, size: number, body: (size: number) => string][] = [
  ['Filter', 'valid', 100, nested('{"kind":"or","children":[', exactLeaf, ']}')],
  ['Filter', 'invalid', 100, nested('{"kind":"and","children":[', '{"kind":"is"}', ']}')],
  ['Unique', 'nested with a long text', 100, (size) => nested('[', `"${'a'.repeat(100 * size)}"`, ']')(size)],
  ['Unique', 'nested with two items', 100, nested('[1,', '1', ']')],
  ['Constant', 'nested', 100, nested('{"c":', `"${'a'.repeat(50_000)}"`, '}')],
  [
    'Tags',
    'a long name and wrong items',
    120,
    (size) => `{"${'~'.repeat(100 * size)}":${list(String)(size)}}`
  ],
  ['Members', 'a long name', 500, (size) => `{"${'/'.repeat(100 * size)}":${list(() => '{}')(size)}}`],
  ['Members', 'names of one tilde', 500, (size) => `{${list((i) => `"~${i}":[{}]`)(size).slice(1, -1)}}`],
  ['Listed', 'an array', 1000, list(String)],
  ['Distinct', 'objects', 500, list((index) => `{"a":[${index}]}`)],
  ['Named', 'long names', 500, (size) => `{"${'a'.repeat(100 * size)}":1}`],
  ['Named', 'many names', 50, (size) => `{${Array.from({ length: size }, (_, i) => `"name${i}":1`).join()}}`],
  ['Long', 'a text that is too long', 500, (size) => `"${'a'.repeat(size)}!"`],
  ['Numbers', 'exponents', 1000, list(() => '1e300')]
]

const received = await compiled(t, schemas)
const working = (read: typeof received, schema: string, body: (size: number) => string): Work => {
  return (size) => {
    const bytes = Buffer.from(body(size))
    return () => read(schema, bytes)
  }
}

t.test('the work of a validator grows with the size of its value', (t) =>
  assertLinear(
    t,
    bodies.map(([schema, about, size, body]) => [
      `${schema}, ${about}`,
      size,
      working(received, schema, body)
    ])
  )
)

t.test('an exact int64 is found in a recursive union', async (t) => {
  const deep = nested('{"kind":"or","children":[', exactLeaf, ']}')(1000)
  let value = received('Filter', Buffer.from(deep)) as { children?: unknown[]; value?: unknown }
  while (value.children) value = value.children[0] as typeof value
  t.equal(value.value, 9007199254740993n)
})

t.test('three thousand levels of unique items are accepted', async (t) => {
  const deep = nested('[1,', '1', ']')(3000)
  t.ok(Array.isArray(received('Unique', Buffer.from(deep.replace('1,1]', '1,2]')))))
})

const seeds = Number(process.argv[2] ?? 4)
const names = ['S0', 'S1', 'S2', 'S3']

class Generator {
  readonly #choices: Choices

  constructor(seed: number) {
    this.#choices = new Choices(String(seed))
  }

  schemas(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(names.map((name) => [name, this.#schema(3)]))
  }

  /**
   * Returns a random schema. References stand only below members and items: a schema that refers to itself in place has
   * no meaning.
   */
  #schema(depth: number): unknown {
    const keywords = Array.from({ length: 1 + this.#choices.below(2) }, () => this.#keyword(depth))
    return Object.assign({}, ...keywords)
  }

  #keyword(depth: number): object {
    const member = () =>
      depth > 0 && this.#choices.below(3) === 0 ? this.#schema(depth - 1) : ref(this.#pick(names))
    const inPlace = () => this.#schema(depth - 1)
    const two = () => [inPlace(), inPlace()]
    const leaves: (() => object)[] = [
      () => ({ properties: { c: member(), k: { const: this.#pick(['a', 'b']) } } }),
      () => ({ properties: { c: member(), n: { type: 'integer', format: 'int64' } } }),
      () => ({ additionalProperties: member() }),
      () => ({ patternProperties: { '^c': member(), k$: {} } }),
      () => ({ items: member() }),
      () => ({ contains: member(), minContains: this.#choices.below(2) }),
      () => ({ uniqueItems: true, items: member() }),
      () => ({ prefixItems: [member()], items: member() }),
      () => ({ const: { k: 'a' } })
    ]
    const composed: (() => object)[] = [
      () => ({ oneOf: two() }),
      () => ({ anyOf: two() }),
      () => ({ allOf: two() }),
      () => ({ not: inPlace() }),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      () => ({ if: inPlace(), then: inPlace(), else: inPlace() }),
      () => ({ dependentSchemas: { c: inPlace() } }),
      () => ({ anyOf: two(), unevaluatedProperties: member() })
    ]
    return this.#pick(depth > 0 ? [...leaves, ...composed] : leaves)()
  }

  /** Makes bodies of one pattern at any depth: the levels repeat. */
  body(): (size: number) => string {
    const levels = Array.from({ length: 3 }, () => this.#pick(wrappers))
    return (size) => {
      const open = Array.from({ length: size }, (_, index) => levels[index % levels.length] as Wrapper)
      const before = open.map(([start]) => start).join('')
      const after = open.map(([, end]) => end).reverse()
      return `${before}{"k":"a"}${after.join('')}`
    }
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#choices.below(list.length)] as T
  }
}

type Wrapper = readonly [before: string, after: string]
const wrappers: readonly Wrapper[] = [
  ['{"k":"a","c":', '}'],
  ['{"k":"c","n":9007199254740993,"c":', '}'],
  ['{"c":', ',"d":1}'],
  ['[', ']'],
  ['[1,', ',"a"]'],
  ['[{"k":"a"},', ']']
]

for (let seed = 0; seed < seeds; seed++)
  t.test(`seed ${seed}`, async (t) => {
    const generator = new Generator(seed)
    const read = await compiled(t, generator.schemas())
    const rows = names.map((name): Row => {
      const body = generator.body()
      return [`${name} ${body(3)}`, 50, working(read, name, body)]
    })
    await assertLinear(t, rows)
  })
