/**
 * Discriminator Objects (OpenAPI 3.1.0, section 4.8.25): the schemas that one maps to, and those that inherit from it.
 */
import { arrayOf, isObject, type Json, type JsonObject, objectOf, own } from './json-value.ts'
import { dereference } from './reference.ts'

/** Returns the pointer for a value of `mapping`, which is a reference or the name of a schema. */
export function mappingPointer(document: JsonObject, target: Json): string | undefined {
  const text = String(target)
  if (own(schemasOf(document), text) !== undefined) return `#/components/schemas/${text}`
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
  const candidates = Object.values(schemasOf(document))
  const found = new Set<Json>([schema])
  for (let before = 0; before < found.size; ) {
    before = found.size
    for (const candidate of candidates) if (inherits(document, candidate, found)) found.add(candidate)
  }
  return [...found].filter(isObject).slice(1)
}

function inherits(document: JsonObject, schema: Json, parents: ReadonlySet<Json>): boolean {
  const parts = arrayOf(own(objectOf(schema), 'allOf'))
  return parts.some((part) => parents.has(objectOf(dereference(document, part))))
}

const schemasOf = (document: JsonObject): JsonObject =>
  objectOf(own(objectOf(own(document, 'components')), 'schemas'))
