/**
 * Properties that one side does not send: others send the owner of the data no read-only ones, and the owner sends no
 * write-only ones (JSON Schema Validation 2020-12, section 9.4). The service owns the data: it receives requests, and
 * sends webhooks and callbacks.
 */
import { arrayOf, isObject, type JsonObject, objectOf, own } from '../document/json-value.ts'
import { atPointer, isFlagged, pointerOf } from '../document/reference.ts'

/**
 * Hidden names, including those of other branches of the enclosing `allOf`, because `required` may stand in any branch.
 */
export type Hidden = ReadonlySet<string>
export const none: Hidden = new Set()

export type Flag = 'readOnly' | 'writeOnly'

export class HiddenProperties {
  readonly #document: JsonObject
  readonly #flag: Flag
  readonly #parameters = new WeakSet<JsonObject>()

  constructor(document: JsonObject, flag: Flag) {
    this.#document = document
    this.#flag = flag
  }

  /** Exempts the members of an object that are parameters: the flags concern properties only. */
  exempt(parameters: JsonObject): void {
    this.#parameters.add(parameters)
  }

  /** @param properties the keyword that holds the property */
  has(properties: JsonObject, name: string): boolean {
    return !this.#parameters.has(properties) && isFlagged(this.#document, own(properties, name), this.#flag)
  }

  /** @returns the hidden names of a schema, of its `allOf` branches and of the schemas that it refers to */
  namesIn(node: JsonObject, inherited: Hidden): Hidden {
    const names = new Set(inherited)
    this.#collect(node, names, new Set())
    return names.size === 0 ? none : names
  }

  #collect(node: JsonObject, names: Set<string>, seen: Set<JsonObject>): void {
    if (seen.has(node)) return
    seen.add(node)
    const properties = objectOf(own(node, 'properties'))
    for (const name of Object.keys(properties)) if (this.has(properties, name)) names.add(name)
    const pointer = pointerOf(node)
    const parts = [...arrayOf(own(node, 'allOf')), ...(pointer ? [atPointer(this.#document, pointer)] : [])]
    for (const part of parts) if (isObject(part)) this.#collect(part, names, seen)
  }
}

/** @returns the schema, in which hidden properties are not required */
export function hideRequired(schema: JsonObject, hidden: Hidden): JsonObject {
  const required = own(schema, 'required')
  if (hidden.size === 0 || !Array.isArray(required)) return schema
  return { ...schema, required: required.filter((name) => typeof name !== 'string' || !hidden.has(name)) }
}
