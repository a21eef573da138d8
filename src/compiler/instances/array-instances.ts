/** Lists of instances: prefixes, bounds, `contains` and unique items. */
import type { Schema } from '@contract-first/contract'
import fc from 'fast-check'
import { identity } from './fit.ts'
import { itemSchemas, limitsOf, prefixLength, valuesOf } from './members.ts'
import type { InstancesOf } from './schemas.ts'

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
export function uniqueItems<T>(
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
  for (let index = 0; index < firstCount(parts, counts, inner); index++) {
    const schemas = schemasAt(parts, index)
    const isPrefix = index < Math.min(prefixLength(parts), counts.most - containedIn(parts))
    const item = inner.of(isPrefix ? schemas : [...schemas, ...contained])
    if (item === undefined) return found
    found.push(item)
  }
  return found
}
