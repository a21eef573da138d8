/**
 * Prepares normalised definitions for Ajv. Schemas under `oneOf`, `anyOf`, `not` and `if` refer to definitions of their
 * own, which stop at their first error (vocabulary.ts), because the errors of a branch are not reported. Definitions
 * that refer to themselves, or that are called often, are marked to be memoised, in both forms.
 */
import {
  arrayOf,
  define,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own
} from '../../document/json-value.ts'
import { schemaKeywords } from './keywords.ts'
import { memoisedNames } from './memoised-names.ts'
import type { Schema } from './view.ts'

type Definitions = Readonly<Record<string, Schema>>

const prefix = '#/$defs/'
const branches = new Set(['oneOf', 'anyOf', 'not', 'if'])

/** @param errors true when definitions report all errors; otherwise each stops at its first error anyway */
export function withBranches(definitions: Definitions, errors: boolean): Record<string, Schema> {
  const names = memoisedNames(definitions)
  const marked = (name: string, schema: Schema): Schema =>
    names.has(name) && isObject(schema) ? { ...schema, memoised: true } : schema
  const result: Record<string, Schema> = {}
  const mapping = new Mapping(definitions)
  for (const [name, schema] of Object.entries(definitions))
    define(result, name, marked(name, errors ? mapping.schema(schema, false) : schema))
  // A map visits members that are added during its iteration.
  for (const [name, verdict] of mapping.verdicts)
    define(result, verdict, marked(name, { verdict: mapping.schema(definitions[name] as Schema, true) }))
  return result
}

class Mapping {
  /** Name of the branch form by name of a definition. */
  readonly verdicts = new Map<string, string>()
  readonly #definitions: Definitions

  constructor(definitions: Definitions) {
    this.#definitions = definitions
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
    const verdict = this.verdicts.get(name) ?? this.#freeName(`${name}_verdict`)
    this.verdicts.set(name, verdict)
    return prefix + verdict
  }

  #freeName(name: string): string {
    return Object.hasOwn(this.#definitions, name) ? this.#freeName(`${name}_`) : name
  }

  #value(key: string, value: Json, isBranch: boolean): Json {
    const kind = schemaKeywords.get(key)
    if (kind === 'schema') return this.schema(value as Schema, isBranch)
    if (kind === 'list') return arrayOf(value).map((item) => this.schema(item as Schema, isBranch))
    if (kind !== 'map' || !isObject(value)) return value
    const entries = Object.entries(value)
    if (isBranch && key === 'properties') entries.sort(([, a], [, b]) => rank(a) - rank(b))
    const result: JsonObject = {}
    for (const [name, item] of entries) define(result, name, this.schema(item as Schema, isBranch))
    return result
  }
}

/** Ranks the properties by which branches differ first: most branches then fail early. */
const rank = (schema: Json): number =>
  own(objectOf(schema), 'const') === undefined && own(objectOf(schema), 'enum') === undefined ? 1 : 0
