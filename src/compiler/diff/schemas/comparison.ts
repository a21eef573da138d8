/** The two sides of a comparison: what the sender may send, and what the receiver may get. */
import { isObject, type Json, type JsonObject, own } from '../../compile/documents.ts'
import type { Limits } from '../cases/members.ts'
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

interface Difference {
  readonly kind: Kind
  readonly keyword: string
  /** Name of the keyword in the message, if it differs. */
  readonly label?: string
  readonly sent: string
  readonly received: string
}

/** Two cases, or the nodes of two cases. */
export interface Pair {
  readonly sent: readonly JsonObject[]
  readonly received: readonly JsonObject[]
  readonly spot: Spot
}

/** Makes a finding: `maximum now 5 (was 10)`. */
export function differs(comparison: Comparison, pair: Pair, difference: Difference): Finding {
  const { kind, keyword, label = keyword, sent, received } = difference
  const [is, was] = comparison.sent.isNew ? [sent, received] : [received, sent]
  const text = `${label} now ${is} (was ${was})`
  return { kind, path: '', text, spot: spotOf(comparison, pair, keyword) }
}

/** Returns the spot of the keyword on the new side; that of the schema if the keyword is gone. */
export function spotOf({ sent }: Comparison, pair: Pair, keyword: string): Spot {
  const nodes = sent.isNew ? pair.sent : pair.received
  const node = nodes.find((candidate) => own(candidate, keyword) !== undefined) ?? nodes[0]
  return node === undefined ? pair.spot : { node: originOf(node), key: keyword }
}

/** Returns the values that the sender may send and the receiver may not get, as text: `- blue`, or `+ blue`. */
export function surplus({ sent }: Comparison, values: readonly Json[]): string {
  return values.map((value) => `${sent.isNew ? '+' : '-'} ${shown(value)}`).join(', ')
}

/** Returns the values of a keyword in every node that has it. */
export function valuesOf(nodes: readonly JsonObject[], keyword: string): Json[] {
  return nodes.flatMap((node) => {
    const value = own(node, keyword)
    return value === undefined ? [] : [value]
  })
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

/** Bounds of lengths, or of counts of items or properties. */
interface LimitPair {
  readonly sent: Limits
  readonly received: Limits
  readonly minimum: readonly [kind: Kind, keyword: string]
  readonly maximum: readonly [kind: Kind, keyword: string]
}

export function limitFindings(comparison: Comparison, pair: Pair, limits: LimitPair): Finding[] {
  const { sent, received, minimum, maximum } = limits
  const finding = ([kind, keyword]: readonly [Kind, string], key: keyof Limits) =>
    differs(comparison, pair, {
      kind,
      keyword,
      sent: shownLimit(sent[key]),
      received: shownLimit(received[key])
    })
  return [
    ...(sent.least < received.least ? [finding(minimum, 'least')] : []),
    ...(sent.most > received.most ? [finding(maximum, 'most')] : [])
  ]
}

const shownLimit = (limit: number): string => (Number.isFinite(limit) ? String(limit) : 'none')
