/**
 * Validates a value against schemas without compiling them: values are few and schemas many. The result is undefined
 * when a format or a pattern is unknown.
 */
import {
  arrayOf,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own,
  typesOf
} from '../../compile/documents.ts'
import { textsIn, typeOf, valueText } from '../cases/cases.ts'
import { isMultiple } from '../cases/multiples.ts'
import type { Side } from '../cases/side.ts'
import { arrayChecks } from './array-checks.ts'
import { objectChecks } from './object-checks.ts'
import { textProblem } from './text-samples.ts'
import {
  all,
  any,
  type Evaluation,
  exactlyOne,
  negation,
  type Result,
  result,
  type Verdict
} from './verdict.ts'

/** Returns whether the value satisfies all of the schemas. */
export function satisfies(value: Json, schemas: readonly Json[], side: Side): Verdict {
  return all(schemas.map((schema) => new SchemaEvaluation(side).check(value, schema).verdict))
}

/** Results by schema and value, because schemas may name another one very often. */
type Known = Map<JsonObject, Map<Json, Result>>

/** Most references to follow. */
const maxDepth = 100

class SchemaEvaluation implements Evaluation {
  readonly side: Side
  readonly #depth: number
  readonly #known: Known

  constructor(side: Side, depth = 0, known: Known = new Map()) {
    this.side = side
    this.#depth = depth
    this.#known = known
  }

  check(value: Json, schema: Json): Result {
    if (!isObject(schema)) return result(schema !== false)
    if (this.#depth > maxDepth) return result(undefined)
    const results = this.#known.get(schema) ?? new Map<Json, Result>()
    const found = results.get(value) ?? this.#checked(value, schema)
    this.#known.set(schema, results.set(value, found))
    return found
  }

  #checked(value: Json, schema: JsonObject): Result {
    const node = this.side.read(schema)
    const inner = new SchemaEvaluation(this.side, this.#depth + 1, this.#known)
    const applied = inner.#applied(value, node)
    const verdict = all([
      typeVerdict(value, node),
      enumVerdict(value, node),
      ...(typeof value === 'string' ? [textVerdict(value, node)] : []),
      ...(typeof value === 'number' || typeof value === 'bigint' ? [numberVerdict(value, node)] : []),
      ...applied.map(({ verdict }) => verdict)
    ])
    const parts = isObject(value)
      ? objectChecks(inner, value, { node, applied })
      : Array.isArray(value)
        ? arrayChecks(inner, value, { node, applied })
        : result(true)
    return { ...parts, verdict: all([verdict, parts.verdict]) }
  }

  /** Returns results of the schemas that apply to the same value; schemas that fail in a union evaluate nothing. */
  #applied(value: Json, node: JsonObject): Result[] {
    const target = this.side.target(node)
    const check = (schema: Json) => this.check(value, schema)
    const list = (key: string) => arrayOf(own(node, key)).map(check)
    const [anyOf, oneOf] = [list('anyOf'), list('oneOf')]
    const not = own(node, 'not')
    return [
      ...(target === undefined ? [] : [check(target)]),
      ...list('allOf'),
      ...(anyOf.length === 0 ? [] : united(anyOf, any)),
      ...(oneOf.length === 0 ? [] : united(oneOf, exactlyOne)),
      ...(not === undefined ? [] : [result(negation(check(not).verdict))]),
      ...this.#conditional(value, node),
      ...this.#dependent(value, node)
    ]
  }

  #conditional(value: Json, node: JsonObject): Result[] {
    const condition = own(node, 'if')
    if (condition === undefined) return []
    const tested = this.check(value, condition)
    if (tested.verdict === undefined) return [result(undefined)]
    const branch = own(node, tested.verdict ? 'then' : 'else')
    return [...(tested.verdict ? [tested] : []), ...(branch === undefined ? [] : [this.check(value, branch)])]
  }

  #dependent(value: Json, node: JsonObject): Result[] {
    if (!isObject(value)) return []
    return Object.entries(objectOf(own(node, 'dependentSchemas'))).flatMap(([name, schema]) =>
      Object.hasOwn(value, name) ? [this.check(value, schema)] : []
    )
  }
}

function united(results: readonly Result[], combine: (verdicts: readonly Verdict[]) => Verdict): Result[] {
  const verdict = combine(results.map((each) => each.verdict))
  return [result(verdict), ...results.filter((each) => each.verdict === true)]
}

function typeVerdict(value: Json, node: JsonObject): Verdict {
  const types = typesOf(node)
  const type = typeOf(value)
  if (types.length === 0 || types.includes(type)) return true
  return type === 'number' && types.includes('integer') && isMultiple(value as number, 1)
}

function enumVerdict(value: Json, node: JsonObject): Verdict {
  const values = own(node, 'enum')
  return !Array.isArray(values) || textsIn(values).has(valueText(value))
}

function textVerdict(value: string, node: JsonObject): Verdict {
  const problem = textProblem(value, node)
  return problem === undefined ? true : problem === 'refused' ? false : undefined
}

const limits: Readonly<Record<string, (value: number | bigint, limit: number | bigint) => boolean>> = {
  minimum: (value, limit) => value >= limit,
  maximum: (value, limit) => value <= limit,
  exclusiveMinimum: (value, limit) => value > limit,
  exclusiveMaximum: (value, limit) => value < limit,
  multipleOf: isMultiple
}

const isNumeric = (value: Json | undefined): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint'

function numberVerdict(value: number | bigint, node: JsonObject): Verdict {
  const isWithin = Object.entries(limits).every(([keyword, holds]) => {
    const limit = own(node, keyword)
    return !isNumeric(limit) || holds(value, limit)
  })
  const width = widths[String(own(node, 'format'))] ?? Number.POSITIVE_INFINITY
  return isWithin && value < width && value >= -width
}

const widths: Readonly<Record<string, number>> = { int32: 2 ** 31, int64: 2 ** 63 }
