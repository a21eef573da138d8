/**
 * Decides whether a value is an instance of a schema (JSON Schema 2020-12), to choose between parts while a value is
 * made. The validators of the contract decide about the whole: unknown keywords are accepted here.
 */

import { isSameValue } from '@contract-first/engine/json'
import { canonical, isMultipleOf } from '@contract-first/engine/runtime/validators'
import {
  arrayOf,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own
} from '../compile/document/json-value.ts'
import { propertySchemas, type Schemas } from './schemas.ts'
import { isOfFormat, matchesPattern } from './text-checks.ts'

/** @returns true if the value is an instance of all of the schemas */
export function holds(schemas: Schemas, all: readonly Json[], value: unknown): boolean {
  return holdsAll({ schemas, known: new Map() }, all, value)
}

interface Evaluation {
  readonly schemas: Schemas
  /** Verdicts by schema and value: conditions of conditions would be tested 2^28 times. */
  readonly known: Map<Json, Map<unknown, boolean>>
}

function holdsAll(evaluation: Evaluation, all: readonly Json[], value: unknown): boolean {
  const parts = evaluation.schemas.parts(all)
  return parts?.every((part) => holdsPart(evaluation, part, value)) === true
}

function holdsOnce(evaluation: Evaluation, schema: Json, value: unknown): boolean {
  const verdicts = evaluation.known.get(schema) ?? new Map<unknown, boolean>()
  const verdict = verdicts.get(value) ?? holdsAll(evaluation, [schema], value)
  evaluation.known.set(schema, verdicts.set(value, verdict))
  return verdict
}

function holdsPart(evaluation: Evaluation, part: JsonObject, value: unknown): boolean {
  const test = (schema: Json, instance: unknown) => holdsOnce(evaluation, schema, instance)
  const keywords = Object.entries(part)
  return (
    keywords.every(([keyword, rule]) => generic[keyword]?.(rule, value, { part, test }) ?? true) &&
    ofType(keywords, value, { part, test }) &&
    (!isObject(value) || holdsMembers(evaluation, part, value))
  )
}

interface Context {
  readonly part: JsonObject
  readonly test: (schema: Json, value: unknown) => boolean
}
type Rule<Value> = (rule: Json, value: Value, context: Context) => boolean
type Rules<Value> = Readonly<Record<string, Rule<Value>>>

function ofType(keywords: readonly [string, Json][], value: unknown, context: Context): boolean {
  const check = <Value>(rules: Rules<Value>, typed: Value) =>
    keywords.every(([keyword, rule]) => rules[keyword]?.(rule, typed, context) ?? true)
  if (typeof value === 'string') return check(texts, value)
  if (typeof value === 'number' || typeof value === 'bigint') return check(numbers, value)
  if (Array.isArray(value)) return check(lists, value)
  return isObject(value) ? check(objects, value) : true
}

/** Returns the type of a value as `type` names it; an integer is a number, too. */
export function typesOfValue(value: unknown): readonly string[] {
  if (value === null) return ['null']
  if (Array.isArray(value)) return ['array']
  if (typeof value === 'bigint' || Number.isInteger(value)) return ['integer', 'number']
  return [typeof value]
}

const count = (schemas: Json, value: unknown, { test }: Context): number =>
  arrayOf(schemas).filter((schema) => test(schema, value)).length

const generic: Rules<unknown> = {
  // An integer that a double cannot hold needs int64, because validators and serializers take any other for a double.
  type: (types, value, { part }) =>
    [types].flat().some((type) => typesOfValue(value).includes(String(type))) &&
    (typeof value !== 'bigint' || own(part, 'format') === 'int64'),
  enum: (values, value) => arrayOf(values).some((item) => isSameValue(item, value)),
  const: (constant, value) => isSameValue(constant, value),
  not: (schema, value, { test }) => !test(schema, value),
  anyOf: (branches, value, context) => count(branches, value, context) > 0,
  oneOf: (branches, value, context) => {
    const fitting = count(branches, value, context)
    // A discriminator chooses the branch, so that several may fit.
    return own(context.part, 'discriminator') === undefined ? fitting === 1 : fitting > 0
  },
  if: (condition, value, { part, test }) =>
    test(own(part, test(condition, value) ? 'then' : 'else') ?? true, value)
}

const length = (text: string): number => [...text].length

const texts: Rules<string> = {
  minLength: (least, text) => length(text) >= Number(least),
  maxLength: (most, text) => length(text) <= Number(most),
  pattern: (source, text) => matchesPattern(String(source), text),
  format: (format, text) => isOfFormat(String(format), text)
}

const limits: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n]
}

const numbers: Rules<number | bigint> = {
  minimum: (least, value) => value >= (least as number),
  maximum: (most, value) => value <= (most as number),
  exclusiveMinimum: (bound, value) => value > (bound as number),
  exclusiveMaximum: (bound, value) => value < (bound as number),
  multipleOf: (divisor, value) => isMultipleOf(value, divisor as number),
  format: (format, value) => {
    const [least, most] = limits[String(format)] ?? [value, value]
    return value >= least && value <= most
  }
}

const lists: Rules<readonly unknown[]> = {
  minItems: (least, items) => items.length >= Number(least),
  maxItems: (most, items) => items.length <= Number(most),
  uniqueItems: (isUnique, items) => isUnique !== true || new Set(items.map(identity)).size === items.length,
  prefixItems: (prefix, items, { test }) =>
    arrayOf(prefix).every((schema, index) => index >= items.length || test(schema, items[index])),
  items: (schema, items, { part, test }) =>
    items.slice(arrayOf(own(part, 'prefixItems')).length).every((item) => test(schema, item)),
  contains: (schema, items, { part, test }) => {
    const found = items.filter((item) => test(schema, item)).length
    return (
      found >= Number(own(part, 'minContains') ?? 1) && found <= Number(own(part, 'maxContains') ?? found)
    )
  }
}

/** Returns equal texts for equal JSON values. */
export const identity = (value: unknown): string => canonical(value, undefined, undefined, undefined)

const objects: Rules<JsonObject> = {
  minProperties: (least, value) => Object.keys(value).length >= Number(least),
  maxProperties: (most, value) => Object.keys(value).length <= Number(most),
  propertyNames: (schema, value, { test }) => Object.keys(value).every((name) => test(schema, name)),
  dependentRequired: (rules, value) =>
    Object.entries(objectOf(rules)).every(
      ([name, needed]) =>
        !Object.hasOwn(value, name) || arrayOf(needed).every((other) => Object.hasOwn(value, String(other)))
    ),
  dependentSchemas: (rules, value, { test }) =>
    Object.entries(objectOf(rules)).every(
      ([name, schema]) => !Object.hasOwn(value, name) || test(schema, value)
    )
}

function holdsMembers(evaluation: Evaluation, part: JsonObject, value: JsonObject): boolean {
  const { schemas } = evaluation
  const properties = objectOf(own(part, 'properties'))
  const required = arrayOf(own(part, 'required')).map(String)
  const isMissing = (name: string) =>
    !Object.hasOwn(value, name) && !schemas.isHidden(own(properties, name) ?? true)
  if (required.some(isMissing)) return false
  return Object.entries(value).every(([name, member]) =>
    holdsAll(
      evaluation,
      propertySchemas([part], name, (source) => matchesPattern(source, name)),
      member
    )
  )
}
