/** The two sides of a comparison: what the sender may send, and what the receiver may get. */
import { isObject, type Json, type JsonObject, own } from '../../compile/documents.ts'
import { type Limits, valuesOf } from '../../evaluate/members.ts'
import type { Case } from '../cases/cases.ts'
import { originOf, type Role, type Side } from '../cases/side.ts'
import { type Finding, type Spot, shown } from './finding.ts'
import type { Kind } from './kinds.ts'

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
