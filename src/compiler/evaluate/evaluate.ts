/**
 * Decides whether values satisfy schemas (JSON Schema 2020-12) without compiling them, because values are few and
 * schemas many. The verdict is undefined where a format or a pattern is unknown, and for a schema that refers to itself.
 */
import {
  arrayOf,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own
} from '../compile/document/json-value.ts'
import {
  all,
  any,
  type Context,
  counted,
  negation,
  type Reading,
  type Rules,
  rulesOf,
  type Verdict
} from './context.ts'
import { propertySchemas } from './members.ts'
import { dependent, unevaluated } from './unevaluated.ts'
import { identity, listRules, numberRules, textRules } from './values.ts'

export { Reading, type Role } from './context.ts'
export { identity, integerRanges, matches } from './values.ts'

/** Returns whether the value satisfies all of the schemas. */
export function satisfies(value: Json, schemas: readonly Json[], reading: Reading): Verdict {
  const evaluation = new Evaluation(reading)
  return all(schemas.values().map((schema) => evaluation.check(schema, value)))
}

class Evaluation {
  readonly #reading: Reading
  /** Verdicts by schema and value: 28 levels that name the next one twice have 2^28 evaluations. */
  readonly #known = new Map<JsonObject, Map<Json, Verdict>>()

  constructor(reading: Reading) {
    this.#reading = reading
  }

  check(schema: Json, value: Json): Verdict {
    if (!isObject(schema)) return schema !== false
    const verdicts = this.#known.get(schema) ?? new Map<Json, Verdict>()
    if (verdicts.has(value)) return verdicts.get(value)
    // Until it is known, the schema may refer to itself for the same value.
    this.#known.set(schema, verdicts.set(value, undefined))
    const check = this.check.bind(this)
    const verdict = verdictOf(value, { reading: this.#reading, node: this.#reading.read(schema), check })
    verdicts.set(value, verdict)
    return verdict
  }
}

function verdictOf(value: Json, context: Context): Verdict {
  const general = follow(anyRules, value, context)
  return general === false ? false : all([general, typed(value, context)])
}

function typed(value: Json, context: Context): Verdict {
  if (typeof value === 'string') return follow(textRules, value, context)
  if (typeof value === 'number' || typeof value === 'bigint') return follow(numberRules, value, context)
  if (Array.isArray(value)) return follow(listRules, value, context)
  return isObject(value) ? all([follow(objectRules, value, context), members(value, context)]) : true
}

function follow<Value>(rules: Rules<Value>, value: Value, context: Context): Verdict {
  const keywords = Object.entries(context.node).values()
  return all(
    keywords.flatMap(([keyword, rule]) => {
      const evaluate = rules.get(keyword)
      return evaluate === undefined ? [] : [evaluate(rule, value, context)]
    })
  )
}

function hasType(value: Json, type: Json): boolean {
  if (value === null) return type === 'null'
  if (Array.isArray(value)) return type === 'array'
  const isInteger = typeof value === 'bigint' || Number.isInteger(value)
  return type === (typeof value === 'bigint' ? 'number' : typeof value) || (isInteger && type === 'integer')
}

const listed = new WeakMap<readonly Json[], ReadonlySet<string>>()

/** Returns the identities of a list of values; a list is read once, however many values are looked up in it. */
export function identitiesIn(values: readonly Json[]): ReadonlySet<string> {
  const identities = listed.get(values) ?? new Set(values.map(identity))
  listed.set(values, identities)
  return identities
}

const anyRules = rulesOf<Json>({
  type: (types, value, { node, reading }) =>
    (!Array.isArray(types) ? [types] : types).some((type) => hasType(value, type)) &&
    !(reading.isCompiled && typeof value === 'bigint' && own(node, 'format') !== 'int64'),
  enum: (values, value) => !Array.isArray(values) || identitiesIn(values).has(identity(value)),
  const: (constant, value) => identity(constant) === identity(value),
  $ref: (_reference, value, { reading, node, check }) => check(reading.target(node) ?? true, value),
  allOf: (schemas, value, { check }) =>
    all(
      arrayOf(schemas)
        .values()
        .map((schema) => check(schema, value))
    ),
  anyOf: (schemas, value, { check }) =>
    any(
      arrayOf(schemas)
        .values()
        .map((schema) => check(schema, value))
    ),
  oneOf: (schemas, value, { check, reading, node }) => {
    const isChosen = reading.isCompiled && own(node, 'discriminator') !== undefined
    const verdicts = arrayOf(schemas).map((schema) => check(schema, value))
    return counted(verdicts, 1, isChosen ? verdicts.length : 1)
  },
  not: (schema, value, { check }) => negation(check(schema, value)),
  if: (condition, value, { node, check }) => {
    const verdict = check(condition, value)
    return verdict === undefined ? undefined : check(own(node, verdict ? 'then' : 'else') ?? true, value)
  }
})

/** Checks the properties by `properties`, `patternProperties` and `additionalProperties`. */
const members = (value: JsonObject, { node, check }: Context): Verdict =>
  all(
    Object.entries(value)
      .values()
      .flatMap(([name, member]) => propertySchemas([node], name).map((schema) => check(schema, member)))
  )

/** Returns whether the value has the required properties, except those that messages of this kind do not have. */
function hasAll(value: JsonObject, names: Json, { node, reading }: Context): boolean {
  const properties = objectOf(own(node, 'properties'))
  return arrayOf(names)
    .map(String)
    .every((name) => Object.hasOwn(value, name) || reading.isHidden([own(properties, name) ?? true]))
}

const objectRules = rulesOf<JsonObject>({
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
        const isFree = ([name]: readonly [string, Json]) => propertySchemas(nodes, name).length === 0
        const free = Object.entries(value).filter(isFree)
        return all(free.map(([, member]) => context.check(schema, member)))
      }
    })
})
