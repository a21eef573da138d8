/** The size and the time of validators: one for each schema, called a bounded number of times. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { compileContract } from '../../../../src/compiler/compile/compile.ts'
import { compileInMemory } from '../../../../src/compiler/compile/in-memory.ts'
import { Int64Plans } from '../../../../src/compiler/compile/operations/int64-plan.ts'
import { Serializers } from '../../../../src/compiler/compile/shapes/serializers.ts'
import { schemaIn } from '../../../../src/contract/build/build-contract.ts'
import { validityDigest } from '../../../../src/contract/contract.ts'
import type { JsonObject } from '../../../../src/contract/model/json.ts'
import type { Validator } from '../../../../src/engine/model/compiled-contract.ts'

t.setTimeout(900_000)

const contractOf = (paths: string, components: string) =>
  `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n${paths}\ncomponents:\n${components}\n`

async function compiled(t: Test, text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'validators-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'openapi.yaml'), text)
  return compileContract(join(folder, 'openapi.yaml'), join(folder, 'out'))
}

async function sizesOf(t: Test, text: string): Promise<Record<'validators' | 'patterns' | 'plans', number>> {
  const { files } = await compiled(t, text)
  const code = String(files.get('validators.js'))
  return {
    validators: code.match(/^function \w+\$/gm)?.length ?? 0,
    patterns: code.match(/^var pattern_.*shared-/gm)?.length ?? 0,
    plans: String(files.get('operations.js')).split('int64: true').length - 1
  }
}

/** Returns operations that share all of their components. */
function sharing(count: number): string {
  const paths = Array.from(
    { length: count },
    (_, index) =>
      `  /${index}: { post: { operationId: p${index}, parameters: [{ $ref: '#/components/parameters/filter' }], requestBody: { $ref: '#/components/requestBodies/thing' }, responses: { '200': { $ref: '#/components/responses/thing' }, default: { $ref: '#/components/responses/thing' } } } }`
  )
  const date = '{ type: string, format: date, minLength: 10 }'
  return contractOf(
    paths.join('\n'),
    `  parameters:
    filter: { name: filter, in: query, style: deepObject, schema: { type: object, properties: { words: { type: array, items: { type: string, pattern: ^shared-1 } }, from: ${date}, to: ${date} } } }
  headers:
    limit: { required: true, schema: { type: string, pattern: ^shared-2 } }
    rest: { required: true, schema: { type: string, pattern: ^shared-3 } }
  requestBodies:
    thing: { required: true, content: { application/json: { schema: { type: object, required: [id], properties: { id: { type: integer, format: int64 }, name: { type: string, pattern: ^shared-4 } } } } } }
  responses:
    thing:
      description: a thing
      headers: { limit: { $ref: '#/components/headers/limit' }, rest: { $ref: '#/components/headers/rest' } }
      content: { application/json: { schema: { type: object, properties: { name: { type: string, pattern: ^shared-5 } } } } }`
  )
}

t.test('more operations add no validator, pattern or plan of what they share', async (t) => {
  const few = await sizesOf(t, sharing(2))
  t.equal(few.patterns, 5)
  t.strictSame(await sizesOf(t, sharing(40)), few)
})

/** Returns schemas of which each refers to the next one, the last one to the first. */
const chainOf = (length: number): Record<string, JsonObject> =>
  Object.fromEntries(
    Array.from({ length }, (_, index) => [
      `S${index}`,
      {
        type: 'object',
        properties: {
          id: { type: 'integer', format: 'int64', minimum: index },
          next: { $ref: `#/components/schemas/S${(index + 1) % length}` }
        }
      }
    ])
  )

const body = (schema: string, more = '') =>
  `  /a: { post: { operationId: a, requestBody: { content: { application/json: { schema: ${schema} }${more} } }, responses: { '204': { description: d } } } }`
const next = (level: number) => `{ $ref: '#/components/schemas/S${level}' }`

t.test('schemas that refer to each other in a long cycle are compiled without recursion', async (t) => {
  const { validators } = await sizesOf(
    t,
    contractOf(body(next(0)), `  schemas: ${JSON.stringify(chainOf(200))}`)
  )
  t.ok(validators >= 200, `${validators} validators`)
  const length = 3000
  const start = schemaIn({ components: { schemas: chainOf(length) } }, { $ref: '#/components/schemas/S0' })
  t.match(validityDigest(start), /^[\da-f]{64}$/, 'its digest')
  const plan = new Int64Plans().add(start, () => '')
  t.equal(Object.keys(plan?.plans ?? {}).length, 2 * length, 'its plans of int64')
  const serializers = new Serializers()
  serializers.add(start, 'post')
  t.equal([...serializers.modules('./runtime').values()].join().split('function ').length - 1, length)
})

const lasts = {
  objects: ['{ type: object, required: [a] }', { a: 1 }, {}],
  texts: ['{ type: string, minLength: 1 }', 'a', ''],
  numbers: ['{ type: number, minimum: 1 }', 1, 0]
} as const

const holds: Readonly<Record<string, (next: string) => string>> = {
  allOf: (next) => `{ allOf: [${next}, ${next}] }`,
  anyOf: (next) => `{ anyOf: [{ not: ${next} }, ${next}] }`,
  oneOf: (next) => `{ oneOf: [${next}, ${next}] }`,
  if: (next) => `{ if: ${next}, then: ${next} }`,
  dependentSchemas: (next) => `{ dependentSchemas: { a: ${next}, b: ${next} } }`
}

/** Returns a contract whose schemas S0 to S27 each hold the next one twice. @param more further media types */
function doubling(schema: string, what: string, last: string, more = ''): string {
  const schemas = Array.from(
    { length: 28 },
    (_, level) => `    S${level}: ${holds[what]?.(next(level + 1))}\n`
  )
  return contractOf(body(schema, more), `  schemas:\n${schemas.join('')}    S28: ${last}`)
}

/** Returns the name of the first validator of the body, and whether it accepts a value. */
async function inMemory(t: Test, text: string) {
  const folder = t.testdir({ 'openapi.yaml': text })
  const { contract } = await compileInMemory(`${folder}/openapi.yaml`)
  const name = String(contract.operations[0]?.requestBody?.content[0]?.validate)
  const { validators } = await contract.load()
  return { name, accepts: (value: unknown) => validators[name]?.call(new Map(), value) }
}

/** Media type with an example that lacks a property. */
const example = `, a/b+json: { schema: { allOf: [${next(0)}], required: [zz] }, example: { a: 1 } }`

/** Each keyword, and each kind of value at the end: a case compiles two contracts. */
for (const [what, ends] of [
  ['allOf', 'objects'],
  ['anyOf', 'objects'],
  ['oneOf', 'numbers'],
  ['if', 'texts'],
  ['dependentSchemas', 'objects']
] as const) {
  const [last, fitting, other] = lasts[ends]
  t.test(`28 levels of ${what} of ${ends} are decided, in memory and in generated code`, async (t) => {
    const text = doubling(next(0), what, last, example)
    const { files, problems } = await compiled(t, text)
    const code = String(files.get('validators.js'))
    t.match(code, 'recall(')
    const { name, accepts } = await inMemory(t, text)
    const written: Readonly<Record<string, Validator>> = await import(
      `data:text/javascript,${encodeURIComponent(code)}`
    )
    for (const isValid of [accepts, (value: unknown) => written[name]?.call(new Map(), value)]) {
      t.equal(isValid(fitting), what !== 'oneOf')
      t.equal(isValid(other), what !== 'oneOf' && what !== 'allOf')
    }
    const messages = problems.map(({ message }) => message).join('\n')
    if (ends === 'objects') t.match(messages, 'the example must have `zz`')
    t.match(messages, "Required property 'zz' is not defined")
  })
}

for (const what of ['allOf', 'anyOf', 'oneOf'])
  t.test(`28 levels of ${what} below a discriminator are read`, async (t) => {
    const union = `{ discriminator: { propertyName: kind }, oneOf: [${next(0)}, ${next(28)}] }`
    const { accepts } = await inMemory(t, doubling(union, what, lasts.objects[0]))
    t.strictSame(
      [{ kind: 'S28', a: 1 }, { kind: 'S28' }, { kind: 'S0', a: 1 }, { kind: 'S0' }].map(accepts),
      [true, false, what !== 'oneOf', what === 'anyOf']
    )
  })
