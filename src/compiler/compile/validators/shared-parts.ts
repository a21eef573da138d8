/** Makes one definition of each large part of schemas that stands several times: equal parts share one validator. */

import { digestOf } from '../../source/memo.ts'
import { define, isObject, type Json, type JsonObject, stringify } from '../document/json-value.ts'
import { type Schema, schemaKeywords } from './ajv/keywords.ts'

/** Least keywords of a part that becomes a definition: a smaller one costs less than its call. */
const leastKeywords = 32

/**
 * Keywords whose schemas may become definitions, because they apply to a member of the value, or may hold such parts. An
 * error below `contains` is known by its path in the schema, which begins anew at each reference.
 */
const forMembers: ReadonlySet<string> = new Set([
  'properties',
  'additionalProperties',
  'items',
  'prefixItems'
])
const forValues: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf'])

type Definitions = Readonly<Record<string, Schema>>

/** Returns the definitions, with a reference in place of each part that stands in several or is one of them. */
export const withSharedParts = (definitions: Definitions): Definitions => new Parts(definitions).shared()

interface Part {
  /** Digest of its text. */
  readonly id: string
  /** Number of keywords, those of inner schemas included. */
  readonly keywords: number
  /** Number of different schemas that hold it for a member of their value. */
  count: number
  /** Name of the definition that stands for it. */
  name: string | undefined
}

class Parts {
  readonly #definitions: Record<string, Schema>
  /** Parts by their texts, in which the digests of inner parts stand for these. */
  readonly #parts = new Map<string, Part>()
  readonly #known = new Map<JsonObject, Part>()

  constructor(definitions: Definitions) {
    this.#definitions = { ...definitions }
  }

  shared(): Definitions {
    const named = Object.entries(this.#definitions)
    for (const [name, schema] of named) if (isObject(schema)) this.#part(schema).name ??= name
    for (const [name, schema] of named) define(this.#definitions, name, this.#inside(schema) as Schema)
    return this.#definitions
  }

  #part(schema: JsonObject): Part {
    const members: Part[] = []
    let keywords = 0
    const child = (value: Json, key: string): Json => {
      if (!isObject(value)) return value
      const part = this.#part(value)
      keywords += part.keywords
      if (forMembers.has(key)) members.push(part)
      return { part: part.id }
    }
    const text = stringify(mapped(schema, (value, key) => child(value, key)))
    let part = this.#parts.get(text)
    if (part === undefined) {
      part = {
        id: digestOf(text),
        keywords: keywords + Object.keys(schema).length,
        count: 0,
        name: undefined
      }
      this.#parts.set(text, part)
      for (const member of members) member.count++
    }
    this.#known.set(schema, part)
    return part
  }

  /** Returns a schema whose parts are shared. */
  #inside(schema: Json): Json {
    if (!isObject(schema)) return schema
    return mapped(schema, (value, key) => {
      if (forMembers.has(key)) return this.#reference(value)
      return forValues.has(key) ? this.#inside(value) : value
    })
  }

  #reference(schema: Json): Json {
    const part = isObject(schema) ? this.#known.get(schema) : undefined
    if (part === undefined || part.keywords < leastKeywords) return schema
    if (part.name === undefined && part.count > 1) {
      part.name = this.#freeName(part)
      this.#definitions[part.name] = this.#inside(schema) as Schema
    }
    return part.name === undefined ? this.#inside(schema) : { $ref: `#/$defs/${part.name}` }
  }

  #freeName({ id }: Part): string {
    let name = `part_${id.slice(0, 10)}`
    while (Object.hasOwn(this.#definitions, name)) name += '_'
    return name
  }
}

/** Returns a schema with other inner schemas. */
function mapped(schema: JsonObject, change: (inner: Json, keyword: string) => Json): JsonObject {
  const result: JsonObject = {}
  for (const [key, value] of Object.entries(schema)) {
    const kind = schemaKeywords.get(key)
    if (kind === 'schema') define(result, key, change(value, key))
    else if (kind === 'list' && Array.isArray(value))
      define(
        result,
        key,
        value.map((each) => change(each, key))
      )
    else if (kind === 'map' && isObject(value))
      define(
        result,
        key,
        changed(value, (each) => change(each, key))
      )
    else define(result, key, value)
  }
  return result
}

function changed(map: JsonObject, change: (inner: Json) => Json): JsonObject {
  const result: JsonObject = {}
  for (const [name, value] of Object.entries(map)) define(result, name, change(value))
  return result
}
