/**
 * The values of the property of a discriminator that select each branch of a union (OpenAPI 3.1.0, section 4.8.25), for
 * the tools that read documents.
 */
import { leadsTo } from './discriminator-object.ts'
import { arrayOf, type Json, type JsonObject, objectOf, own } from './json-value.ts'
import { fragmentSegments } from './pointer.ts'
import { partsOf, pointerOf } from './reference.ts'

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
