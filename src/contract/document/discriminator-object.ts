/** Discriminator Objects (OpenAPI 3.1.0, section 4.8.25): the schemas that one maps to. */
import { arrayOf, type Json, type JsonObject, own } from '../model/json.ts'
import { fragmentOf } from './pointer.ts'
import { atPointer, componentsOf, dereference } from './reference.ts'

/** Returns the pointer for a value of `mapping`, which is a reference or the name of a schema. */
export function mappingPointer(document: JsonObject, target: Json): string | undefined {
  const text = String(target)
  if (own(componentsOf(document, 'schemas'), text) !== undefined)
    return fragmentOf(['components', 'schemas', text])
  const leads = text.startsWith('#/') && dereference(document, { $ref: text }) !== undefined
  return leads ? text : undefined
}

/** Returns true if a value of `mapping` names the schema at the pointer. */
export function leadsTo(document: JsonObject, target: Json, pointer: string): boolean {
  const mapped = mappingPointer(document, target)
  return mapped !== undefined && atPointer(document, mapped) === atPointer(document, pointer)
}

/** Returns true if every object that the schema accepts has the property: by itself, its reference or compositions. */
export function requires(document: JsonObject, schema: Json, property: string): boolean {
  return requiresWithin(document, schema, property, new Set())
}

function requiresWithin(
  document: JsonObject,
  schema: Json,
  property: string,
  outer: ReadonlySet<Json>
): boolean {
  const node = dereference(document, schema)
  if (node === undefined || outer.has(node)) return false
  const within = new Set(outer).add(node)
  const inner = (part: Json) => requiresWithin(document, part, property, within)
  const unions = ['oneOf', 'anyOf'].map((key) => arrayOf(own(node, key))).filter((list) => list.length > 0)
  return (
    arrayOf(own(node, 'required')).includes(property) ||
    arrayOf(own(node, 'allOf')).some(inner) ||
    unions.some((list) => list.every(inner))
  )
}
