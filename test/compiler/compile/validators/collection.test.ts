/**
 * The validators of every contract of the collection agree with Ajv on the same definitions, by its public API: in the
 * verdict, and in the places, keywords and parameters of the errors, for values that are valid and broken.
 */
import { readdirSync } from 'node:fs'
import * as formats from '@contract-first/engine/runtime/formats'
import { Ajv2020, type AnySchema, type ErrorObject } from 'ajv/dist/2020.js'
import t from 'tap'
import {
  isObject,
  type Json,
  type JsonObject,
  stringify
} from '../../../../src/compiler/compile/document/json-value.ts'
import { fragmentOf } from '../../../../src/compiler/compile/document/pointer.ts'
import { componentsOf } from '../../../../src/compiler/compile/document/reference.ts'
import { loadContract } from '../../../../src/compiler/compile/load/load.ts'
import { DefinitionCompiler } from '../../../../src/compiler/compile/validators/definition-compiler.ts'
import { malformedIn } from '../../../../src/compiler/compile/validators/malformed.ts'
import { SchemaNormaliser } from '../../../../src/compiler/compile/validators/normalise.ts'
import { PatternChecks } from '../../../../src/compiler/compile/validators/patterns.ts'
import { memoisedNames, trackedNames } from '../../../../src/compiler/compile/validators/schema-graph.ts'
import type { Schema } from '../../../../src/compiler/compile/vocabulary/keywords.ts'
import type { ValidationError } from '../../../../src/engine/model/compiled-contract.ts'
import {
  isInt32,
  isInt64,
  isInteger,
  isNumber,
  isPlainInteger
} from '../../../../src/engine/runtime/validators.ts'
import { Choices } from '../../../contracts/large/choices.ts'

t.setTimeout(900_000)

type Definitions = Readonly<Record<string, Schema>>
type Found = Pick<ValidationError, 'instancePath' | 'keyword' | 'params'>

const valuesOfEach = 12
const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
  number: isNumber,
  integer: (value) => isPlainInteger(value),
  int64: (value) => isInteger(value)
}
const isOneOf = (listed: readonly string[]) => (value: unknown) => listed.some((type) => types[type]?.(value))

/** Returns validators by Ajv; a union reports one error, as ours does. */
function oracle(definitions: Definitions): (name: string, value: unknown) => readonly Found[] {
  const ajv = new Ajv2020({
    strict: false,
    ownProperties: true,
    allErrors: true,
    logger: false,
    inlineRefs: false,
    meta: false,
    validateSchema: false
  })
  for (const [name, check] of Object.entries(formats)) ajv.addFormat(name.replaceAll('_', '-'), check)
  for (const keyword of ['numericType', 'types']) ajv.addKeyword({ keyword, compile: isOneOf })
  ajv.addKeyword({ keyword: 'int32', validate: (_is: boolean, value: unknown) => isInt32(value) })
  ajv.addKeyword({ keyword: 'int64', validate: (_is: boolean, value: unknown) => isInt64(value) })
  ajv.addKeyword({ keyword: 'binary', validate: (_is: boolean, value: unknown) => typeof value === 'string' })
  for (const keyword of ['minBytes', 'maxBytes']) ajv.addKeyword({ keyword, validate: () => true })
  for (const keyword of ['readOnly', 'writeOnly'])
    ajv.removeKeyword(keyword).addKeyword({ keyword, validate: () => false })
  for (const [keyword, isRight] of Object.entries({
    anyOf: (count: number) => count > 0,
    oneOf: (count: number) => count === 1
  }))
    ajv.removeKeyword(keyword).addKeyword({
      keyword,
      compile(branches: readonly AnySchema[]) {
        let compiled: ((value: unknown) => unknown)[] | undefined
        return (value) => {
          compiled ??= branches.map((branch) => ajv.compile(branch))
          return isRight(compiled.filter((isValid) => isValid(value) === true).length)
        }
      }
    })
  const text = stringify(definitions as JsonObject).replaceAll('"$ref":"#/$defs/', '"$ref":"defs:/#/$defs/')
  ajv.addSchema({ $id: 'defs:/', $defs: JSON.parse(text) })
  return (name, value) => {
    const validate = ajv.getSchema(`defs:/#/$defs/${name}`)
    return validate?.(value) ? [] : (validate?.errors ?? []).filter(isReported)
  }
}

/** Leaves out the errors of a name, and that of a pattern which ours does not try on a text that is too long. */
function isReported(
  { keyword, instancePath, propertyName }: ErrorObject,
  _: number,
  all: readonly ErrorObject[]
) {
  const isLong = all.some((each) => each.keyword === 'maxLength' && each.instancePath === instancePath)
  return propertyName === undefined && !(keyword === 'pattern' && isLong)
}

/** Parameters that both have in the same form. */
const compared = ['limit', 'missingProperty', 'additionalProperty', 'format', 'pattern', 'propertyName']

const described = (errors: readonly Found[] | null | undefined): readonly string[] =>
  [
    ...new Set(
      (errors ?? [])
        .filter(({ keyword }) => keyword !== 'if')
        .map(({ instancePath, keyword, params }) =>
          stringify([instancePath, keyword, ...compared.map((name) => (params[name] ?? null) as Json)])
        )
    )
  ].sort()

const others = [
  null,
  true,
  0,
  -3,
  1.5,
  '',
  'a',
  '2020-01-01',
  'https://a.example',
  'x'.repeat(300),
  [],
  {},
  [1],
  { a: 1 }
]

class Values {
  readonly #choices: Choices
  readonly #definitions: Definitions

  constructor(seed: string, definitions: Definitions) {
    this.#choices = new Choices(seed)
    this.#definitions = definitions
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#choices.below(list.length)] as T
  }

  /** Returns a value that is probably valid, except in a few places. */
  of(schema: Json | undefined, depth = 0): unknown {
    if (!isObject(schema) || depth > 9 || this.#choices.below(30) === 0)
      return structuredClone(this.#pick(others))
    const { $ref, enum: listed, const: only, anyOf, oneOf, allOf, else: otherwise } = schema
    if (only !== undefined) return only
    if (Array.isArray(listed) && listed.length > 0) return this.#pick(listed)
    let value = this.#ofType(schema, depth)
    const parts = [
      ...(typeof $ref === 'string' ? [this.#definitions[$ref.slice('#/$defs/'.length)] as Json] : []),
      ...[anyOf, oneOf].flatMap((union) =>
        Array.isArray(union) && union.length > 0 ? [this.#pick(union)] : []
      ),
      ...(Array.isArray(allOf) ? allOf : []),
      ...(otherwise === undefined ? [] : [otherwise])
    ]
    for (const part of parts) {
      const further = this.of(part, depth + 1)
      value = isObject(value) && isObject(further) ? { ...value, ...further } : (further ?? value)
    }
    return value === undefined ? structuredClone(this.#pick(others)) : value
  }

  #ofType(schema: JsonObject, depth: number): unknown {
    const { type, types: several, numericType, properties, items, required } = schema
    const type_ = this.#pick(
      [numericType ?? several ?? type ?? (properties ? 'object' : items ? 'array' : 'any')].flat()
    )
    if (type_ === 'array')
      return Array.from({ length: this.#choices.below(4) }, () => this.of(items, depth + 1))
    if (type_ === 'string')
      return this.#pick(['2020-01-01T00:00:00Z', '2020-01-01', 'https://a.example', 'a@b.example', 'aaa'])
    if (type_ === 'boolean') return true
    if (type_ === 'null') return null
    if (type_ === 'any') return undefined
    if (type_ !== 'object') return Number(schema['minimum'] ?? 0) + this.#choices.below(5)
    const known = Object.entries(isObject(properties) ? properties : {})
    const kept = known.filter(
      ([name]) => (Array.isArray(required) && required.includes(name)) || this.#choices.below(4) > 0
    )
    const members = kept.map(([name, member]) => [name, this.of(member, depth + 1)] as const)
    const extra =
      this.#choices.below(3) === 0
        ? [['x/~y', this.of(schema['additionalProperties'], depth + 1)] as const]
        : []
    return Object.fromEntries([...members, ...extra])
  }
}

/** Ajv's literals hold no bigint, its own names no `__proto__`; where a part is refused, it calls more unevaluated. */
const isBeyond = (schema: Json): boolean => /\d{17}|__proto__|unevaluated/.test(stringify(schema))

for (const file of readdirSync('test/contracts').filter((name) => name.endsWith('.yaml')))
  t.test(file, async (t) => {
    const contract = await loadContract(`test/contracts/${file}`)
    const disagreements: unknown[] = []
    for (const view of ['request', 'response', 'multipart'] as const) {
      const flag = view === 'response' ? 'writeOnly' : 'readOnly'
      const normaliser = new SchemaNormaliser(contract, view, flag, new PatternChecks())
      for (const name of Object.keys(componentsOf(contract.document, 'schemas')))
        normaliser.define({ $ref: fragmentOf(['components', 'schemas', name]) }, name)
      const { definitions } = normaliser
      if (Object.values(definitions).some((schema) => isBeyond(schema) || malformedIn(schema).length > 0))
        continue
      const [memoised, tracked] = [memoisedNames(definitions), trackedNames(definitions)]
      const compiler = new DefinitionCompiler(definitions, { prefix: view, memoised, tracked })
      const [wanted, values] = [oracle(definitions), new Values(file, definitions)]
      for (const name of Object.keys(definitions))
        for (let count = 0; count < valuesOfEach; count++) {
          const value = values.of(definitions[name])
          const validate = compiler.validator(name)
          const isValid = validate(value)
          const [found, expected] = [described(validate.errors), described(wanted(name, value))]
          if (isValid !== (expected.length === 0) || String(found) !== String(expected))
            disagreements.push({ view, name, value, isValid, found, expected })
        }
    }
    t.strictSame(disagreements.slice(0, 3), [])
  })
