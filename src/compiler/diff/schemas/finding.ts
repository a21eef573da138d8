/** A reason why some message of the sender is not accepted by the receiver. */
import { type Json, stringify } from '../../compile/documents.ts'
import type { Kind } from './kinds.ts'

/** A node of the new document, or a keyword of it. */
export interface Spot {
  readonly node: unknown
  readonly key?: string
}

export interface Finding {
  readonly kind: Kind
  /** Path in the value: `/tags/*`. */
  readonly path: string
  /** Description of the change: `maximum now 5 (was 10)`. */
  readonly text: string
  readonly spot: Spot
  /** True when neither acceptance nor refusal of a value is proven. */
  readonly isUncertain?: true
  /** True for a difference that receivers which ignore undeclared members do not notice. */
  readonly isMinor?: true
}

/** Reports schemas whose comparison takes more steps than it may. */
export const unfinished = (spot: Spot): Finding => ({
  kind: 'comparison',
  path: '',
  text: 'takes too many steps to compare',
  spot,
  isUncertain: true
})

/** Returns the finding as seen from the value that holds the part. */
export function within(segment: string, found: readonly Finding[]): Finding[] {
  return found.map((finding) => ({ ...finding, path: `${segment}${finding.path}` }))
}

/** Returns the first finding of each kind at each spot, certain ones first, so that a shared part is reported once. */
export function distinct(found: readonly Finding[]): Finding[] {
  const spots = new Map<unknown, Set<string>>()
  const sorted = found.toSorted((a, b) => Number(a.isUncertain ?? false) - Number(b.isUncertain ?? false))
  return sorted.filter(({ kind, text, spot }) => {
    const known = spots.get(spot.node) ?? new Set()
    spots.set(spot.node, known)
    const name = `${kind} ${text} ${spot.key}`
    if (known.has(name)) return false
    known.add(name)
    return true
  })
}

/** Returns the weight of findings: certain ones count most, minor ones least. */
export function weight(found: readonly Finding[]): number {
  return found.reduce((sum, { isMinor, isUncertain }) => sum + (isMinor ? 1 : isUncertain ? 1e3 : 1e6), 0)
}

/** Returns whether only minor differences were found. */
export const isHarmless = (found: readonly Finding[]): boolean =>
  found.every(({ isMinor }) => isMinor === true)

/** Writes a value for a message, shortened. */
export function shown(value: Json): string {
  const text = typeof value === 'string' ? value : stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
