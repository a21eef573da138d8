/** Reads schemas of the bundled document. */

import {
  arrayOf,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own,
  stringOf
} from '../compile/document/json-value.ts'
import { atPointer, isFlagged, pointerOf } from '../compile/document/reference.ts'

/** Direction of an instance: requests hold no read-only properties, responses no write-only ones. */
export type Direction = 'request' | 'response'

export class Schemas {
  readonly document: JsonObject
  readonly #hiddenBy: 'readOnly' | 'writeOnly'
  readonly #translated = new WeakMap<JsonObject, readonly Json[]>()

  constructor(document: JsonObject, direction: Direction) {
    this.document = document
    this.#hiddenBy = direction === 'request' ? 'readOnly' : 'writeOnly'
  }

  /**
   * Follows references and `allOf`.
   * @returns the resulting schemas, which apply together; undefined if one of them is `false`
   */
  parts(schemas: readonly Json[]): readonly JsonObject[] | undefined {
    const found = new Set<JsonObject>()
    const pending = [...schemas]
    const seen = new Set<Json>()
    for (const schema of pending) {
      if (schema === false) return undefined
      if (!isObject(schema) || seen.has(schema)) continue
      seen.add(schema)
      const [own = {}, ...others] = this.#translate(schema)
      if (Object.keys(objectOf(own)).length > 0) found.add(objectOf(own))
      pending.push(...others)
    }
    return [...found]
  }

  isHidden(property: Json): boolean {
    return isFlagged(this.document, property, this.#hiddenBy)
  }

  /** @returns the schema without references and `allOf`, and the schemas to which these lead */
  #translate(node: JsonObject): readonly Json[] {
    const known = this.#translated.get(node)
    if (known !== undefined) return known
    const translated = this.#split(node)
    this.#translated.set(node, translated)
    // A copy of a part would count as a further part, and double the parts at each level.
    const [part] = translated
    if (isObject(part)) this.#translated.set(part, [part])
    return translated
  }

  #split(node: JsonObject): readonly Json[] {
    const { $ref: _reference, allOf: _all, ...rest } = node
    const pointer = pointerOf(node)
    const target = pointer === undefined ? [] : [atPointer(this.document, pointer) as Json]
    return [rest, ...target, ...arrayOf(own(node, 'allOf'))]
  }
}

/** Returns the schemas of a property: those of its name and its patterns, otherwise those of additional properties. */
export function propertySchemas(
  parts: readonly JsonObject[],
  name: string,
  matches: (source: string) => boolean
): Json[] {
  return parts.flatMap((part) => {
    const named = own(objectOf(own(part, 'properties')), name)
    const patterns = Object.entries(objectOf(own(part, 'patternProperties')))
    const found = patterns.filter(([source]) => matches(source)).map(([, schema]) => schema)
    if (named !== undefined) found.push(named)
    if (found.length > 0) return found
    const rest = own(part, 'additionalProperties')
    return rest === undefined ? [] : [rest]
  })
}

/** Returns the values of a keyword in all parts. */
export function valuesOf(parts: readonly JsonObject[], keyword: string): Json[] {
  return parts.flatMap((part) => {
    const value = own(part, keyword)
    return value === undefined ? [] : [value]
  })
}

/** Returns the texts of a list keyword in all parts, each once. */
export function namesOf(parts: readonly JsonObject[], keyword: string): string[] {
  return [
    ...new Set(
      valuesOf(parts, keyword)
        .flatMap(arrayOf)
        .flatMap((name) => stringOf(name) ?? [])
    )
  ]
}

/** Returns the values of `const`, or those of the first `enum`. */
export function constantsOf(parts: readonly JsonObject[]): readonly Json[] | undefined {
  const [constant] = valuesOf(parts, 'const')
  const [listed] = valuesOf(parts, 'enum').map(arrayOf)
  return constant === undefined ? listed : [constant]
}
