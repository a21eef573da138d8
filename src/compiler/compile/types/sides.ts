/**
 * The two sides of a schema: a handler receives no `readOnly` property and sends no `writeOnly` one (OpenAPI 3.1.0,
 * section 4.8.24.2).
 */
import { arrayOf, isObject, type Json, type JsonObject, objectOf, own } from '../document/json-value.ts'
import { atPointer, isFlagged, pointerOf } from '../document/reference.ts'

/** Hidden names, those of other branches of an enclosing `allOf` included: `required` may stand in any branch. */
type Hidden = ReadonlySet<string>
const none: Hidden = new Set()

export class Sides {
  readonly #document: JsonObject
  readonly #received: Side
  readonly #sent: Side
  readonly #differing = new Map<JsonObject, boolean>()

  constructor(document: JsonObject) {
    this.#document = document
    this.#received = new Side(document, 'readOnly')
    this.#sent = new Side(document, 'writeOnly')
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
  readonly #document: JsonObject
  readonly #flag: 'readOnly' | 'writeOnly'
  /** Names that a schema hides, for the parts of its `allOf`. */
  readonly #inherited = new WeakMap<JsonObject, Hidden>()

  constructor(document: JsonObject, flag: 'readOnly' | 'writeOnly') {
    this.#document = document
    this.#flag = flag
  }

  of(schema: JsonObject): JsonObject {
    const names = new Set(this.#inherited.get(schema) ?? none)
    this.#collect(schema, names, new Set())
    if (names.size === 0) return schema
    for (const part of arrayOf(own(schema, 'allOf')).filter(isObject)) this.#inherited.set(part, names)
    const properties = objectOf(own(schema, 'properties'))
    const shown = Object.entries(properties).filter(([name]) => !this.#hides(properties, name))
    const required = own(schema, 'required')
    return {
      ...schema,
      ...(own(schema, 'properties') !== undefined && { properties: Object.fromEntries(shown) }),
      ...(Array.isArray(required) && { required: required.filter((name) => !names.has(String(name))) })
    }
  }

  #hides(properties: JsonObject, name: string): boolean {
    return isFlagged(this.#document, own(properties, name), this.#flag)
  }

  /** Adds the hidden names of a schema, of its `allOf` branches and of the schemas that it refers to. */
  #collect(node: JsonObject, names: Set<string>, seen: Set<JsonObject>): void {
    if (seen.has(node)) return
    seen.add(node)
    const properties = objectOf(own(node, 'properties'))
    for (const name of Object.keys(properties)) if (this.#hides(properties, name)) names.add(name)
    const pointer = pointerOf(node)
    const parts = [...arrayOf(own(node, 'allOf')), ...(pointer ? [atPointer(this.#document, pointer)] : [])]
    for (const part of parts) if (isObject(part)) this.#collect(part, names, seen)
  }
}
