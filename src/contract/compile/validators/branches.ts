/**
 * Prepares normalised definitions for Ajv. What stands under `oneOf`, `anyOf`, `not` and `if` refers to definitions of its
 * own, which stop at their first error (vocabulary.ts), because the errors of a branch are not reported. Definitions that
 * refer to themselves are marked to be memoised, in both forms.
 */
import {
  arrayOf,
  define,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own
} from '../document/json-value.ts'
import { schemaKeywords } from './keywords.ts'
import { recursiveNames } from './recursive-names.ts'
import type { Schema } from './view.ts'

const prefix = '#/$defs/'
const branches = new Set(['oneOf', 'anyOf', 'not', 'if'])
/** No other name of a definition has a dollar sign (normalise.ts). */
const suffix = '$verdict'

/** @param errors whether the definitions report all errors; otherwise every definition stops at its first */
export function withBranches(
  definitions: Readonly<Record<string, Schema>>,
  errors: boolean
): Record<string, Schema> {
  const recursive = recursiveNames(definitions)
  const result: Record<string, Schema> = {}
  const pending: string[] = []
  const marked = (name: string, schema: Schema): Schema =>
    recursive.has(name) && isObject(schema) ? { ...schema, memoised: true } : schema
  const mapping = new Mapping((name) => pending.push(name))
  for (const [name, schema] of Object.entries(definitions))
    define(result, name, marked(name, errors ? mapping.schema(schema, false) : schema))
  for (const name of pending) {
    if (Object.hasOwn(result, name + suffix)) continue
    result[name + suffix] = marked(name, { verdict: mapping.schema(definitions[name] as Schema, true) })
  }
  return result
}

class Mapping {
  readonly #refer: (name: string) => void

  constructor(refer: (name: string) => void) {
    this.#refer = refer
  }

  schema(schema: Schema, isBranch: boolean): Schema {
    if (!isObject(schema)) return schema
    const result: JsonObject = {}
    for (const [key, value] of Object.entries(schema)) {
      const inBranch = isBranch || branches.has(key)
      define(
        result,
        key,
        key === '$ref' && isBranch ? this.#reference(value) : this.#value(key, value, inBranch)
      )
    }
    return result
  }

  #reference(value: Json): Json {
    const name = String(value).slice(prefix.length)
    this.#refer(name)
    return `${prefix}${name}${suffix}`
  }

  #value(key: string, value: Json, isBranch: boolean): Json {
    const kind = schemaKeywords.get(key)
    if (kind === 'schema') return this.schema(value as Schema, isBranch)
    if (kind === 'list') return arrayOf(value).map((item) => this.schema(item as Schema, isBranch))
    if (kind !== 'map' || !isObject(value)) return value
    const entries = Object.entries(value).map(
      ([name, item]) => [name, this.schema(item as Schema, isBranch)] as const
    )
    if (isBranch && key === 'properties') entries.sort(([, a], [, b]) => rank(a) - rank(b))
    const result: JsonObject = {}
    for (const [name, item] of entries) define(result, name, item)
    return result
  }
}

/** The properties by which branches differ come first: most branches then fail before they reach the others. */
const rank = (schema: Schema): number =>
  own(objectOf(schema), 'const') === undefined && own(objectOf(schema), 'enum') === undefined ? 1 : 0
