/**
 * The two sides of a schema: a handler receives no `readOnly` property and sends no `writeOnly` one (OpenAPI 3.1.0,
 * section 4.8.24.2).
 */
import { arrayOf, isObject, type Json, type JsonObject, objectOf, own } from '../document/json-value.ts'
import { atPointer, pointerOf } from '../document/reference.ts'
import { type Hidden, HiddenProperties, hideRequired, none } from './read-write-only.ts'

export class Sides {
  readonly #document: JsonObject
  readonly #received: Side
  readonly #sent: Side
  readonly #differing = new Map<JsonObject, boolean>()

  constructor(document: JsonObject) {
    this.#document = document
    this.#received = new Side(new HiddenProperties(document, 'readOnly'))
    this.#sent = new Side(new HiddenProperties(document, 'writeOnly'))
  }

  /** Returns the schema without the properties of the other side. Schemas come before the parts of their `allOf`. */
  of(schema: JsonObject, isReceived: boolean): JsonObject {
    return isReceived ? this.#received.of(schema) : this.#sent.of(schema)
  }

  /** Returns true for a schema in which, or in a target of which, a flag stands. */
  differ(schema: JsonObject): boolean {
    const known = this.#differing.get(schema)
    if (known !== undefined) return known
    const isFlagged = (node: JsonObject) => own(node, 'readOnly') === true || own(node, 'writeOnly') === true
    const found = [...this.#reachable(schema)].some(isFlagged)
    this.#differing.set(schema, found)
    return found
  }

  #reachable(schema: JsonObject): Set<JsonObject> {
    const nodes = new Set([schema])
    // A set visits members that are added during its iteration.
    for (const node of nodes) {
      const pointer = pointerOf(node)
      const target = pointer === undefined ? [] : [atPointer(this.#document, pointer)]
      const members: Json[] = [...Object.values(node), ...target].flatMap((value) => value ?? [])
      for (const member of members) if (isObject(member)) nodes.add(member)
    }
    return nodes
  }
}

class Side {
  readonly #hidden: HiddenProperties
  /** Names that a schema hides, for the parts of its `allOf`. */
  readonly #inherited = new WeakMap<JsonObject, Hidden>()

  constructor(hidden: HiddenProperties) {
    this.#hidden = hidden
  }

  of(schema: JsonObject): JsonObject {
    const names = this.#hidden.namesIn(schema, this.#inherited.get(schema) ?? none)
    if (names.size === 0) return schema
    for (const part of arrayOf(own(schema, 'allOf')).filter(isObject)) this.#inherited.set(part, names)
    const properties = objectOf(own(schema, 'properties'))
    const shown = Object.entries(properties).filter(([name]) => !this.#hidden.has(properties, name))
    const isObjectSchema = own(schema, 'properties') !== undefined
    return hideRequired(isObjectSchema ? { ...schema, properties: Object.fromEntries(shown) } : schema, names)
  }
}
