/** A reason why some message of the sender is not one that the receiver may get. */
import { type Json, stringify } from '../../compile/documents.ts'
import type { Kind } from '../rules/kinds.ts'

/** A node of the new document, or the keyword of it. */
export interface Spot {
  readonly node: unknown
  readonly key?: string
}

export interface Finding {
  readonly kind: Kind
  /** Where in the value: `/tags/*`. */
  readonly path: string
  /** What has changed: `maximum now 5 (was 10)`. */
  readonly text: string
  readonly spot: Spot
  /** Nothing proves that a value is refused; nothing proves the opposite. */
  readonly isUncertain?: true
  /** A difference that no receiver notices who ignores what is not declared. */
  readonly isMinor?: true
}

/** Returns the finding as seen from the value that holds the part. */
export function within(segment: string, found: readonly Finding[]): Finding[] {
  return found.map((finding) => ({ ...finding, path: `${segment}${finding.path}` }))
}

/** Returns the first finding of each kind at each spot, those that are certain first: what is shared is reported once. */
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

/** Returns how heavy findings are: what is certain counts most, what is minor least. */
export function weight(found: readonly Finding[]): number {
  return found.reduce((sum, { isMinor, isUncertain }) => sum + (isMinor ? 1 : isUncertain ? 1e3 : 1e6), 0)
}

/** Returns whether nothing but minor differences was found. */
export const isHarmless = (found: readonly Finding[]): boolean =>
  found.every(({ isMinor }) => isMinor === true)

/** Writes a value for a message, shortened. */
export function shown(value: Json): string {
  const text = typeof value === 'string' ? value : stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
