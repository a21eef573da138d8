/**
 * Selects the branch of a union by its discriminator (OpenAPI 3.1.0, section 4.8.25). The errors of an invalid body are
 * then those of the selected branch.
 */
import { leadsTo, mappingPointer, objectIn, requires } from '../document/discriminator-object.ts'
import { arrayOf, type Json, type JsonObject, objectOf, own, stringOf } from '../document/json-value.ts'
import { fragmentSegments } from '../document/pointer.ts'
import { dereference, pointerOf } from '../document/reference.ts'

interface Context {
  readonly document: JsonObject
  readonly define: (pointer: string) => string
  /** Returns true for a property that messages of this direction leave out. */
  readonly isHidden: (branch: Json, property: string) => boolean
}

/**
 * Selects by one condition for each branch. A value without an optional property is judged by the union itself, or by
 * the schema of `defaultMapping`, which also judges a value that selects no branch (OpenAPI 3.2.0, section 4.25).
 * @returns the schema with one condition for each branch of its union; unchanged if the branches are not distinct
 */
export function discriminated(node: JsonObject, result: JsonObject, context: Context): JsonObject {
  const { document, define } = context
  const found = discriminatorOf(node, document)
  if (found === undefined || !distinct(found.branches)) return result
  const { property, keyword, branches, standard } = found
  const { [keyword]: union = true, ...rest } = result
  const tag = { [property]: { enum: branches.flatMap(({ values }) => values) } }
  const chosen = {
    properties: tag,
    allOf: branches.map(({ values, pointer }) => ({
      if: { properties: { [property]: { enum: values } }, required: [property] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { $ref: define(pointer) }
    }))
  }
  if (standard === undefined && isRequired(node, found, context))
    return constrain(rest, { type: 'object', required: [property], ...chosen })
  const other = standard === undefined ? { [keyword]: union } : { $ref: define(standard) }
  const known = standard === undefined ? {} : { properties: tag }
  return constrain(rest, {
    if: { type: 'object', required: [property], ...known },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: chosen,
    else: other
  })
}

interface Discriminator {
  readonly property: string
  readonly keyword: string
  readonly branches: readonly Branch[]
  /** Pointer of the branch that `defaultMapping` names. */
  readonly standard: string | undefined
}

/** @returns undefined for a schema without one, and for one that names what is no schema */
function discriminatorOf(node: JsonObject, document: JsonObject): Discriminator | undefined {
  const discriminator = objectOf(own(node, 'discriminator'))
  const property = stringOf(own(discriminator, 'propertyName'))
  const keyword = ['oneOf', 'anyOf'].find((name) => Array.isArray(own(node, name)))
  if (property === undefined || keyword === undefined) return undefined
  const targets = Object.values(objectOf(own(discriminator, 'mapping')))
  if (targets.some((target) => mappingPointer(document, target) === undefined)) return undefined
  const branches = arrayOf(own(node, keyword)).map((branch) =>
    tagged(branch, property, discriminator, document)
  )
  const named = own(discriminator, 'defaultMapping')
  const standard = branches.find(({ pointer }) => named !== undefined && leadsTo(document, named, pointer))
  if (named !== undefined && standard === undefined) return undefined
  return { property, keyword, branches, standard: standard?.pointer }
}

/** Returns true if every value that the union accepts has the property. */
function isRequired(
  node: JsonObject,
  { property, branches }: Discriminator,
  { document, isHidden }: Context
): boolean {
  const parts = branches.map(({ pointer }) => ({ $ref: pointer }))
  return requires(document, node, property) && !parts.some((part) => isHidden(part, property))
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
    .filter(([, target]) => pointer !== '' && leadsTo(document, target, pointer))
    .map(([value]) => value)
  const allowed = allowedValues(document, { $ref: pointer }, property, new Set())
  const implied = pointer === '' ? [] : fragmentSegments(pointer).slice(-1)
  return { pointer, values: [allowed, mapped, implied].find((values) => values.length > 0) ?? [] }
}

function allowedValues(document: JsonObject, node: Json, property: string, seen: Set<Json>): Json[] {
  const schema = objectIn(dereference(document, node))
  if (seen.has(schema)) return []
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
