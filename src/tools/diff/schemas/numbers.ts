/** Compares numbers: bounds, steps, and formats that bound them. */
import { isMultipleOf } from '@contract-first/engine/runtime/validators'
import { integerRanges } from '../../samples/fit.ts'
import { valuesOf } from '../../samples/members.ts'
import { type Case, isInteger, type Numeric } from './cases.ts'
import { type CasePair, certainIf, differs, type Finding } from './comparison.ts'
import { maxListed } from './values.ts'

type Numbers = Pick<Case, 'schemas' | 'isInteger'>

const sides = ['minimum', 'maximum'] as const
type Side = (typeof sides)[number]

/** A bound; that of a maximum is negated, so that the greater bound is always the narrower one. */
interface Bound {
  readonly limit: Numeric
  readonly isExclusive: boolean
}

const signed = (limit: Numeric, side: Side): Numeric => (side === 'minimum' ? limit : -limit)

/** Returns why numbers of the one case are not numbers of the other. */
export function numberFindings(pair: CasePair): Finding[] {
  const { sent, received } = pair
  const steps = reachedSteps(sent)
  const isMultiple = (step: Numeric) => steps.some((each) => isMultipleOf(each, step))
  const outside = sides.filter((side) => !isWithin(reachedBound(sent, side), writtenBound(received, side)))
  const isBeyond = sides.some(
    (side) => !outside.includes(side) && !isWithin(reachedBound(sent, side), formatBound(received, side))
  )
  const text = ({ schemas }: Numbers) => valuesOf(schemas, 'multipleOf').join(' and ') || 'none'
  return [
    ...(!received.isInteger || isMultiple(1)
      ? []
      : [differs(pair, 'type', { sent: 'number', received: 'integer' })]),
    ...outside.map((side) => boundFinding(pair, side)),
    ...formatFindings(pair, isBeyond),
    ...(valuesOf(received.schemas, 'multipleOf').every(isMultiple)
      ? []
      : [differs(pair, 'multipleOf', { sent: text(sent), received: text(received) })])
  ]
}

const exclusive = { minimum: 'exclusiveMinimum', maximum: 'exclusiveMaximum' } as const

function boundFinding(pair: CasePair, side: Side): Finding {
  const schemas = [...pair.sent.schemas, ...pair.received.schemas]
  const keyword = schemas.some((schema) => schema[side] !== undefined) ? side : exclusive[side]
  const shown = (each: Numbers) => {
    const bound = writtenBound(each, side)
    return bound === undefined
      ? 'none'
      : `${signed(bound.limit, side)}${bound.isExclusive ? ' (exclusive)' : ''}`
  }
  return differs(pair, side, {
    keyword,
    label: side,
    sent: shown(pair.sent),
    received: shown(pair.received)
  })
}

/**
 * Compares formats that bound numbers, or that are unknown.
 * @param isBeyond true when some numbers are outside the bounds of the receiver's format
 */
function formatFindings(pair: CasePair, isBeyond: boolean): Finding[] {
  const [own, other] = [formatsOf(pair.sent), formatsOf(pair.received)]
  const isUnknown = other.some((format) => !integerRanges.has(format) && !own.includes(format))
  // Integers beyond 2^53 are doubles without the format int64: validators refuse them.
  const isSafe = sides.every((side) => isWithin(reachedBound(pair.sent, side), safe))
  const isInexact = own.includes('int64') && !other.includes('int64') && !isSafe
  const text = (formats: readonly string[]) => formats.join(' and ') || 'none'
  const finding = differs(pair, 'format', { sent: text(own), received: text(other) })
  return isBeyond || isUnknown || isInexact ? [certainIf(isBeyond, finding)] : []
}

const safe: Bound = { limit: Number.MIN_SAFE_INTEGER, isExclusive: false }

/** Every number is a double. */
const formatsOf = ({ schemas }: Pick<Case, 'schemas'>): string[] =>
  valuesOf(schemas, 'format').filter((format) => format !== 'double')

/** Returns the bound that keywords set. */
const writtenBound = ({ schemas }: Numbers, side: Side): Bound | undefined =>
  narrowest([
    ...valuesOf(schemas, side).map((limit) => ({ limit: signed(limit, side), isExclusive: false })),
    ...valuesOf(schemas, exclusive[side]).map((limit) => ({ limit: signed(limit, side), isExclusive: true }))
  ])

/** Returns the bound that keywords and formats set. */
function formatBound(each: Numbers, side: Side): Bound | undefined {
  const ranges = formatsOf(each).flatMap((format) => [integerRanges.get(format)?.[sides.indexOf(side)] ?? []])
  const limits = ranges.flat().map((limit) => ({ limit: signed(limit, side), isExclusive: false }))
  return narrowest([writtenBound(each, side), ...limits])
}

/** Returns the bound that numbers reach: of multiples of a whole step, the outermost one. */
function reachedBound(each: Numbers, side: Side): Bound | undefined {
  const bound = formatBound(each, side)
  const step = wholeStepOf(each)
  if (bound === undefined || step === undefined) return bound
  const { limit, isExclusive } = bound
  const least = BigInt(typeof limit === 'bigint' ? limit : Math.ceil(limit))
  const from = isExclusive && least <= limit ? least + 1n : least
  // The division of bigints rounds towards zero.
  return { limit: step * ((from > 0n ? from + step - 1n : from) / step), isExclusive: false }
}

/** Returns the least common multiple of the steps that are whole. */
function wholeStepOf({ schemas, isInteger: isWhole }: Numbers): bigint | undefined {
  const steps = [...valuesOf(schemas, 'multipleOf').filter(isInteger), ...(isWhole ? [1] : [])].map(BigInt)
  return steps.length === 0 ? undefined : steps.reduce((a, b) => (a / divisorOf(a, b)) * b)
}

/** Returns the greatest common divisor. */
const divisorOf = (a: bigint, b: bigint): bigint => (b === 0n ? a : divisorOf(b, a % b))

/** Returns the steps of which every number is a multiple; a single number is its own step. */
function reachedSteps(each: Numbers): Numeric[] {
  const few = fewNumbers(each) ?? []
  return [valuesOf(each.schemas, 'multipleOf'), wholeStepOf(each) ?? [], few.length === 1 ? few : []].flat()
}

/** Returns numbers between the bounds, among them all of the case; undefined for many. */
export function fewNumbers(each: Numbers): Numeric[] | undefined {
  const [low, high] = sides.map((side) => reachedBound(each, side))
  if (low === undefined || high === undefined) return undefined
  const [first, last, step] = [low.limit, -high.limit, wholeStepOf(each)]
  if (first > last) return []
  if (step === undefined) return first < last ? undefined : [first]
  const count = Number((BigInt(last) - BigInt(first)) / step) + 1
  if (count > maxListed) return undefined
  return Array.from({ length: count }, (_none, index) => exact(BigInt(first) + step * BigInt(index)))
}

const exact = (value: bigint): Numeric => (Number.isSafeInteger(Number(value)) ? Number(value) : value)

const narrowest = (bounds: readonly (Bound | undefined)[]): Bound | undefined =>
  bounds.reduce((a, b) => (isWithin(a, b) ? a : b), undefined)

/** Returns true when everything above the one lower bound is above the other. */
function isWithin(a: Bound | undefined, b: Bound | undefined): boolean {
  if (b === undefined) return true
  if (a === undefined) return false
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number of the same value are the same bound
  return a.limit > b.limit || (a.limit == b.limit && (a.isExclusive || !b.isExclusive))
}
