/**
 * Makes objects: declared, patterned and further properties, within their counts; and lists: prefixes, bounds, `contains`
 * and unique items.
 */
import { anyValue, make, type Pattern, type Schema } from '@contract-first/contract'
import fc from 'fast-check'
import { identity } from './fit.ts'
import { itemSchemas, limitsOf, prefixLength, propertySchemas, requiredOf, valuesOf } from './members.ts'
import type { InstancesOf } from './schemas.ts'

interface Member {
  readonly name: string
  readonly isRequired: boolean
  readonly value: fc.Arbitrary<unknown>
}

export function objectInstances(
  parts: readonly Schema[],
  inner: InstancesOf
): fc.Arbitrary<object> | undefined {
  const { required, optional } = declaredNames(parts, inner)
  const { least, most } = limitsOf(parts, 'Properties')
  inner.budget.require(Math.max(required.length, least))
  const needed = members(parts, required, inner, true)
  if (needed.length < required.length || needed.length > most) return undefined
  const further = inner.isLean && least <= needed.length ? [] : members(parts, optional, inner, false)
  const declared = [...needed, ...further]
  const isMap = required.length + optional.length === 0 && !inner.isLean
  const missing = Math.max(least - declared.length, isMap || isOpen(parts, inner) ? 2 : 0)
  const undeclared = undeclaredMembers(parts, inner, Math.min(missing, most - needed.length))
  return undeclared.chain((others) => assembled([...declared, ...others], least, most, parts, inner))
}

/** Returns whether undeclared properties are added: occasionally, and never to plain instances. */
const isOpen = (parts: readonly Schema[], { style, isLean }: InstancesOf): boolean =>
  !style.isPlain && !isLean && valuesOf(parts, 'additional').some((schema) => schema.never !== true)

function declaredNames(parts: readonly Schema[], { schemas }: InstancesOf) {
  const declared = valuesOf(parts, 'properties').flatMap((properties) => [...properties])
  const hidden = new Set(declared.flatMap(([name, schema]) => (schemas.isHidden([schema]) ? [name] : [])))
  const required = withDependents(parts, requiredOf(parts)).difference(hidden)
  const names = withDependents(
    parts,
    declared.map(([name]) => name)
  )
  return { required: [...required], optional: [...names.difference(hidden).difference(required)] }
}

/** Returns the names and those that `dependentRequired` requires beside them. */
function withDependents(parts: readonly Schema[], names: Iterable<string>): Set<string> {
  const all = new Set(names)
  const rules = valuesOf(parts, 'dependentRequired')
  for (const name of all) for (const rule of rules) for (const other of rule.get(name) ?? []) all.add(other)
  return all
}

function members(
  parts: readonly Schema[],
  names: readonly string[],
  inner: InstancesOf,
  isRequired: boolean
): Member[] {
  return names.flatMap((name) => {
    const schemas = schemasOf(parts, name)
    const value = nameFits(parts, name, inner) ? inner.of(schemas, name) : undefined
    return value === undefined ? [] : [{ name, isRequired, value }]
  })
}

/** Returns the schemas of a property; `unevaluatedProperties` applies to properties that no part declares. */
function schemasOf(parts: readonly Schema[], name: string): Schema[] {
  const found = propertySchemas(parts, name)
  return found.length === 0 ? valuesOf(parts, 'unevaluatedProperties') : found
}

const nameFits = (parts: readonly Schema[], name: string, { schemas }: InstancesOf): boolean =>
  schemas.holds(valuesOf(parts, 'names'), name)

/** Makes members whose names match `patternProperties` or `propertyNames`, or are free. */
function undeclaredMembers(
  parts: readonly Schema[],
  inner: InstancesOf,
  count: number
): fc.Arbitrary<readonly Member[]> {
  const taken = new Set(valuesOf(parts, 'properties').flatMap((each) => [...each.keys()]))
  const named = (pattern: Pattern | undefined): fc.Arbitrary<Member[]> => {
    const name = make({ types: new Set(['string'] as const), ...(pattern && { pattern }) }, anyValue)
    const names = inner.of([...valuesOf(parts, 'names'), name], 'slug') as fc.Arbitrary<string> | undefined
    if (names === undefined) return fc.constant([])
    const found = uniqueItems(names, { minLength: count, maxLength: count })
    return found.map((list) =>
      members(
        parts,
        list.filter((name) => !taken.has(name)),
        inner,
        true
      )
    )
  }
  const patterns = valuesOf(parts, 'patterns').flat()
  if (count <= 0) return fc.constant([])
  if (patterns.length === 0) return named(undefined)
  const isEnough = (found: fc.Arbitrary<Member[]>) =>
    (fc.sample(found, { seed: 1, numRuns: 1 })[0] ?? []).length >= count
  const found = [...patterns.map(({ pattern }) => named(pattern)), named(undefined)]
  return found.find(isEnough) ?? (found[0] as fc.Arbitrary<Member[]>)
}

function assembled(
  all: readonly Member[],
  least: number,
  most: number,
  parts: readonly Schema[],
  inner: InstancesOf
): fc.Arbitrary<object> {
  const optional = all.filter(({ isRequired }) => !isRequired)
  const room = Math.min(optional.length, most - (all.length - optional.length))
  const wanted = inner.style.isPlain ? room : Math.max(0, least - (all.length - optional.length))
  const chosen = fc.subarray(
    optional.map(({ name }) => name),
    { minLength: Math.min(wanted, room), maxLength: room }
  )
  const values = fc.tuple(...all.map(({ value }) => value))
  return fc.tuple(chosen, values).map(([names, list]) => {
    const present = withDependents(parts, names)
    return Object.fromEntries(
      all.flatMap(({ name, isRequired }, index) =>
        isRequired || present.has(name) ? [[name, list[index]]] : []
      )
    )
  })
}

interface Counts {
  readonly needed: number
  /** Bounds of the generated lists. */
  readonly least: number
  readonly most: number
}

export function arrayInstances(
  parts: readonly Schema[],
  inner: InstancesOf
): fc.Arbitrary<unknown[]> | undefined {
  const counts = countsOf(parts, inner)
  if (counts.needed > counts.most) return undefined
  inner.budget.require(counts.needed)
  const first = leading(parts, counts, inner)
  if (first.length >= counts.most) return fc.tuple(...first)
  const items =
    first.length < firstCount(parts, counts, inner) ? undefined : inner.of(schemasAt(parts, Infinity))
  if (items === undefined) return first.length < counts.needed ? undefined : fc.tuple(...first)
  const rest = { minLength: Math.max(0, counts.least - first.length), maxLength: counts.most - first.length }
  const isUnique = valuesOf(parts, 'uniqueItems').length > 0
  const others = isUnique ? uniqueItems(items, rest) : fc.array(items, rest)
  return fc.tuple(fc.tuple(...first), others).map(([before, after]) => [...before, ...after])
}

/**
 * Draws more items than needed, because fc.uniqueArray does not end when there are too few different ones. All of n
 * different ones are seen after about n ln n draws.
 */
function uniqueItems<T>(
  items: fc.Arbitrary<T>,
  { minLength, maxLength }: { readonly minLength: number; readonly maxLength: number }
): fc.Arbitrary<T[]> {
  const count = maxLength * (4 + Math.ceil(Math.log(maxLength + 1)))
  const drawn = fc.array(items, { minLength: count, maxLength: count })
  return fc.tuple(drawn, fc.integer({ min: minLength, max: maxLength })).map(([all, count]) => {
    const different = new Map(all.map((item) => [identity(item), item] as const))
    return [...different.values()].slice(0, count)
  })
}

function countsOf(parts: readonly Schema[], { style, isLean }: InstancesOf): Counts {
  const { least: minimum, most: limit } = limitsOf(parts, 'Items')
  const needed = Math.max(minimum, containedIn(parts))
  if (isLean) return { needed, least: needed, most: Math.min(needed, limit) }
  const wanted = style.isPlain ? Math.max(needed, 1, prefixLength(parts)) : needed
  const most = Math.min(wanted + (style.isPlain ? 1 : 5), limit)
  return { needed, least: Math.min(wanted, most), most }
}

const containedIn = (parts: readonly Schema[]): number =>
  Math.max(0, ...parts.map(({ contains }) => contains?.min ?? 0))

/** Returns the schemas of the item at an index; `unevaluatedItems` applies to items that no part declares. */
function schemasAt(parts: readonly Schema[], index: number): Schema[] {
  const found = itemSchemas(parts, index)
  return found.length === 0 ? valuesOf(parts, 'unevaluatedItems') : found
}

/** Counts the items of prefixes, and those that `contains` requires after them. */
function firstCount(parts: readonly Schema[], { least, most }: Counts, { isLean }: InstancesOf): number {
  const prefix = isLean ? Math.min(prefixLength(parts), least) : prefixLength(parts)
  return Math.min(prefix + containedIn(parts), most)
}

/** @returns instances of the first items, up to one that is impossible */
function leading(parts: readonly Schema[], counts: Counts, inner: InstancesOf): fc.Arbitrary<unknown>[] {
  const contained = valuesOf(parts, 'contains').map(({ schema }) => schema)
  const found: fc.Arbitrary<unknown>[] = []
  // Contained items stand behind the prefix, or in it where no other item can be contained.
  const isBehind =
    contained.length === 0 || inner.of([...itemSchemas(parts, Infinity), ...contained]) !== undefined
  const end = Math.min(prefixLength(parts), counts.most - containedIn(parts))
  for (let index = 0; index < firstCount(parts, counts, inner); index++) {
    const schemas = schemasAt(parts, index)
    const isPrefix = isBehind ? index < end : index >= containedIn(parts)
    // An item that is contained is evaluated by that (JSON Schema Core 2020-12, section 11.2).
    const item = inner.of(isPrefix ? schemas : [...itemSchemas(parts, index), ...contained])
    if (item === undefined) return found
    found.push(item)
  }
  return found
}
