/**
 * Selects the branch of a union by its discriminator (OpenAPI 3.1.0, section 4.8.25). The errors of an invalid body are
 * then those of the selected branch.
 */
import { leadsTo, mappingPointer, requires } from '../document/discriminator-object.ts'
import { arrayOf, type Json, type JsonObject, objectOf, own, stringOf } from '../document/json-value.ts'
import { fragmentSegments } from '../document/pointer.ts'
import { partsOf, pointerOf } from '../document/reference.ts'

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
  const union = arrayOf(own(node, keyword))
  const branches = tagged(union, property, discriminator, document).filter(
    (_branch, index) => !isNull(union[index])
  )
  const named = own(discriminator, 'defaultMapping')
  const standard = branches.find(({ pointer }) => named !== undefined && leadsTo(document, named, pointer))
  if (named !== undefined && standard === undefined) return undefined
  return { property, keyword, branches, standard: standard?.pointer }
}

/** Returns true for a discriminator whose values do not select one branch each, so that it has no effect. */
export function isAmbiguous(node: JsonObject, document: JsonObject): boolean {
  const found = discriminatorOf(node, document)
  return found !== undefined && !distinct(found.branches)
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
  /** Values of the property that select the branch. */
  readonly values: Json[]
}

/** Values that a branch would take. */
interface Claim extends Branch {
  readonly mapped: readonly Json[]
  readonly name: string | undefined
}

/**
 * Finds the values that select each branch of a union: those that its schema allows, otherwise those mapped to it,
 * otherwise the name of its schema. A value that several schemas allow, such as one that they inherit, selects the branch
 * to which it is mapped, whose name it is, or whose schema allows nothing else.
 */
export function tagged(
  union: readonly Json[],
  property: string,
  discriminator: JsonObject,
  document: JsonObject
): Branch[] {
  const claims = union.map((branch) => claimOf(branch, property, discriminator, document))
  return claims.map((claim) => ({
    pointer: claim.pointer,
    values: claim.values.filter((value) => ownerOf(value, claims) === claim)
  }))
}

function claimOf(branch: Json, property: string, discriminator: JsonObject, document: JsonObject): Claim {
  const pointer = pointerOf(objectOf(branch)) ?? ''
  const mapped = Object.entries(objectOf(own(discriminator, 'mapping')))
    .filter(([, target]) => pointer !== '' && leadsTo(document, target, pointer))
    .map(([value]) => value)
  const name = pointer === '' ? undefined : fragmentSegments(pointer).at(-1)
  const implied = name === undefined || mapped.length > 0 ? mapped : [name]
  const values = listedIn(document, branch, (part) => tagLists(document, part, property)) ?? implied
  return { pointer, values, mapped, name }
}

/** @returns undefined for a value that selects no branch */
function ownerOf(value: Json, claims: readonly Claim[]): Claim | undefined {
  const claimants = claims.filter(({ values }) => values.includes(value))
  const [narrow, ...others] = claimants.filter(({ values }) => values.length === 1)
  if (claimants.length === 1) return claimants[0]
  return (
    claims.find(({ mapped }) => mapped.includes(value)) ??
    claims.find(({ name }) => name === value) ??
    (others.length === 0 ? narrow : undefined)
  )
}

/** Returns lists of the values that a part of a branch allows the property; one list with those of a discriminator. */
function tagLists(document: JsonObject, part: JsonObject, property: string): Json[][] {
  const tag = own(objectOf(own(part, 'properties')), property)
  const values = tag === undefined ? undefined : listedIn(document, tag, valueLists)
  const discriminator = objectOf(own(part, 'discriminator'))
  const union = own(discriminator, 'propertyName') === property ? unionOf(part) : undefined
  const inner = union === undefined ? [] : tagged(union, property, discriminator, document)
  const isSelected = inner.length > 0 && inner.every((branch) => branch.values.length > 0)
  return [...(values ? [values] : []), ...(isSelected ? [inner.flatMap((branch) => branch.values)] : [])]
}

const isNull = (branch: Json | undefined): boolean => own(objectOf(branch), 'type') === 'null'

const unionOf = (schema: JsonObject): Json[] | undefined =>
  ['oneOf', 'anyOf'].map((key) => own(schema, key)).find((union) => Array.isArray(union))

function valueLists(schema: JsonObject): Json[][] {
  const constant = own(schema, 'const')
  const values = own(schema, 'enum')
  return [...(constant === undefined ? [] : [[constant]]), ...(Array.isArray(values) ? [values] : [])]
}

/**
 * Returns the values that are in every list of the parts of a schema. A union has a list if all its branches have one.
 * @returns undefined without any list
 */
function listedIn(
  document: JsonObject,
  schema: Json,
  listsOf: (part: JsonObject) => Json[][]
): Json[] | undefined {
  const lists = partsOf(document, schema).flatMap((part) => {
    const unions = ['oneOf', 'anyOf'].flatMap((key) => {
      const branches = arrayOf(own(part, key)).filter((branch) => !isNull(branch))
      const found = branches.map((branch) => listedIn(document, branch, listsOf))
      const isListed = found.length > 0 && found.every((values) => values !== undefined)
      return isListed ? [found.flatMap((values) => values ?? [])] : []
    })
    return [...listsOf(part), ...unions]
  })
  const [first, ...others] = lists
  return first?.filter(
    (value, index) => first.indexOf(value) === index && others.every((values) => values.includes(value))
  )
}

/** Returns whether each branch is a reference and each value selects one branch. */
export function distinct(branches: readonly Branch[]): boolean {
  const values = branches.flatMap((branch) => branch.values)
  const named = branches.every(({ pointer, values }) => pointer !== '' && values.length > 0)
  return named && new Set(values).size === values.length && values.every((value) => typeof value === 'string')
}
