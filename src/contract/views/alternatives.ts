/** Finds what tells the branches of a union apart, so that readers select one instead of trying all. */
import type { Json } from '../model/json.ts'
import type { Schema } from '../model/schema.ts'
import { type Merged, type MergedType, merged } from './merged.ts'
import { isNull, partsOf, target } from './parts.ts'

/** A branch of a union and the values that select it. */
export interface Alternative {
  readonly schema: Schema
  /** Types of the values that select it. */
  readonly types?: ReadonlySet<MergedType>
  /** Values that select it, or values of a property. */
  readonly values?: readonly Json[]
}

export interface Alternatives {
  /** `tag` for the property of a discriminator, `property` for one that every branch requires, with values of its own. */
  readonly by: 'type' | 'value' | 'property' | 'tag'
  readonly property?: string
  readonly branches: readonly Alternative[]
}

/**
 * Returns how values tell the branches of `oneOf` or `anyOf` apart; undefined for a schema that is no union, and for a
 * union whose branches have to be tried. A branch of null alone is told apart by its type, whatever the others are.
 */
export function alternatives(schema: Schema): Alternatives | undefined {
  const { oneOf, anyOf, discriminator } = target(schema)
  const branches = oneOf ?? anyOf ?? []
  if (branches.length < 2 || (oneOf !== undefined && anyOf !== undefined)) return undefined
  if (discriminator?.tags !== undefined) return byTag(branches, discriminator.property, discriminator.tags)
  const others = branches.filter((branch) => !isNull(target(branch)))
  const property = commonProperty(others)
  const found = byType(branches) ?? byValue(branches)
  return found ?? (property === undefined ? undefined : byProperty(branches, property))
}

function byTag(
  branches: readonly Schema[],
  property: string,
  tags: ReadonlyMap<string, Schema>
): Alternatives {
  const valuesOf = (branch: Schema) => [...tags].flatMap(([tag, to]) => (to === branch ? [tag] : []))
  return { by: 'tag', property, branches: selected(branches, valuesOf) }
}

function byType(branches: readonly Schema[]): Alternatives | undefined {
  const found = branches.map((schema) => ({ schema, types: merged([schema]).types }))
  const all = found.flatMap(({ types }) => [...new Set([...(types ?? [])].map(jsonType))])
  const isDistinct = found.every(({ types }) => types !== undefined) && new Set(all).size === all.length
  return isDistinct
    ? { by: 'type', branches: found.map(({ schema, types = new Set() }) => ({ schema, types })) }
    : undefined
}

/** Numbers are not told apart by type: 1.0 is an integer. */
const jsonType = (type: MergedType): string => (type === 'integer' || type === 'int64' ? 'number' : type)

function byValue(branches: readonly Schema[]): Alternatives | undefined {
  const found = selected(branches, (branch) => (isNull(target(branch)) ? [null] : valuesOf(branch)))
  return areDistinct(found) ? { by: 'value', branches: found } : undefined
}

function byProperty(branches: readonly Schema[], property: string): Alternatives {
  return { by: 'property', property, branches: selected(branches, (branch) => tagsOf(branch, property)) }
}

/** Returns the first property that every branch requires with values of its own. */
function commonProperty(branches: readonly Schema[]): string | undefined {
  const objects = branches.map((branch) => merged([branch]))
  if (branches.length < 2 || !objects.every(isObject)) return undefined
  const [first] = objects
  return [...(first?.required ?? [])].find(
    (name) =>
      objects.every(({ required }) => required.has(name)) &&
      areDistinct(selected(branches, (branch) => tagsOf(branch, name)))
  )
}

const isObject = ({ types }: Merged): boolean => types?.size === 1 && types.has('object')

/** Returns the values that a branch allows a property. */
function tagsOf(branch: Schema, property: string): readonly Json[] {
  const declared = partsOf(branch).flatMap((part) => part.properties?.get(property) ?? [])
  return declared.map(valuesOf).find((values) => values.length > 0) ?? []
}

/** Returns the values that `const` or `enum` lists, here or in a part that always applies. */
function valuesOf(schema: Schema): readonly Json[] {
  const lists = partsOf(schema).map((part) => (part.const === undefined ? (part.enum ?? []) : [part.const]))
  return lists.find((list) => list.length > 0) ?? []
}

function selected(branches: readonly Schema[], valuesIn: (branch: Schema) => readonly Json[]): Alternative[] {
  return branches.map((schema) =>
    isNull(target(schema)) ? { schema, types: new Set(['null']) } : { schema, values: valuesIn(schema) }
  )
}

/** Returns true for branches with values that no other one has; objects and lists are not compared. */
function areDistinct(branches: readonly Alternative[]): boolean {
  const lists = branches.map(({ types, values = [] }) => (types?.has('null') ? [null] : values))
  const all = lists.flat()
  const isPlain = all.every((value) => typeof value !== 'object' || value === null)
  return isPlain && lists.every((list) => list.length > 0) && new Set(all).size === all.length
}
