/** Compares numbers: bounds, steps, and the formats that bound them. */

import { isMultipleOf } from '@contract-first/engine/runtime/validators'
import type { Json, JsonObject } from '../../compile/documents.ts'
import { integerRanges } from '../../evaluate/evaluate.ts'
import type { Case } from '../cases/cases.ts'
import { type Comparison, differs, type Pair, valuesOf } from './comparison.ts'
import type { Finding } from './finding.ts'

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
export function numberFindings(comparison: Comparison, sent: Case, received: Case, pair: Pair): Finding[] {
  const [allowed, expected] = [intervalOf(sent), intervalOf(received)]
  const [own, other] = [writtenInterval(sent), writtenInterval(received)]
  const low = !isAbove(allowed.low, other.low)
  const high = !isAbove(negated(allowed.high), negated(other.high))
  return [
    ...(sent.isInteger || !received.isInteger ? [] : [typeFinding(comparison, pair)]),
    ...(low ? [boundFinding(comparison, pair, ['minimum', own.low, other.low])] : []),
    ...(high ? [boundFinding(comparison, pair, ['maximum', own.high, other.high])] : []),
    ...formatFindings(comparison, sent, received, {
      pair,
      low: !low && !isAbove(allowed.low, expected.low),
      high: !high && !isAbove(negated(allowed.high), negated(expected.high))
    }),
    ...stepFindings(comparison, sent, received, pair)
  ]
}

const typeFinding = (comparison: Comparison, pair: Pair): Finding =>
  differs(comparison, pair, { kind: 'type', keyword: 'type', sent: 'number', received: 'integer' })

function boundFinding(
  comparison: Comparison,
  pair: Pair,
  [kind, sent, received]: readonly ['minimum' | 'maximum', Bound | undefined, Bound | undefined]
): Finding {
  const nodes = [...pair.sent, ...pair.received]
  const exclusive = kind === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum'
  const keyword = nodes.some((node) => Object.hasOwn(node, kind)) ? kind : exclusive
  return differs(comparison, pair, {
    kind,
    keyword,
    label: kind,
    sent: boundText(sent),
    received: boundText(received)
  })
}

const boundText = (bound: Bound | undefined): string =>
  bound === undefined ? 'none' : `${bound.limit}${bound.isExclusive ? ' (exclusive)' : ''}`

interface FormatPair {
  readonly pair: Pair
  readonly low: boolean
  readonly high: boolean
}

/** Compares formats that bound numbers, or that are unknown. */
function formatFindings(
  comparison: Comparison,
  sent: Case,
  received: Case,
  { pair, low, high }: FormatPair
): Finding[] {
  const [own, other] = [formatsOf(sent), formatsOf(received)]
  const unknown = other.find((format) => !integerRanges.has(format) && !own.includes(format))
  const isBeyond = low || high
  if (!isBeyond && unknown === undefined) return []
  const [is, was] = [own.join(' and ') || 'none', other.join(' and ')]
  const finding = differs(comparison, pair, { kind: 'format', keyword: 'format', sent: is, received: was })
  return [isBeyond ? finding : { ...finding, isUncertain: true }]
}

function formatsOf({ nodes }: Case): string[] {
  // Every number is a double.
  return valuesOf(nodes, 'format').flatMap((format) => (format === 'double' ? [] : [String(format)]))
}

function intervalOf(each: Case): Interval {
  const written = writtenInterval(each)
  const formats = formatsOf(each).flatMap((format) => {
    const range = integerRanges.get(format)
    return range === undefined ? [] : [range]
  })
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

function stepFindings(comparison: Comparison, sent: Case, received: Case, pair: Pair): Finding[] {
  const own = [...valuesOf(sent.nodes, 'multipleOf').filter(isNumeric), ...(sent.isInteger ? [1] : [])]
  const others = valuesOf(received.nodes, 'multipleOf').filter(isNumeric)
  const unmet = others.filter((step) => !own.some((each) => isMultipleOf(each, step)))
  if (unmet.length === 0) return []
  const text = (nodes: readonly JsonObject[]) => valuesOf(nodes, 'multipleOf').join(' and ') || 'none'
  const difference = { sent: text(sent.nodes), received: text(received.nodes) }
  return [differs(comparison, pair, { kind: 'multiple-of', keyword: 'multipleOf', ...difference })]
}
