/**
 * Decides whether values fit schemas without compiling them, because values are few and schemas many. It decides as
 * compiled validators do: every text of an unknown format fits, an integer beyond doubles only as an int64, and a
 * discriminator chooses the branch. `unevaluated…` is not judged.
 */
import {
  type Flag,
  hiddenFlags,
  isFlagged,
  type Json,
  type JsonObject,
  type Schema,
  typeOf,
  type Writer
} from '@contract-first/contract'
import { canonical, isMultipleOf } from '@contract-first/engine/runtime/validators'
import { formatCheck } from '../../compiler/compile/validators/reading.ts'
import { itemSchemas, propertySchemas } from './members.ts'

export { formatCheck }

/** Returns a text that is equal for two values exactly when they are equal JSON. */
export const identity = (value: unknown): string => canonical(value)

/** Least and greatest value of the formats of integers (https://spec.openapis.org/registry/format/). */
export const integerRanges: ReadonlyMap<string | undefined, readonly [bigint, bigint]> = new Map([
  ['int32', [-(2n ** 31n), 2n ** 31n - 1n]],
  ['int64', [-(2n ** 63n), 2n ** 63n - 1n]]
])

/** Returns true when the value fits all of the schemas. */
export const fits = (value: Json, schemas: readonly Schema[], writer: Writer): boolean =>
  new Fit(writer).ofAll(schemas, value)

/** Verdicts about one value and those within it. */
export class Fit {
  readonly #flag: Flag
  /** Verdicts by schema and value: 28 levels that name the next one twice have 2^28 evaluations. */
  readonly #known = new Map<Schema, Map<Json, boolean>>()

  constructor(writer: Writer) {
    this.#flag = hiddenFlags[writer]
  }

  ofAll(schemas: readonly Schema[], value: Json): boolean {
    return schemas.every((schema) => this.of(schema, value))
  }

  of(schema: Schema, value: Json): boolean {
    const verdicts = this.#known.get(schema) ?? new Map<Json, boolean>()
    const known = verdicts.get(value)
    if (known !== undefined) return known
    // Until it is known, the schema may refer to itself for the same value.
    this.#known.set(schema, verdicts.set(value, true))
    const verdict = schema.never !== true && this.#general(schema, value) && this.#typed(schema, value)
    verdicts.set(value, verdict)
    return verdict
  }

  #general(schema: Schema, value: Json): boolean {
    const { ref, types, format, allOf = [], anyOf, oneOf, not } = schema
    if (types !== undefined && !hasType(value, types)) return false
    if (types !== undefined && typeof value === 'bigint' && format !== 'int64') return false
    if (schema.enum !== undefined && !identitiesIn(schema.enum).has(identity(value))) return false
    if (schema.const !== undefined && identity(schema.const) !== identity(value)) return false
    if (ref !== undefined && !this.of(ref, value)) return false
    if (!allOf.every((part) => this.of(part, value))) return false
    if (anyOf?.some((branch) => this.of(branch, value)) === false) return false
    if (oneOf !== undefined) {
      const count = oneOf.filter((branch) => this.of(branch, value)).length
      if (schema.discriminator === undefined ? count !== 1 : count === 0) return false
    }
    if (not !== undefined && this.of(not, value)) return false
    if (schema.if === undefined) return true
    const branch = this.of(schema.if, value) ? schema.then : schema.else
    return branch === undefined || this.of(branch, value)
  }

  #typed(schema: Schema, value: Json): boolean {
    if (typeof value === 'string') return isText(schema, value)
    if (typeof value === 'number' || typeof value === 'bigint') return isNumber(schema, value)
    if (Array.isArray(value)) return this.#isList(schema, value)
    return typeof value !== 'object' || value === null || this.#isObject(schema, value as JsonObject)
  }

  #isList(schema: Schema, items: readonly Json[]): boolean {
    const { minItems = 0, maxItems = Infinity, contains } = schema
    if (items.length < minItems || items.length > maxItems) return false
    if (schema.uniqueItems && new Set(items.map(identity)).size < items.length) return false
    if (!items.every((item, index) => itemSchemas([schema], index).every((each) => this.of(each, item))))
      return false
    if (contains === undefined) return true
    const count = items.filter((item) => this.of(contains.schema, item)).length
    return count >= contains.min && count <= (contains.max ?? Infinity)
  }

  #isObject(schema: Schema, value: JsonObject): boolean {
    const names = Object.keys(value)
    const { minProperties = 0, maxProperties = Infinity, required = [], names: ofNames } = schema
    if (names.length < minProperties || names.length > maxProperties) return false
    const isThere = (name: string) => Object.hasOwn(value, name) || this.#isHidden(schema, name)
    if (![...required].every(isThere)) return false
    for (const [name, others] of schema.dependentRequired ?? [])
      if (Object.hasOwn(value, name) && !others.every(isThere)) return false
    for (const [name, dependent] of schema.dependentSchemas ?? [])
      if (Object.hasOwn(value, name) && !this.of(dependent, value)) return false
    return names.every(
      (name) =>
        (ofNames === undefined || this.of(ofNames, name)) &&
        propertySchemas([schema], name).every((each) => this.of(each, value[name] ?? null))
    )
  }

  /** Returns true for a property that messages of this writer do not have. */
  #isHidden({ properties }: Schema, name: string): boolean {
    const property = properties?.get(name)
    return property !== undefined && isFlagged(property, this.#flag)
  }
}

/** Returns true for a value of one of the types (JSON Schema Validation 2020-12, section 6.1.1). */
export function hasType(value: Json, types: NonNullable<Schema['types']>): boolean {
  const isWhole = typeof value === 'bigint' || Number.isInteger(value)
  return types.has(typeOf(value)) || (isWhole && types.has('integer'))
}

const listed = new WeakMap<readonly Json[], ReadonlySet<string>>()

/** Returns the identities of a list of values; a list is read once, however many values are looked up in it. */
export function identitiesIn(values: readonly Json[]): ReadonlySet<string> {
  const identities = listed.get(values) ?? new Set(values.map(identity))
  listed.set(values, identities)
  return identities
}

function isText({ minLength = 0, maxLength = Infinity, pattern, format }: Schema, text: string): boolean {
  const length = [...text].length
  if (length < minLength || length > maxLength) return false
  if (pattern !== undefined && !pattern.regexp.test(text)) return false
  return format === undefined || formatCheck(format)?.(text) !== false
}

function isNumber(schema: Schema, value: number | bigint): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema
  if (minimum !== undefined && value < minimum) return false
  if (maximum !== undefined && value > maximum) return false
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return false
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) return false
  if (multipleOf !== undefined && !isMultipleOf(value, multipleOf as number)) return false
  const range = integerRanges.get(format)
  if (range === undefined) return true
  return (typeof value === 'bigint' || Number.isInteger(value)) && value >= range[0] && value <= range[1]
}
