/** The schemas that have evaluated parts of a value (JSON Schema Core 2020-12, section 11). */
import {
  arrayOf,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own
} from '../compile/document/json-value.ts'
import type { Context, Verdict } from './context.ts'

interface Unevaluated {
  readonly keyword: 'unevaluatedItems' | 'unevaluatedProperties'
  /** Checks the parts that none of the schemas evaluates. */
  readonly check: (nodes: readonly JsonObject[]) => Verdict
}

export function unevaluated(value: Json, context: Context, { keyword, check }: Unevaluated): Verdict {
  if (context.reading.isCompiled) return true
  const { nodes, isSure } = applied(value, context)
  if (nodes.some((node) => node !== context.node && own(node, keyword) !== undefined)) return true
  const verdict = check(nodes)
  return verdict === false && !isSure ? undefined : verdict
}

interface Applied {
  readonly nodes: readonly JsonObject[]
  /** False if a schema that may have evaluated more is unknown to hold. */
  readonly isSure: boolean
}

/** Returns the schema and those that apply with it to the same value and hold. */
function applied(value: Json, { node, reading, check }: Context): Applied {
  const nodes = new Set([node])
  let isSure = true
  for (const each of nodes) {
    for (const schema of [reading.target(each) ?? true, ...subschemas(value, each, check)]) {
      const verdict = check(schema, value)
      isSure &&= verdict !== undefined
      if (verdict === true && isObject(schema)) nodes.add(reading.read(schema))
    }
  }
  return { nodes: [...nodes], isSure }
}

function subschemas(value: Json, node: JsonObject, check: Context['check']): Json[] {
  const condition = own(node, 'if')
  const branch = condition !== undefined && own(node, check(condition, value) ? 'then' : 'else')
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => arrayOf(own(node, key)))
  return [condition ?? true, branch ?? true, ...lists, ...dependent(own(node, 'dependentSchemas'), value)]
}

/** Returns the members of `dependentRequired` or `dependentSchemas` for the properties of the value. */
export const dependent = (rules: Json | undefined, value: Json): Json[] =>
  Object.entries(objectOf(rules)).flatMap(([name, rule]) =>
    isObject(value) && Object.hasOwn(value, name) ? [rule] : []
  )
