/** Keywords of objects. */
import { arrayOf, type Json, type JsonObject, objectOf, own } from '../compile/document/json-value.ts'
import { type Context, rulesOf } from './context.ts'
import { dependent, unevaluated } from './unevaluated.ts'
import { matches } from './values.ts'
import { all, type Verdict } from './verdict.ts'

/** Returns the schemas that name a property, and those whose pattern matches its name. */
export function declaredIn(node: JsonObject, name: string): Json[] {
  const named = own(objectOf(own(node, 'properties')), name)
  const patterns = Object.entries(objectOf(own(node, 'patternProperties')))
  const matching = patterns.filter(([pattern]) => matches(pattern, name) === true)
  return [...(named === undefined ? [] : [named]), ...matching.map(([, schema]) => schema)]
}

/** Returns the schemas that apply to a property. */
function schemasOf(node: JsonObject, name: string): Json[] {
  const declared = declaredIn(node, name)
  const additional = own(node, 'additionalProperties')
  return declared.length > 0 || additional === undefined ? declared : [additional]
}

/** Checks the properties by `properties`, `patternProperties` and `additionalProperties`. */
export const members = (value: JsonObject, { node, check }: Context): Verdict =>
  all(
    Object.entries(value)
      .values()
      .flatMap(([name, member]) => schemasOf(node, name).map((schema) => check(schema, member)))
  )

/** Returns whether the value has the required properties, except those that messages of this kind do not have. */
function hasAll(value: JsonObject, names: Json, { node, reading }: Context): boolean {
  const properties = objectOf(own(node, 'properties'))
  return arrayOf(names)
    .map(String)
    .every((name) => Object.hasOwn(value, name) || reading.isHidden([own(properties, name) ?? true]))
}

export const objectRules = rulesOf<JsonObject>({
  minProperties: (least, value) => Object.keys(value).length >= Number(least),
  maxProperties: (most, value) => Object.keys(value).length <= Number(most),
  required: (names, value, context) => hasAll(value, names, context),
  dependentRequired: (rules, value, context) =>
    dependent(rules, value).every((names) => hasAll(value, names, context)),
  dependentSchemas: (rules, value, { check }) =>
    all(dependent(rules, value).map((schema) => check(schema, value))),
  propertyNames: (schema, value, { check }) => all(Object.keys(value).map((name) => check(schema, name))),
  unevaluatedProperties: (schema, value, context) =>
    unevaluated(value, context, {
      keyword: 'unevaluatedProperties',
      check: (nodes) => {
        const isFree = ([name]: readonly [string, Json]) =>
          nodes.every((node) => schemasOf(node, name).length === 0)
        const free = Object.entries(value).filter(isFree)
        return all(free.map(([, member]) => context.check(schema, member)))
      }
    })
})
