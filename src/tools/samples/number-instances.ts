/** Numbers within the bounds of schemas. They are counted in units of a power of ten, so that decimals stay exact. */
import type { Decimal, Schema } from '@contract-first/contract'
import fc from 'fast-check'
import { integerRanges } from './fit.ts'
import { valuesOf } from './members.ts'
import type { Style } from './schemas.ts'

const safe = [BigInt(Number.MIN_SAFE_INTEGER), BigInt(Number.MAX_SAFE_INTEGER)] as const

/** @returns undefined when no number fits; an int64 is a bigint */
export function numberInstances(
  parts: readonly Schema[],
  written: 'integer' | 'number',
  style: Style
): fc.Arbitrary<number | bigint> | undefined {
  const format = valuesOf(parts, 'format').find((name) => integerRanges.has(name))
  const isInteger = written === 'integer' || format !== undefined
  const divisors = valuesOf(parts, 'multipleOf')
  if (!isInteger && divisors.length === 0 && !style.isPlain) return doubles(parts)
  // Plain numbers have at most two decimals.
  const steps = isInteger ? [1, ...divisors] : divisors.length === 0 ? [0.01] : divisors
  const bounds = boundNames.flatMap((name) => finite(parts, name))
  const scale = Math.max(0, ...[...steps, ...bounds].map((value) => decimalOf(value).scale))
  const unit = 10n ** BigInt(scale)
  const inUnits = (value: Decimal) => {
    const decimal = decimalOf(value)
    return decimal.digits * 10n ** BigInt(scale - decimal.scale)
  }
  const all = (name: Bound, beyond = 0n) => finite(parts, name).map((value) => inUnits(value) + beyond)
  const [lowest, highest] = integerRanges.get(format) ?? safe
  const least = [lowest * unit, ...all('minimum'), ...all('exclusiveMinimum', 1n)].reduce(greater)
  const most = [highest * unit, ...all('maximum'), ...all('exclusiveMaximum', -1n)].reduce(smaller)
  const size = steps.map(inUnits).reduce((a, b) => (a / greatestDivisor(a, b)) * b)
  const [first, last] = [-floorDivide(-least, size), floorDivide(most, size)]
  if (first > last) return isInteger ? undefined : doubles(parts)
  const [min, max] = style.isPlain ? plainRange(first, last, unit, size) : [first, last]
  return fc.bigInt({ min, max }).map((count) => {
    if (!isInteger) return Number(`${count * size}e-${scale}`)
    const integer = (count * size) / unit
    return format === 'int64' ? integer : Number(integer)
  })
}

/**
 * Returns the range of numbers that a person would write: from 1 to 1000 if the bounds allow it, otherwise near a
 * bound.
 */
function plainRange(first: bigint, last: bigint, unit: bigint, size: bigint): [bigint, bigint] {
  const from = smaller(greater(-floorDivide(-unit, size), first), last)
  return [from, greater(smaller((1_000n * unit) / size, last), from)]
}

const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b)
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const greatestDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : greatestDivisor(b, a % b))
const floorDivide = (a: bigint, b: bigint): bigint => a / b - (a % b < 0n ? 1n : 0n)

/** Reads the shortest decimal: `digits × 10^-scale`, the scale not negative. */
function decimalOf(value: Decimal): { digits: bigint; scale: number } {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const scale = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale }
}

const boundNames = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const
type Bound = (typeof boundNames)[number]

/** Returns the values of a bound without those beyond all doubles: 1e400 is read as Infinity. */
const finite = (parts: readonly Schema[], name: Bound): Decimal[] =>
  valuesOf(parts, name).filter((bound) => typeof bound === 'bigint' || Number.isFinite(bound))

function doubles(parts: readonly Schema[]): fc.Arbitrary<number> | undefined {
  const numbers = (name: Bound) => valuesOf(parts, name).map(Number)
  const end = valuesOf(parts, 'format').includes('float') ? 3.4e38 : Number.MAX_VALUE
  const min = Math.max(-end, ...numbers('minimum'), ...numbers('exclusiveMinimum'))
  const max = Math.min(end, ...numbers('maximum'), ...numbers('exclusiveMaximum'))
  const minExcluded = numbers('exclusiveMinimum').includes(min)
  const maxExcluded = numbers('exclusiveMaximum').includes(max)
  if (min > max || (min === max && (minExcluded || maxExcluded))) return undefined
  // JSON has no sign for zero, so that -0 would not come back as it was sent.
  return fc.double({ min, max, minExcluded, maxExcluded, noNaN: true }).map((value) => value + 0)
}
