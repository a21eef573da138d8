/**
 * Discriminator Objects (OpenAPI 3.1.0, section 4.8.25): the schemas that one maps to, and those that inherit from it.
 */
import { arrayOf, isObject, type Json, type JsonObject, objectOf, own } from './json-value.ts'
import { fragmentOf } from './pointer.ts'
import { atPointer, componentsOf, dereference } from './reference.ts'
import { besideNull } from './schema-object.ts'

/** Returns the pointer for a value of `mapping`, which is a reference or the name of a schema. */
export function mappingPointer(document: JsonObject, target: Json): string | undefined {
  const text = String(target)
  if (own(componentsOf(document, 'schemas'), text) !== undefined)
    return fragmentOf(['components', 'schemas', text])
  const leads = text.startsWith('#/') && dereference(document, { $ref: text }) !== undefined
  return leads ? text : undefined
}

/**
 * Returns the schemas that include this one, directly or not, in their `allOf`, if it has a discriminator. Values are
 * not validated against them (OpenAPI 3.1.1, section 4.8.25.2), but their properties count as declared.
 */
export function inheritors(document: JsonObject, schema: JsonObject): JsonObject[] {
  const isParent = own(schema, 'discriminator') !== undefined
  if (!isParent || own(schema, 'oneOf') !== undefined || own(schema, 'anyOf') !== undefined) return []
  const candidates = Object.values(componentsOf(document, 'schemas'))
  const found = new Set<Json>([schema])
  for (let before = 0; before < found.size; ) {
    before = found.size
    for (const candidate of candidates)
      if (inherits(document, candidate, found)) found.add(objectIn(candidate))
  }
  return [...found].filter(isObject).slice(1)
}

function inherits(document: JsonObject, schema: Json, parents: ReadonlySet<Json>): boolean {
  const parts = arrayOf(own(objectIn(schema), 'allOf'))
  return parts.some((part) => parents.has(objectIn(dereference(document, part))))
}

/** Returns the schema of the objects that a schema accepts beside null. */
export const objectIn = (schema: Json | undefined): JsonObject =>
  objectOf(besideNull(objectOf(schema)) ?? schema)

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
