/** The two sides of a comparison: what the sender may send, and what the receiver may get; and the findings. */
import { isObject, type Json, type JsonObject, own, stringify } from '../../compile/documents.ts'
import { type Limits, valuesOf } from '../../evaluate/members.ts'
import type { Case } from '../cases/cases.ts'
import { originOf, type Role, type Side } from '../cases/side.ts'
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

/** Most places of one changed part: 28 levels that name the next one twice have 2^28. */
const maxPlaces = 100

/**
 * Returns the findings of each place, certain ones first. A part that is shared by more places than are listed has one
 * more line, for all others.
 */
export function distinct(found: readonly Finding[]): Finding[] {
  const parts = new Map<unknown, Map<string, Set<string>>>()
  const sorted = found.toSorted((a, b) => Number(a.isUncertain ?? false) - Number(b.isUncertain ?? false))
  return sorted.flatMap((finding) => {
    const { kind, text, spot } = finding
    const part = parts.get(spot.node) ?? new Map<string, Set<string>>()
    parts.set(spot.node, part)
    const name = `${kind} ${spot.key} ${text.replace(elsewhere, '')}`
    const places = part.get(name) ?? new Set()
    part.set(name, places)
    if (places.has(finding.path) || places.size > maxPlaces) return []
    places.add(finding.path)
    return places.size <= maxPlaces || text.endsWith(elsewhere)
      ? [finding]
      : [{ ...finding, text: `${text}${elsewhere}` }]
  })
}

const elsewhere = ', and in more places'

/** Returns the weight of findings: certain ones count most, minor ones least. */
export function weight(found: readonly Finding[]): number {
  return found.reduce((sum, { isMinor, isUncertain }) => sum + (isMinor ? 1 : isUncertain ? 1e3 : 1e6), 0)
}

/** Returns whether only minor differences were found. */
export const isHarmless = (found: readonly Finding[]): boolean =>
  found.every(({ isMinor }) => isMinor === true)

/** Returns whether the sender's values are all valid, those with undeclared members included. */
export const isIncluded = ({ received }: Pick<Comparison, 'received'>, found: readonly Finding[]): boolean =>
  found.every(
    ({ isMinor, kind }) =>
      isMinor === true && kind !== (received.isNew ? 'property-added' : 'property-removed')
  )

/** Writes a value for a message, shortened. */
export function shown(value: Json): string {
  const text = typeof value === 'string' ? value : stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** Schemas that apply together. */
export type Schemas = readonly Json[]

/** Compares the schemas of one place: see inclusion.ts. */
type Compare = (sent: Schemas, received: Schemas, place: Place) => readonly Finding[]

/** The innermost part of the new document that still exists. */
export interface Place {
  readonly spot: Spot
  /** True for a condition, whose schemas describe the same place as those around it. */
  readonly isCondition?: true
}

export interface Comparison {
  readonly role: Role
  readonly sent: Side
  readonly received: Side
  readonly compare: Compare
  /** Compares in the opposite direction: the receiver's schemas with the sender's. */
  readonly reverse: Compare
}

/** Schemas that apply together, read. */
interface Part {
  readonly nodes: readonly JsonObject[]
}

/** Two cases, or the schemas of several. */
export interface Pair<P extends Part = Part> {
  readonly comparison: Comparison
  readonly sent: P
  readonly received: P
  readonly spot: Spot
}
export type CasePair = Pair<Case>

interface Difference {
  /** Keyword that differs; the kind by default. */
  readonly keyword?: string
  /** Name of the keyword in the message, if it differs. */
  readonly label?: string
  readonly sent: string
  readonly received: string
}

/** Makes a finding: `maximum now 5 (was 10)`. */
export function differs(pair: Pair, kind: Kind, difference: Difference): Finding {
  const { keyword = kind, label = keyword, sent, received } = difference
  const [is, was] = pair.comparison.sent.isNew ? [sent, received] : [received, sent]
  return { kind, path: '', text: `${label} now ${is} (was ${was})`, spot: spotOf(pair, keyword) }
}

/** Returns the spot of the keyword on the new side; that of the schema if the keyword is gone. */
export function spotOf({ comparison, sent, received, spot }: Pair, keyword: string): Spot {
  const { nodes } = comparison.sent.isNew ? sent : received
  const node = nodes.find((candidate) => own(candidate, keyword) !== undefined) ?? nodes[0]
  return node === undefined ? spot : { node: originOf(node), key: keyword }
}

/** Returns the values that the sender may send and the receiver may not get, as text: `- blue`, or `+ blue`. */
export function surplus({ sent }: Comparison, values: readonly Json[]): string {
  return values.map((value) => `${sent.isNew ? '+' : '-'} ${shown(value)}`).join(', ')
}

/** Returns the spot of the first schema that is an object. */
export function spotAt(schemas: Schemas, side: Side, otherwise: Spot): Spot {
  const node = schemas.map((schema) => side.resolve(schema)).find(isObject)
  return node === undefined ? otherwise : { node: originOf(node) }
}

/** Writes the values of a keyword for a message: `none`, `^a and b$`. */
export function shownValues(nodes: readonly JsonObject[], keyword: string): string {
  return [...new Set(valuesOf(nodes, keyword).map(shown))].sort().join(' and ') || 'none'
}

/** Compares bounds of lengths, or of counts of items or properties. */
export function limitFindings(
  pair: Pair,
  [minimum, maximum]: readonly [Kind, Kind],
  { sent, received }: { readonly sent: Limits; readonly received: Limits }
): Finding[] {
  const finding = (kind: Kind, key: keyof Limits) =>
    differs(pair, kind, { sent: shownLimit(sent[key]), received: shownLimit(received[key]) })
  return [
    ...(sent.least < received.least ? [finding(minimum, 'least')] : []),
    ...(sent.most > received.most ? [finding(maximum, 'most')] : [])
  ]
}

const shownLimit = (limit: number): string => (Number.isFinite(limit) ? String(limit) : 'none')
