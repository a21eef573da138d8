/**
 * The validators of every contract of the collection agree with Ajv on the printed model, by its public API: in the verdict,
 * and in the places, keywords and parameters of the errors, for values that are valid and broken.
 */
import * as formats from '@contract-first/engine/runtime/formats'
import { Ajv2020, type AnySchema, type ErrorObject } from 'ajv/dist/2020.js'
import t from 'tap'
import { Validators } from '../../../../src/compiler/compile/validators/validators.ts'
import { reaches, type Schema } from '../../../../src/contract/contract.ts'
import { atPointer } from '../../../../src/contract/document/reference.ts'
import { isObject, type Json, type JsonObject } from '../../../../src/contract/model/json.ts'
import { stringify } from '../../../../src/engine/json.ts'
import type { ValidationError, Validator } from '../../../../src/engine/model/compiled-contract.ts'
import { isInt32, isInt64 } from '../../../../src/engine/runtime/validators.ts'
import { collection } from '../../../contract/collection.ts'
import { SchemaPrinter } from '../../../contract/print-schema.ts'
import { Choices } from '../../../contracts/large/choices.ts'

t.setTimeout(900_000)

type Found = Pick<ValidationError, 'instancePath' | 'keyword' | 'params'>

const valuesOfEach = 40

/** Returns validators of component schemas by Ajv; a union reports one error, as ours does. */
function oracle(document: JsonObject): (name: string, value: unknown) => readonly Found[] {
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
  ajv.addFormat('int32', { type: 'number', validate: (value) => isInt32(value) })
  ajv.addFormat('int64', { type: 'number', validate: (value) => isInt64(value) })
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
  const text = stringify(asConditions(document)).replaceAll('"$ref":"#/', '"$ref":"doc:/#/')
  ajv.addSchema({ $id: 'doc:/', ...JSON.parse(text) })
  return (name, value) => {
    const validate = ajv.getSchema(`doc:/#/components/schemas/${name}`)
    return validate?.(value) ? [] : (validate?.errors ?? []).filter(isReported)
  }
}

/** Turns unions with null into conditions: an error then says why the other branch fails. */
function asConditions(value: Json): Json {
  if (Array.isArray(value)) return value.map(asConditions)
  if (!isObject(value)) return value
  const members = Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, isData.has(key) ? member : asConditions(member)])
  )
  const { anyOf: union, ...others } = members
  const branches = Array.isArray(union) ? (union as Json[]) : []
  const [other, ...further] = branches.filter((branch) => !isObject(branch) || branch['type'] !== 'null')
  const isBesideNull = other !== undefined && further.length === 0 && branches.length === 2
  return isBesideNull ? { allOf: [others, { if: { type: 'null' }, else: other }] } : members
}

const isData = new Set(['enum', 'const', 'default', 'example', 'examples'])

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
        .map(({ instancePath, ...error }) => {
          const [keyword, params] = named(error)
          return stringify([instancePath, keyword, ...compared.map((name) => (params[name] ?? null) as Json)])
        })
    )
  ].sort()

/** Returns keyword and parameters by the names of JSON Schema; the formats of integers are keywords of ours. */
function named({ keyword, params }: Omit<Found, 'instancePath'>): readonly [string, Found['params']] {
  if (keyword === 'int32' || keyword === 'int64') return ['format', { format: keyword }]
  return [keyword === 'numericType' || keyword === 'types' ? 'type' : keyword, params]
}

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
  readonly #document: JsonObject

  constructor(seed: string, document: JsonObject) {
    this.#choices = new Choices(seed)
    this.#document = document
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#choices.below(list.length)] as T
  }

  /** Returns a value that is probably valid, except in a few places. */
  of(schema: Json | undefined, depth = 0): unknown {
    if (!isObject(schema) || depth > 9 || this.#choices.below(30) === 0)
      return structuredClone(this.#pick(others))
    const { $ref, enum: listed, const: only, anyOf, oneOf, allOf } = schema
    if (only !== undefined) return only
    if (Array.isArray(listed) && listed.length > 0) return this.#pick(listed)
    let value = this.#ofType(schema, depth)
    const parts = [
      ...(typeof $ref === 'string' ? [atPointer(this.#document, $ref) ?? true] : []),
      ...[anyOf, oneOf].flatMap((union) =>
        Array.isArray(union) && union.length > 0 ? [this.#pick(union)] : []
      ),
      ...(Array.isArray(allOf) ? allOf : [])
    ]
    for (const part of parts) {
      const further = this.of(part, depth + 1)
      value = isObject(value) && isObject(further) ? { ...value, ...further } : (further ?? value)
    }
    return value === undefined ? structuredClone(this.#pick(others)) : value
  }

  #ofType(schema: JsonObject, depth: number): unknown {
    const { type, properties, items, required } = schema
    const type_ = this.#pick([type ?? (properties ? 'object' : items ? 'array' : 'any')].flat())
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

/**
 * Returns true for what Ajv refuses or does not have: its literals hold no bigint, and its own names no `__proto__`; properties that one
 * side leaves out, and discriminators, which have tables of their own (keywords/). Where a part is refused, it calls more
 * members unevaluated.
 */
const isBeyond = (schema: Schema): boolean =>
  schema.broken !== undefined ||
  schema.readOnly === true ||
  schema.discriminator?.tags !== undefined ||
  schema.unevaluatedItems !== undefined ||
  schema.unevaluatedProperties !== undefined ||
  schema.properties?.has('__proto__') === true ||
  [schema.minimum, schema.maximum, schema.const, ...(schema.enum ?? [])].some(
    (value) => typeof value === 'bigint'
  )

t.test('the validators of the collection agree with Ajv', async (t) => {
  let count = 0
  for await (const [file, contract] of collection()) {
    const schemas = new SchemaPrinter(contract.model.components.schemas).components()
    const document: JsonObject = { components: { schemas } }
    const sound = [...contract.model.components.schemas].filter(([, schema]) => !reaches(schema, isBeyond))
    const validators = new Validators(contract)
    const names = sound.map(([name, schema]) => [name, validators.add('request', schema, name)] as const)
    const functions = validators.functions()
    const [wanted, values] = [oracle(document), new Values(file, document)]
    const disagreements: unknown[] = []
    for (const [name, exported] of names) {
      const validate = functions[exported] as Validator
      for (let number = 0; number < valuesOfEach; number++) {
        const value = values.of(schemas[name])
        const isValid = validate(value)
        const [found, expected] = [
          described(validate.errors),
          described(wanted(encodeURIComponent(name), value))
        ]
        if (isValid !== (expected.length === 0) || String(found) !== String(expected))
          disagreements.push({ name, value, isValid, found, expected })
        count++
      }
    }
    t.strictSame(disagreements.slice(0, 3), [], file)
  }
  t.ok(count > 5_000, `${count} values`)
})
