/** Numbers within the bounds of schemas. They are counted in steps of a power of ten, so that decimals stay exact. */
import type { Decimal, Schema } from '@contract-first/contract'
import fc from 'fast-check'
import { integerRanges } from './fit.ts'
import { valuesOf } from './members.ts'
import type { Style } from './schemas.ts'

interface Steps {
  /** Digits of one step: a step is `size × 10^-scale`. */
  readonly size: bigint
  readonly scale: number
}

const safe = [BigInt(Number.MIN_SAFE_INTEGER), BigInt(Number.MAX_SAFE_INTEGER)] as const

/** @returns undefined when no number fits; an int64 is a bigint */
export function numberInstances(
  parts: readonly Schema[],
  written: 'integer' | 'number',
  style: Style
): fc.Arbitrary<number | bigint> | undefined {
  const format = valuesOf(parts, 'format').find((name) => integerRanges.has(name))
  const type = format === undefined ? written : 'integer'
  const steps = stepsOf(parts, type, style)
  const range = integerRanges.get(format) ?? safe
  const unit = 10n ** BigInt(steps.scale)
  const [least, most] = bounds(parts, steps, [range[0] * unit, range[1] * unit])
  const isFree = type === 'number' && (valuesOf(parts, 'multipleOf').length === 0 || least > most)
  if (isFree && (least > most || !style.isPlain)) return doubles(parts)
  if (least > most) return undefined
  const [from, to] = style.isPlain ? plainRange(least, most, steps) : [least, most]
  return fc.bigInt({ min: from, max: to }).map((count) => numberOf(count * steps.size, steps.scale, format))
}

function numberOf(digits: bigint, scale: number, format: string | undefined): number | bigint {
  if (scale > 0) return Number(`${digits}e-${scale}`)
  return format === 'int64' ? digits : Number(digits)
}

/**
 * Returns the range of numbers that a person would write: from 1 to 1000 if the bounds allow it, otherwise near a
 * bound.
 */
function plainRange(least: bigint, most: bigint, { size, scale }: Steps): [bigint, bigint] {
  const unit = 10n ** BigInt(scale)
  const [low, high] = [ceilDivide(unit, size), (1_000n * unit) / size]
  const from = low < least ? least : low > most ? most : low
  const to = high > most ? most : high < from ? from : high
  return [from, to]
}

/** Returns the step of numbers: `multipleOf`, or 1 for integers; plain numbers have at most two decimals. */
function stepsOf(parts: readonly Schema[], type: 'integer' | 'number', style: Style): Steps {
  const divisors = valuesOf(parts, 'multipleOf')
  if (type === 'integer') divisors.push(1)
  else if (divisors.length === 0) divisors.push(style.isPlain ? 0.01 : 1)
  const decimals = divisors.map((value) => decimalOf(value))
  const scale = Math.max(0, ...decimals.map((decimal) => decimal.scale))
  const digits = decimals.map((decimal) => decimal.digits * 10n ** BigInt(scale - decimal.scale))
  const size = digits.reduce((a, b) => (a / greatestDivisor(a, b)) * b)
  return type === 'integer' ? { size: size / 10n ** BigInt(scale), scale: 0 } : { size, scale }
}

const greatestDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : greatestDivisor(b, a % b))

/** Reads the shortest decimal: `digits × 10^-scale`, the scale not negative. */
function decimalOf(value: number | bigint): { digits: bigint; scale: number } {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const scale = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale }
}

/** Leaves out bounds beyond all doubles: 1e400 is read as Infinity. */
const finite = (bounds: readonly Decimal[]): Decimal[] =>
  bounds.filter((bound) => typeof bound === 'bigint' || Number.isFinite(bound))

type Bound = 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum'

/** Returns the first and the last count of steps. */
function bounds(
  parts: readonly Schema[],
  { size, scale }: Steps,
  [lowest, highest]: readonly [bigint, bigint]
): [bigint, bigint] {
  const counted = (keyword: Bound, divide: typeof ceilDivide, further = 0n) =>
    finite(valuesOf(parts, keyword)).map((value) => {
      const decimal = decimalOf(value)
      const common = Math.max(scale, decimal.scale)
      const step = size * 10n ** BigInt(common - scale)
      const digits = decimal.digits * 10n ** BigInt(common - decimal.scale)
      return digits % step === 0n ? digits / step + further : divide(digits, step)
    })
  const least = [...counted('minimum', ceilDivide), ...counted('exclusiveMinimum', ceilDivide, 1n)]
  const most = [...counted('maximum', floorDivide), ...counted('exclusiveMaximum', floorDivide, -1n)]
  return [
    least.reduce((a, b) => (a > b ? a : b), ceilDivide(lowest, size)),
    most.reduce((a, b) => (a < b ? a : b), floorDivide(highest, size))
  ]
}

function floorDivide(digits: bigint, step: bigint): bigint {
  return digits / step - (digits % step < 0n ? 1n : 0n)
}

function ceilDivide(digits: bigint, step: bigint): bigint {
  return -floorDivide(-digits, step)
}

function doubles(parts: readonly Schema[]): fc.Arbitrary<number> | undefined {
  const numbers = (keyword: Bound) => valuesOf(parts, keyword).map(Number)
  const isFloat = valuesOf(parts, 'format').includes('float')
  const end = isFloat ? 3.4e38 : Number.MAX_VALUE
  const min = Math.max(-end, ...numbers('minimum'), ...numbers('exclusiveMinimum'))
  const max = Math.min(end, ...numbers('maximum'), ...numbers('exclusiveMaximum'))
  const minExcluded = numbers('exclusiveMinimum').includes(min)
  const maxExcluded = numbers('exclusiveMaximum').includes(max)
  if (min > max || (min === max && (minExcluded || maxExcluded))) return undefined
  // JSON has no sign for zero, so that -0 would not come back as it was sent.
  return fc.double({ min, max, minExcluded, maxExcluded, noNaN: true }).map((value) => value + 0)
}
