/**
 * Selects the branch of a union by its discriminator (OpenAPI 3.1.0, section 4.8.25). The errors of an invalid body are
 * then those of the selected branch.
 */
import { mappingPointer } from '../document/discriminator-object.ts'
import { arrayOf, type Json, type JsonObject, objectOf, own, stringOf } from '../document/json-value.ts'
import { dereference, pointerOf } from '../document/reference.ts'

/** @returns the schema with one condition for each branch of its union; unchanged if the branches are not distinct */
export function discriminated(
  node: JsonObject,
  result: JsonObject,
  document: JsonObject,
  define: (pointer: string) => string
): JsonObject {
  const discriminator = objectOf(own(node, 'discriminator'))
  const property = stringOf(own(discriminator, 'propertyName'))
  const keyword = ['oneOf', 'anyOf'].find((name) => Array.isArray(own(node, name)))
  if (property === undefined || keyword === undefined || own(discriminator, 'defaultMapping') !== undefined)
    return result
  const targets = Object.values(objectOf(own(discriminator, 'mapping')))
  if (targets.some((target) => mappingPointer(document, target) === undefined)) return result
  const branches = arrayOf(own(node, keyword)).map((branch) =>
    tagged(branch, property, discriminator, document)
  )
  if (!distinct(branches)) return result
  const { [keyword]: _union, ...rest } = result
  return constrain(rest, {
    type: 'object',
    required: [property],
    properties: { [property]: { enum: branches.flatMap(({ values }) => values) } },
    allOf: branches.map(({ values, pointer }) => ({
      if: { properties: { [property]: { enum: values } }, required: [property] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { $ref: define(pointer) }
    }))
  })
}

/** @returns a schema that requires both */
export function constrain(schema: JsonObject, further: JsonObject): JsonObject {
  return { ...schema, allOf: [...arrayOf(own(schema, 'allOf')), further] }
}

export interface Branch {
  readonly pointer: string
  readonly values: Json[]
}

/**
 * Finds the values that select a branch: those that its schema allows, those mapped to it, or the name of its schema.
 */
export function tagged(
  branch: Json,
  property: string,
  discriminator: JsonObject,
  document: JsonObject
): Branch {
  const pointer = pointerOf(objectOf(branch)) ?? ''
  const mapped = Object.entries(objectOf(own(discriminator, 'mapping')))
    .filter(([, target]) => mappingPointer(document, target) === pointer)
    .map(([value]) => value)
  const allowed = allowedValues(document, { $ref: pointer }, property, new Set())
  const implied = pointer === '' ? [] : [pointer.slice(pointer.lastIndexOf('/') + 1)]
  return { pointer, values: [allowed, mapped, implied].find((values) => values.length > 0) ?? [] }
}

function allowedValues(document: JsonObject, node: Json, property: string, seen: Set<Json>): Json[] {
  const schema = dereference(document, node)
  if (schema === undefined || seen.has(schema)) return []
  seen.add(schema)
  const tag = dereference(document, own(objectOf(own(schema, 'properties')), property)) ?? {}
  if (own(tag, 'const') !== undefined) return [own(tag, 'const') as Json]
  if (Array.isArray(own(tag, 'enum'))) return arrayOf(own(tag, 'enum'))
  const parts = arrayOf(own(schema, 'allOf')).map((part) => allowedValues(document, part, property, seen))
  return parts.find((values) => values.length > 0) ?? []
}

/** Returns whether each branch is a reference and each value selects one branch. */
export function distinct(branches: readonly Branch[]): boolean {
  const values = branches.flatMap((branch) => branch.values)
  const named = branches.every(({ pointer, values }) => pointer !== '' && values.length > 0)
  return named && new Set(values).size === values.length && values.every((value) => typeof value === 'string')
}
