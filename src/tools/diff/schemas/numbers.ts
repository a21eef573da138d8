/** Compares numbers: bounds, steps, and the formats that bound them. */
import { isMultipleOf } from '@contract-first/engine/runtime/validators'
import { integerRanges } from '../../samples/fit.ts'
import { type Case, isInteger, type Numeric } from './cases.ts'
import { type CasePair, certainIf, differs, type Finding, type SchemasPair } from './comparison.ts'

interface Bound {
  readonly limit: Numeric
  readonly isExclusive: boolean
}

/** Bounds of numbers. The upper one is negated, so that the greater bound is always the narrower one. */
interface Interval {
  readonly low: Bound | undefined
  readonly high: Bound | undefined
}

type NumberSchemas = Pick<Case, 'schemas' | 'isInteger'>

/** Returns why numbers of the one case are not numbers of the other. */
export function numberFindings(pair: CasePair): Finding[] {
  const { sent, received } = pair
  const [own, other, formatted] = [writtenIn(sent), writtenIn(received), formattedIn(received)]
  const allowed = reachedIn(sent)
  const [isLow, isHigh] = [!isWithin(allowed.low, other.low), !isWithin(allowed.high, other.high)]
  const isBelow = !isLow && !isWithin(allowed.low, formatted.low)
  const isBeyond = !isHigh && !isWithin(allowed.high, formatted.high)
  const steps = reachedSteps(sent)
  const isMultiple = (step: Numeric) => steps.some((each) => isMultipleOf(each, step))
  const text = (each: Case) => stepsIn(each).join(' and ') || 'none'
  return [
    ...(!received.isInteger || isMultiple(1)
      ? []
      : [differs(pair, 'type', { sent: 'number', received: 'integer' })]),
    ...(isLow ? [boundFinding(pair, 'minimum', own.low, other.low)] : []),
    ...(isHigh ? [boundFinding(pair, 'maximum', flipped(own.high), flipped(other.high))] : []),
    ...formatFindings(pair, isBelow || isBeyond),
    ...(stepsIn(received).every(isMultiple)
      ? []
      : [differs(pair, 'multipleOf', { sent: text(sent), received: text(received) })])
  ]
}

function boundFinding(
  pair: CasePair,
  kind: 'minimum' | 'maximum',
  sent: Bound | undefined,
  received: Bound | undefined
): Finding {
  const schemas = [...pair.sent.schemas, ...pair.received.schemas]
  const exclusive = kind === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum'
  const keyword = schemas.some((schema) => schema[kind] !== undefined) ? kind : exclusive
  return differs(pair, kind, { keyword, label: kind, sent: shown(sent), received: shown(received) })
}

const shown = (bound: Bound | undefined): string =>
  bound === undefined ? 'none' : `${bound.limit}${bound.isExclusive ? ' (exclusive)' : ''}`

/**
 * Compares formats that bound numbers, or that are unknown.
 * @param isBeyond true when some numbers are outside the bounds of the receiver's format
 */
function formatFindings(pair: CasePair, isBeyond: boolean): Finding[] {
  const [own, other] = [formatsOf(pair.sent), formatsOf(pair.received)]
  const isUnknown = other.some((format) => !integerRanges.has(format) && !own.includes(format))
  const { low, high } = reachedIn(pair.sent)
  // Integers beyond 2^53 are doubles without the format int64: validators refuse them.
  const isInexact =
    own.includes('int64') && !other.includes('int64') && !(isWithin(low, safe) && isWithin(high, safe))
  const text = (formats: readonly string[]) => formats.join(' and ') || 'none'
  const finding = differs(pair, 'format', { sent: text(own), received: text(other) })
  return isBeyond || isUnknown || isInexact ? [certainIf(isBeyond, finding)] : []
}

const safe: Bound = { limit: Number.MIN_SAFE_INTEGER, isExclusive: false }

/** Every number is a double. */
const formatsOf = ({ schemas }: SchemasPair['sent']): string[] =>
  schemas.flatMap(({ format }) => (format === undefined || format === 'double' ? [] : [format]))

function writtenIn({ schemas }: NumberSchemas): Interval {
  const bounds = (keyword: 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum'): Bound[] =>
    schemas.flatMap((schema) => {
      const limit = schema[keyword]
      return limit === undefined ? [] : [{ limit, isExclusive: keyword.startsWith('exclusive') }]
    })
  return {
    low: highest([...bounds('minimum'), ...bounds('exclusiveMinimum')]),
    high: highest([...bounds('maximum'), ...bounds('exclusiveMaximum')].map((bound) => flipped(bound)))
  }
}

function formattedIn(each: NumberSchemas): Interval {
  const { low, high } = writtenIn(each)
  const found = formatsOf(each).flatMap((format) => [integerRanges.get(format) ?? []].flat())
  const limits = found.map((limit): Bound => ({ limit, isExclusive: false }))
  return {
    low: highest([low, ...limits.filter(({ limit }) => limit < 0)]),
    high: highest([high, ...limits.filter(({ limit }) => limit > 0).map((bound) => flipped(bound))])
  }
}

function flipped(bound: Bound): Bound
function flipped(bound: Bound | undefined): Bound | undefined
function flipped(bound: Bound | undefined): Bound | undefined {
  return bound && { limit: -bound.limit, isExclusive: bound.isExclusive }
}

/** Returns the bounds that numbers of the case reach: of multiples of a whole step, the outermost ones. */
function reachedIn(each: NumberSchemas): Interval {
  const { low, high } = formattedIn(each)
  const step = wholeStepOf(each)
  return step === undefined ? { low, high } : { low: reached(low, step), high: reached(high, step) }
}

/** Returns the least multiple within a lower bound, as a bound. */
function reached(bound: Bound | undefined, step: bigint): Bound | undefined {
  if (bound === undefined) return undefined
  const { limit, isExclusive } = bound
  const least = BigInt(typeof limit === 'bigint' ? limit : Math.ceil(limit))
  const from = isExclusive && least <= limit ? least + 1n : least
  // The division of bigints rounds towards zero.
  return { limit: step * ((from > 0n ? from + step - 1n : from) / step), isExclusive: false }
}

/** Returns the least common multiple of the steps that are whole. */
function wholeStepOf(each: NumberSchemas): bigint | undefined {
  const steps = [...stepsIn(each).filter(isInteger), ...(each.isInteger ? [1] : [])].map(BigInt)
  return steps.length === 0 ? undefined : steps.reduce((a, b) => (a / divisorOf(a, b)) * b)
}

/** Returns the greatest common divisor. */
const divisorOf = (a: bigint, b: bigint): bigint => (b === 0n ? a : divisorOf(b, a % b))

/** Returns the steps of which every number is a multiple; a single number is its own step. */
function reachedSteps(each: NumberSchemas): Numeric[] {
  const few = fewNumbers(each) ?? []
  return [...stepsIn(each), wholeStepOf(each) ?? [], few.length === 1 ? few : []].flat()
}

/** Most numbers of a case that are listed. */
const maxListed = 24

/** Returns numbers between the bounds, among them all of the case; undefined for many. */
export function fewNumbers(each: NumberSchemas): Numeric[] | undefined {
  const { low, high } = reachedIn(each)
  if (low === undefined || high === undefined) return undefined
  const [first, last, step] = [low.limit, -high.limit, wholeStepOf(each)]
  if (first > last) return []
  if (step === undefined) return first < last ? undefined : [first]
  const count = Number((BigInt(last) - BigInt(first)) / step) + 1
  if (count > maxListed) return undefined
  return Array.from({ length: count }, (_none, index) => exact(BigInt(first) + step * BigInt(index)))
}

const exact = (value: bigint): Numeric => (Number.isSafeInteger(Number(value)) ? Number(value) : value)

const highest = (bounds: readonly (Bound | undefined)[]): Bound | undefined =>
  bounds.reduce((a, b) => (isWithin(a, b) ? a : b), undefined)

/** Returns true when everything above the one lower bound is above the other. */
function isWithin(a: Bound | undefined, b: Bound | undefined): boolean {
  if (b === undefined) return true
  if (a === undefined) return false
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint and a number of the same value are the same bound
  return a.limit > b.limit || (a.limit == b.limit && (a.isExclusive || !b.isExclusive))
}

const stepsIn = ({ schemas }: SchemasPair['sent']): Numeric[] =>
  schemas.flatMap(({ multipleOf }) => multipleOf ?? [])
