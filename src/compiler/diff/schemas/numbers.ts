/** Compares numbers: bounds, steps, and the formats that bound them. */

import { isMultipleOf } from '@contract-first/engine/runtime/validators'
import type { Json } from '../../compile/documents.ts'
import { integerRanges } from '../../evaluate/evaluate.ts'
import { valuesOf } from '../../evaluate/members.ts'
import type { Case } from '../cases/cases.ts'
import { type CasePair, differs, type Finding, type Pair } from './comparison.ts'

type Numeric = number | bigint

interface Bound {
  readonly limit: Numeric
  readonly isExclusive: boolean
}

interface Interval {
  readonly low: Bound | undefined
  readonly high: Bound | undefined
}

/** Returns why numbers of the one case are not numbers of the other. */
export function numberFindings(pair: CasePair): Finding[] {
  const { sent, received } = pair
  const [allowed, expected] = [intervalOf(sent), intervalOf(received)]
  const other = writtenInterval(received)
  const low = !isAbove(allowed.low, other.low)
  const high = !isAbove(negated(allowed.high), negated(other.high))
  const isBelow = !low && !isAbove(allowed.low, expected.low)
  const isBeyond = !high && !isAbove(negated(allowed.high), negated(expected.high))
  return [
    ...(sent.isInteger || !received.isInteger
      ? []
      : [differs(pair, 'type', { sent: 'number', received: 'integer' })]),
    ...(low ? [boundFinding(pair, 'minimum', ({ low: bound }) => bound)] : []),
    ...(high ? [boundFinding(pair, 'maximum', ({ high: bound }) => bound)] : []),
    ...formatFindings(pair, isBelow || isBeyond),
    ...stepFindings(pair)
  ]
}

function boundFinding(
  pair: CasePair,
  kind: 'minimum' | 'maximum',
  boundIn: (interval: Interval) => Bound | undefined
): Finding {
  const nodes = [...pair.sent.nodes, ...pair.received.nodes]
  const exclusive = kind === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum'
  const keyword = nodes.some((node) => Object.hasOwn(node, kind)) ? kind : exclusive
  const text = (each: Case) => boundText(boundIn(writtenInterval(each)))
  return differs(pair, kind, { keyword, label: kind, sent: text(pair.sent), received: text(pair.received) })
}

const boundText = (bound: Bound | undefined): string =>
  bound === undefined ? 'none' : `${bound.limit}${bound.isExclusive ? ' (exclusive)' : ''}`

/**
 * Compares formats that bound numbers, or that are unknown.
 * @param isBeyond true when some numbers are outside the bounds of the receiver's format
 */
function formatFindings(pair: CasePair, isBeyond: boolean): Finding[] {
  const [own, other] = [formatsOf(pair.sent), formatsOf(pair.received)]
  const unknown = other.find((format) => !integerRanges.has(format) && !own.includes(format))
  const { low, high } = writtenInterval(pair.sent)
  const isExact = isAbove(low, safe) && isAbove(negated(high), safe)
  if (!isBeyond && unknown === undefined) return isExact ? [] : inexactFindings(pair)
  const finding = formatFinding(pair)
  return [isBeyond ? finding : { ...finding, isUncertain: true }]
}

const safe: Bound = { limit: Number.MIN_SAFE_INTEGER, isExclusive: false }

/** Reports listed integers that the receiver reads as doubles. */
export const listedFindings = (pair: Pair, values: readonly Json[]): Finding[] =>
  values.every((value) => !isNumeric(value) || Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER)
    ? []
    : inexactFindings(pair)

/** Reports integers beyond 2^53, which are doubles without the format int64: validators refuse them. */
function inexactFindings(pair: Pair): Finding[] {
  const isLost = formatsOf(pair.sent).includes('int64') && !formatsOf(pair.received).includes('int64')
  return isLost ? [{ ...formatFinding(pair), isUncertain: true }] : []
}

function formatFinding(pair: Pair): Finding {
  const text = (part: Pair['sent']) => formatsOf(part).join(' and ') || 'none'
  return differs(pair, 'format', { sent: text(pair.sent), received: text(pair.received) })
}

function formatsOf({ nodes }: Pair['sent']): string[] {
  // Every number is a double.
  return valuesOf(nodes, 'format').flatMap((format) => (format === 'double' ? [] : [String(format)]))
}

function intervalOf(each: Case): Interval {
  const written = writtenInterval(each)
  const formats = formatsOf(each)
    .map((format) => integerRanges.get(format))
    .filter((range) => range !== undefined)
  return {
    low: highest([written.low, ...formats.map(([limit]) => ({ limit, isExclusive: false }))]),
    high: negated(
      highest([negated(written.high), ...formats.map(([, limit]) => ({ limit: -limit, isExclusive: false }))])
    )
  }
}

function writtenInterval({ nodes, isInteger }: Case): Interval {
  const bounds = (keyword: string, isExclusive: boolean) =>
    valuesOf(nodes, keyword)
      .filter(isNumeric)
      .map((limit) => ({ limit, isExclusive }))
  const low = highest([...bounds('minimum', false), ...bounds('exclusiveMinimum', true)])
  const high = highest([...bounds('maximum', false), ...bounds('exclusiveMaximum', true)].map(flipped))
  return isInteger ? { low: whole(low), high: negated(whole(high)) } : { low, high: negated(high) }
}

const isNumeric = (value: Json): value is Numeric => typeof value === 'number' || typeof value === 'bigint'

const flipped = ({ limit, isExclusive }: Bound): Bound => ({ limit: -limit, isExclusive })
const negated = (bound: Bound | undefined): Bound | undefined =>
  bound === undefined ? undefined : flipped(bound)

/** Returns the least integer within the bound, as a bound. */
function whole(bound: Bound | undefined): Bound | undefined {
  if (bound === undefined) return undefined
  const { limit, isExclusive } = bound
  const least = typeof limit === 'bigint' ? limit : Math.ceil(limit)
  const isExcluded = isExclusive && least === limit
  return {
    limit: isExcluded ? (typeof least === 'bigint' ? least + 1n : least + 1) : least,
    isExclusive: false
  }
}

const highest = (bounds: readonly (Bound | undefined)[]): Bound | undefined =>
  bounds.reduce((a, b) => (isAbove(a, b) ? a : b), undefined)

/** Returns whether everything above the one bound is above the other. */
function isAbove(a: Bound | undefined, b: Bound | undefined): boolean {
  if (b === undefined) return true
  if (a === undefined) return false
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number of the same value are the same bound
  return a.limit > b.limit || (a.limit == b.limit && (a.isExclusive || !b.isExclusive))
}

function stepFindings(pair: CasePair): Finding[] {
  const { sent, received } = pair
  const own = [...valuesOf(sent.nodes, 'multipleOf').filter(isNumeric), ...(sent.isInteger ? [1] : [])]
  const others = valuesOf(received.nodes, 'multipleOf').filter(isNumeric)
  if (others.every((step) => own.some((each) => isMultipleOf(each, step)))) return []
  const text = ({ nodes }: Case) => valuesOf(nodes, 'multipleOf').join(' and ') || 'none'
  return [differs(pair, 'multipleOf', { sent: text(sent), received: text(received) })]
}
