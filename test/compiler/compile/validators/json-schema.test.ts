/**
 * Validation agrees with bare Ajv 2020 (`ownProperties`) on random schemas and values, although the compiler replaces
 * keywords. The schemas come from fixed seeds, and are the bodies of one contract.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import t, { type Test } from 'tap'
import { writeFiles } from '../../../../src/compiler/compile/emit/write.ts'
import type { CompiledCode, Contract } from '../../../../src/engine/model/compiled-contract.ts'
import { compileDocument } from '../../../contracts/compile-cache.ts'
import { Choices } from '../../../contracts/large/choices.ts'

t.setTimeout(900_000)

type Schema = boolean | Record<string, unknown>

class Generator {
  readonly #choices: Choices

  constructor(seed: number) {
    this.#choices = new Choices(String(seed))
  }

  pick<T>(list: readonly T[]): T {
    return list[this.#choices.below(list.length)] as T
  }

  value(depth = 0): unknown {
    const kind = this.#choices.below(depth < 2 ? 8 : 6)
    if (kind === 6) return Array.from({ length: this.#choices.below(4) }, () => this.value(depth + 1))
    if (kind === 7) return this.#object(() => this.value(depth + 1))
    return this.pick([null, true, false, '', 'a', 'ab', 'foo', '😀', 0, -0, 1, 2, 1.5, -3, 1e15, 4.0])
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
      Array.from({ length: this.#choices.below(4) }, () => [this.pick(names), member()])
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

interface Validated {
  readonly contract: Contract
  readonly code: CompiledCode
}

async function compiled(t: Test, schemas: readonly Schema[]): Promise<Validated> {
  const folder = await mkdtemp(join(tmpdir(), 'schemas-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const operations = schemas.map((_, index) => [`/${index}`, { post: operation(index) }])
  const document = {
    openapi: '3.1.0',
    info: { title: 'Schemas', version: '1' },
    paths: Object.fromEntries(operations),
    components: { schemas: Object.fromEntries(schemas.map((schema, index) => [`S${index}`, schema])) }
  }
  await writeFiles(await compileDocument(document, folder), folder)
  const module = await import(pathToFileURL(join(folder, 'contract.ts')).href)
  const contract = module.default as Contract
  return { contract, code: await contract.load() }
}

function operation(index: number): object {
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/S${index}` } } }
  const responses = { 200: { description: 'ok', content } }
  return { operationId: `o${index}`, requestBody: { content }, responses }
}

/** Returns the verdict of bare Ajv on the same schemas, references included. */
function bare(schemas: readonly Schema[]): (index: number, value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, ownProperties: true, logger: false })
  addFormats.default(ajv)
  const components = { schemas: Object.fromEntries(schemas.map((schema, index) => [`S${index}`, schema])) }
  ajv.addSchema({ $id: 'contract:/', components })
  const validators = schemas.map((_, index) =>
    ajv.compile({ $ref: `contract:/#/components/schemas/S${index}` })
  )
  return (index, value) => validators[index]?.(value) === true
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

for (const seed of [1, 2, 3, 4, 5]) {
  t.test(`seed ${seed}`, async (t) => {
    const generator = new Generator(seed)
    const schemas = withoutCycles(Array.from({ length: 40 }, () => generator.schema()))
    const { contract, code } = await compiled(t, schemas)
    const isValid = bare(schemas)
    const disagreements: unknown[] = []
    for (const [index, { requestBody, responses }] of contract.operations.entries()) {
      const request = code.validators[requestBody?.content[0]?.validate ?? '']
      const response = code.validators[responses['200']?.content[0]?.validate ?? '']
      for (let count = 0; count < 60; count++) {
        const value = generator.value()
        const wanted = isValid(index, value)
        const found = [request, response].map((validator) => validator?.call(undefined, value))
        if (found.some((answer) => answer !== wanted))
          disagreements.push({ schema: schemas[index], value, wanted, found })
      }
    }
    t.strictSame(disagreements.slice(0, 3), [])
  })
}
