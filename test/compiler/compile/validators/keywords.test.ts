/**
 * Compiled validators against tables (keywords/), and against bare Ajv 2020 (`ownProperties`) on combinations and on random
 * schemas: in the verdict, and in the places, keywords and parameters of the errors. The random ones come from fixed seeds.
 * The schemas of a test are the bodies of one contract.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import t, { type Test } from 'tap'
import { writeFiles } from '../../../../src/compiler/compile/emit/write.ts'
import { exactJson } from '../../../../src/engine/json/exact-json.ts'
import type { Contract, Validator } from '../../../../src/engine/model/compiled-contract.ts'
import { compileDocument } from '../../../contracts/compile-cache.ts'
import { Choices } from '../../../contracts/large/choices.ts'
import { combinations, formatRows, type Row, type Schema, valueRows } from './keywords/tables.ts'

t.setTimeout(900_000)

/** Returns the validators of each schema, as the body of a request, and of a response if the schemas are references. */
async function validatorsOf(
  t: Test,
  bodies: readonly Schema[],
  schemas?: Readonly<Record<string, Schema>>
): Promise<readonly (readonly Validator[])[]> {
  const folder = await mkdtemp(join(tmpdir(), 'keywords-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const operations = bodies.map((schema, index) => {
    const content = { 'application/json': { schema } }
    const responses = { 200: { description: 'ok', ...(schemas !== undefined && { content }) } }
    return [`/${index}`, { post: { operationId: `o${index}`, requestBody: { content }, responses } }]
  })
  const document = {
    openapi: '3.1.0',
    info: { title: 'Keywords', version: '1' },
    paths: Object.fromEntries(operations),
    ...(schemas !== undefined && { components: { schemas } })
  }
  await writeFiles(await compileDocument(document, folder), folder)
  const { default: contract }: { default: Contract } = await import(
    pathToFileURL(join(folder, 'contract.ts')).href
  )
  const { validators } = await contract.load()
  return contract.operations.map(({ requestBody, responses }) =>
    [requestBody, ...(schemas === undefined ? [] : [responses['200']])].map(
      (body) => validators[body?.content[0]?.validate ?? ''] as Validator
    )
  )
}

/** Adds an $id where a schema has references, because without one `#` would mean the contract. */
const apart = (schema: Schema, index: number): Schema =>
  /"\$(dynamicR|r)ef"/.test(JSON.stringify(schema))
    ? { $id: `https://rows.example/${index}/row`, ...Object(schema) }
    : schema

t.test('the compiled validators agree with the tables', async (t) => {
  const inJson = (texts: readonly string[]) => texts.map((text) => JSON.stringify(text))
  const rows: readonly Row[] = [
    ...valueRows,
    ...formatRows.map(({ about, format, takes, refuses }) => ({
      ...{ about, schema: { format }, takes: inJson(takes), refuses: inJson(refuses) }
    }))
  ]
  const validators = await validatorsOf(
    t,
    rows.map(({ schema }, index) => apart(schema, index))
  )
  for (const [index, { about, schema, takes, refuses }] of rows.entries()) {
    // Names such as `__proto__` are refused before validation.
    const verdict = (text: string) => validators[index]?.[0]?.(exactJson(text, JSON.parse(text)).value)
    const wrong = [
      ...takes.filter((text) => verdict(text) !== true),
      ...refuses.filter((text) => verdict(text) !== false)
    ]
    t.strictSame(wrong, [], `${about}: ${JSON.stringify(schema)}`)
  }
})

class Generator {
  readonly #choices: Choices
  readonly #names: readonly string[]

  constructor(seed: number, itsNames = names) {
    this.#choices = new Choices(String(seed))
    this.#names = itsNames
  }

  pick<T>(list: readonly T[]): T {
    return list[this.#choices.below(list.length)] as T
  }

  value(depth = 0): unknown {
    const kind = this.#choices.below(depth < 2 ? 8 : 6)
    if (kind === 6) return Array.from({ length: this.#choices.below(4) }, () => this.value(depth + 1))
    if (kind === 7) return this.#object(() => this.value(depth + 1))
    return this.pick([
      null,
      true,
      false,
      '',
      'a',
      'ab',
      'foo',
      '😀',
      '2020-01-01',
      0,
      -0,
      1,
      2,
      1.5,
      -3,
      1e15,
      4.0
    ])
  }

  schema(depth = 0): Schema {
    if (this.#choices.below(12) === 0) return this.#choices.below(2) === 0
    const schema: Record<string, unknown> = {}
    for (let count = 1 + this.#choices.below(3); count > 0; count--) {
      const [name, value] = this.pick(depth < 2 ? [...leaves, ...applicators] : leaves)(this, depth)
      schema[name] = value
    }
    return schema
  }

  #object(member: () => unknown): Record<string, unknown> {
    return Object.fromEntries(
      Array.from({ length: this.#choices.below(4) }, () => [this.pick(this.#names), member()])
    )
  }

  schemas(depth: number): Schema[] {
    return Array.from({ length: 1 + this.#choices.below(3) }, () => this.schema(depth + 1))
  }

  properties(depth: number, from: readonly string[] = names): Record<string, unknown> {
    return Object.fromEntries(
      Array.from({ length: 1 + this.#choices.below(3) }, () => [this.pick(from), this.schema(depth + 1)])
    )
  }

  number(below: number): number {
    return this.#choices.below(below)
  }
}

/** Names of properties, without `toString`, because bare Ajv compares values with a library that calls it. */
const names = ['a', 'b', 'foo', 'length', 'hasOwnProperty']
const types = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object']

type Keyword = (generator: Generator, depth: number) => [string, unknown]
const leaves: readonly Keyword[] = [
  (g) => ['type', g.pick(types)],
  (g) => ['type', [...new Set([g.pick(types), g.pick(types)])]],
  (g) => ['enum', [g.value(1), g.value(1), g.value(1)]],
  (g) => ['const', g.value(1)],
  (g) => ['minimum', g.number(4) - 1],
  (g) => ['maximum', g.number(4)],
  (g) => ['exclusiveMinimum', g.number(3)],
  (g) => ['exclusiveMaximum', g.number(3)],
  (g) => ['multipleOf', g.pick([1, 2, 0.5, 1.5])],
  (g) => ['minLength', g.number(3)],
  (g) => ['maxLength', g.number(3)],
  (g) => ['pattern', g.pick(['^a', 'o$', '^.$', '\\p{L}'])],
  (g) => ['format', g.pick(['date', 'uri', 'regex'])],
  (g) => ['minItems', g.number(3)],
  (g) => ['maxItems', g.number(3)],
  () => ['uniqueItems', true],
  (g) => ['minProperties', g.number(3)],
  (g) => ['maxProperties', g.number(3)],
  (g) => ['required', [g.pick(names)]],
  (g) => ['dependentRequired', { [g.pick(names)]: [g.pick(names)] }]
]
const applicators: readonly Keyword[] = [
  (g, depth) => ['properties', g.properties(depth)],
  (g, depth) => ['properties', g.properties(depth)],
  (g, depth) => ['patternProperties', g.properties(depth, ['^a', 'o', '^l'])],
  (g, depth) => ['additionalProperties', g.schema(depth + 1)],
  (g, depth) => ['propertyNames', g.schema(depth + 1)],
  (g, depth) => ['items', g.schema(depth + 1)],
  (g, depth) => ['prefixItems', g.schemas(depth)],
  (g, depth) => ['contains', g.schema(depth + 1)],
  (g, depth) => ['allOf', g.schemas(depth)],
  (g, depth) => ['anyOf', g.schemas(depth)],
  (g, depth) => ['oneOf', g.schemas(depth)],
  (g, depth) => ['not', g.schema(depth + 1)],
  (g, depth) => ['if', g.schema(depth + 1)],
  (g, depth) => ['then', g.schema(depth + 1)],
  (g, depth) => ['else', g.schema(depth + 1)],
  (g, depth) => ['dependentSchemas', g.properties(depth)],
  (g, depth) => ['unevaluatedProperties', g.schema(depth + 1)],
  (g, depth) => ['unevaluatedItems', g.schema(depth + 1)],
  (g) => ['$ref', `#/components/schemas/S${g.number(40)}`]
]

/** Places, keywords and parameters of errors; none for a valid value. */
type Answer = readonly string[]

/** Returns the answers of bare Ajv on the same schemas. */
function bare(schemas: readonly Schema[]): (index: number, value: unknown) => Answer {
  const ajv = new Ajv2020({ strict: false, ownProperties: true, logger: false, allErrors: true })
  addFormats.default(ajv)
  const validators = schemas.map((schema) => ajv.compile(inlined(schema, schemas) as object))
  return (index, value) => {
    const validate = validators[index]
    return validate?.(value) ? [] : answerOf((validate?.errors ?? []).filter(isReported))
  }
}

/** Returns a schema with targets in place of references, so that the path of an error names each branch around it. */
function inlined(schema: unknown, schemas: readonly Schema[]): unknown {
  if (Array.isArray(schema)) return schema.map((each) => inlined(each, schemas))
  if (typeof schema !== 'object' || schema === null) return schema
  const { $ref, allOf = [], ...others } = schema as Record<string, unknown>
  const entries = Object.entries(others).map(([key, value]) => [
    key,
    ['enum', 'const'].includes(key) ? value : inlined(value, schemas)
  ])
  const target = schemas[Number(String($ref).split('/S').at(-1))]
  const parts = [
    ...(inlined(allOf, schemas) as unknown[]),
    ...($ref === undefined ? [] : [inlined(target, schemas)])
  ]
  return { ...Object.fromEntries(entries), ...(parts.length > 0 && { allOf: parts }) }
}

/** Ajv also lists why each branch of a union fails, and patterns of texts that are too long, which ours does not try. */
function isReported(error: ErrorObject, _: number, all: readonly ErrorObject[]): boolean {
  const { schemaPath, instancePath, keyword, propertyName } = error
  const isLong = all.some((each) => each.keyword === 'maxLength' && each.instancePath === instancePath)
  if (keyword === 'if' || (keyword === 'pattern' && isLong)) return false
  return propertyName === undefined && !/\/(anyOf|oneOf)\/\d|\/contains\//.test(schemaPath)
}

/** Parameters that both have in the same form. */
const compared = ['limit', 'missingProperty', 'additionalProperty', 'format', 'pattern', 'propertyName']

function answerOf(errors: readonly Pick<ErrorObject, 'instancePath' | 'keyword' | 'params'>[]): Answer {
  const names: Readonly<Record<string, string>> = { numericType: 'type', types: 'type' }
  const found = errors.map(({ instancePath, keyword, params }) =>
    [instancePath, names[keyword] ?? keyword, ...compared.map((name) => params[name] ?? '')].join(' ')
  )
  const certain = found.filter((each) => !each.includes(' unevaluated'))
  return [...new Set(certain.length > 0 ? certain : found)].sort()
}

/** Breaks cycles of references, which a contract must not have. */
function withoutCycles(schemas: readonly Schema[]): Schema[] {
  return schemas.map((schema, index) => {
    if (typeof schema === 'boolean' || !JSON.stringify(schema).includes('"$ref"')) return schema
    const text = JSON.stringify(schema).replaceAll(/schemas\/S(\d+)/g, (_, target) => {
      return `schemas/S${Number(target) < index ? target : Number(target) % Math.max(index, 1)}`
    })
    return index === 0 ? true : (JSON.parse(text) as Schema)
  })
}

/** Returns the values with other answers than those of Ajv, and the number of valid and of invalid values of each schema. */
async function comparison(
  t: Test,
  schemas: readonly Schema[],
  { generator, count }: { generator: Generator; count: number }
) {
  const names = schemas.map((schema, index) => [`S${index}`, schema])
  const bodies = names.map(([name]) => ({ $ref: `#/components/schemas/${name}` }))
  const validators = await validatorsOf(t, bodies, Object.fromEntries(names))
  const answer = bare(schemas)
  const disagreements: unknown[] = []
  const counts = schemas.map((schema) => ({ schema, valid: 0, invalid: 0 }))
  for (const [index, both] of validators.entries())
    for (let left = count; left > 0; left--) {
      const value = generator.value()
      const wanted = answer(index, value)
      for (const validate of both) {
        const isValid = validate(value)
        const found = answerOf(validate.errors ?? [])
        if (isValid !== (wanted.length === 0) || String(found) !== String(wanted))
          disagreements.push({ schema: schemas[index], value, wanted, found, isValid })
        const counted = counts[index]
        if (counted !== undefined) counted[isValid ? 'valid' : 'invalid']++
      }
    }
  return { disagreements, counts }
}

t.test('combinations of keywords', async (t) => {
  const { disagreements, counts } = await comparison(t, combinations, {
    generator: new Generator(0, ['a', 'b', 'foo']),
    count: 400
  })
  t.strictSame(disagreements.slice(0, 3), [])
  t.strictSame(
    counts.filter(({ valid, invalid }) => valid === 0 || invalid === 0),
    []
  )
})

for (const seed of [1, 2, 3, 4, 5])
  t.test(`random schemas of seed ${seed}`, async (t) => {
    const generator = new Generator(seed)
    const schemas = withoutCycles(Array.from({ length: 40 }, () => generator.schema()))
    const { disagreements } = await comparison(t, schemas, { generator, count: 60 })
    t.strictSame(disagreements.slice(0, 3), [])
  })
