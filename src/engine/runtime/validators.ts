/**
 * Functions that generated validators call. Bundled into generated/validators.js with their imports.
 *
 * Numbers are compared by their exact value. The numbers of a request are doubles; an exactness table lists those that
 * a double does not represent exactly (json/inexact-numbers.ts). An int64 of a handler is a bigint.
 */
import type { Inexactness } from '../json/decimal.ts'
import { uploadSize } from '../model/compiled-contract.ts'
import { Identities } from './identities.ts'
import { type Exactness, fail, type Holder, type Key, type Run } from './validation-run.ts'

export { pattern } from '../model/pattern.ts'
export * from './validation-run.ts'

function mark(exactness: Exactness, holder: Holder, key: Key): Inexactness | undefined {
  return holder === undefined || key === undefined ? undefined : exactness?.get(holder)?.[key]
}

/** Returns true for an object of JSON, which is no list. */
export const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns true for an own property with a value. */
export const { hasOwn } = Object

/** Returns the exact integer when the double differs from it, otherwise the value. */
export function exactNumber(value: unknown, exactness: Exactness, holder: Holder, key: Key): unknown {
  const exact = typeof value === 'number' ? mark(exactness, holder, key) : undefined
  return typeof exact === 'bigint' ? exact : value
}

/** Returns a number to compare; NaN, which no bound refuses, for a value of another type. */
export function numberOf(value: unknown, { exactness }: Run, holder: Holder, key: Key): number | bigint {
  if (typeof value !== 'number') return typeof value === 'bigint' ? value : Number.NaN
  return exactness === undefined ? value : (exactNumber(value, exactness, holder, key) as number | bigint)
}

/** Returns true for an integer of any size; the range checks refuse a number beyond all doubles. */
export function isInteger(value: unknown, { exactness }: Run, holder: Holder, key: Key): boolean {
  if (typeof value === 'bigint') return true
  if (typeof value !== 'number') return false
  const exact = mark(exactness, holder, key)
  if (exact === undefined) return Number.isInteger(value) || Math.abs(value) === Infinity
  return exact !== 'fraction'
}

/** Largest integer up to which every integer has a double. */
const maxPlain = 2 ** 53

const isPlainBigint = (value: unknown): boolean =>
  typeof value === 'bigint' && value >= -maxPlain && value <= maxPlain

/** Returns true for an integer without the format int64: a double that equals the number in the text, or a bigint. */
export function isPlainInteger(value: unknown, { exactness }: Run, holder: Holder, key: Key): boolean {
  return Number.isInteger(value) ? mark(exactness, holder, key) === undefined : isPlainBigint(value)
}

/** Returns true for a finite number. */
export const isNumber = (value: unknown): boolean => Number.isFinite(value) || isPlainBigint(value)

/** Checks the format int64 (OpenAPI format registry). Accepts everything that is not an integer. */
export function isInt64(value: unknown, { exactness }: Run, holder: Holder, key: Key): boolean {
  if (exactness === undefined && Number.isSafeInteger(value)) return true
  if (typeof value === 'number' && mark(exactness, holder, key) === 'fraction') return true
  const exact = exactNumber(value, exactness, holder, key)
  if (typeof exact !== 'bigint' && typeof exact !== 'number') return true
  return exact >= -9223372036854775808n && exact <= 9223372036854775807n
}

/** Checks the format int32 (OpenAPI format registry). Accepts everything that is not a number. */
export function isInt32(value: unknown, run: Run, holder: Holder, key: Key): boolean {
  if (typeof value !== 'number' && typeof value !== 'bigint') return true
  const exact = numberOf(value, run, holder, key)
  return isInteger(value, run, holder, key) && exact >= -2147483648 && exact <= 2147483647
}

/** Checks `multipleOf` (JSON Schema Validation 2020-12, section 6.2.1). */
export function isMultipleOf(value: unknown, divisor: number | bigint): boolean {
  if (typeof value !== 'number' && typeof value !== 'bigint') return true
  // The keyword `type` refuses a number that is too large for a double.
  if (typeof value === 'number' && !Number.isFinite(value)) return true
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor))
    return Number(value) % Number(divisor) === 0
  const [a, b] = [decimal(value), decimal(divisor)]
  const scale = Math.min(a.scale, b.scale)
  return (a.digits * 10n ** BigInt(a.scale - scale)) % (b.digits * 10n ** BigInt(b.scale - scale)) === 0n
}

/** Reads the shortest decimal form as digits × 10^scale, so that 0.3 is three times 0.1. */
function decimal(number: number | bigint): { digits: bigint; scale: number } {
  const [mantissa = '', exponent = '0'] = String(number).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), scale: Number(exponent) - fraction.length }
}

/** Returns a text that is equal for equal JSON values only (JSON Schema Core 2020-12, section 4.2.2). */
export function canonical(value: unknown, exactness: Exactness, holder: Holder, key: Key): string {
  const exact = exactNumber(value, exactness, holder, key)
  if (typeof exact === 'bigint') return integerText(exact)
  if (typeof exact === 'number') {
    const isLong = Number.isInteger(exact) && !Number.isSafeInteger(exact)
    return isLong ? integerText(BigInt(exact)) : String(exact)
  }
  if (typeof exact !== 'object' || exact === null) return JSON.stringify(exact) ?? 'undefined'
  if (Array.isArray(exact)) {
    return `[${exact.map((item, index) => canonical(item, exactness, exact, index)).join()}]`
  }
  const members = Object.keys(exact)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(Reflect.get(exact, name), exactness, exact, name)}`)
  return `{${members.join()}}`
}

/** Writes long integers in hexadecimal, because decimal is slow and `1e300` is an integer of 301 digits. */
function integerText(integer: bigint): string {
  const isLong = integer !== BigInt.asIntN(64, integer)
  return isLong ? `0x${integer.toString(16)}` : String(integer)
}

/** Returns the indexes of the first two equal items, or undefined. */
export function equalItems(items: readonly unknown[], run: Run): { i: number; j: number } | undefined {
  if (items.length < 2) return undefined
  run.identities ??= new Identities((value, holder, key) => canonical(value, run.exactness, holder, key))
  const seen = new Map<number, number>()
  for (const [index, item] of items.entries()) {
    const identity = run.identities.of(item, items, index)
    const earlier = seen.get(identity)
    if (earlier !== undefined) return { i: earlier, j: index }
    seen.set(identity, index)
  }
  return undefined
}

/**
 * Returns true if a value equals a constant of the contract. Stops at the first difference, therefore the work is
 * bounded by the constant, not by the client's value.
 */
export function isAllowed(
  value: unknown,
  { exactness }: Run,
  holder: Holder,
  key: Key,
  allowed: readonly unknown[]
): boolean {
  const exact = exactNumber(value, exactness, holder, key)
  return allowed.some((constant) => isEqual(exact, constant, exactness))
}

/** Reports a value that is none of the allowed ones, with their texts. */
export function notAllowed(
  run: Run,
  path: string,
  keyword: 'const' | 'enum',
  values: readonly unknown[]
): boolean {
  const texts = () => values.map((value) => canonical(value, undefined, undefined, undefined))
  return run.isBrief || fail(run, path, keyword, { allowed: texts() })
}

function isEqual(value: unknown, constant: unknown, exactness: Exactness): boolean {
  if (typeof constant === 'number' || typeof constant === 'bigint') return isSameNumber(value, constant)
  if (typeof constant !== 'object' || constant === null) return value === constant
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(constant))
    return false
  const names = Object.keys(constant)
  if (Object.keys(value).length !== names.length) return false
  return names.every((name) => {
    if (!Object.hasOwn(value, name)) return false
    const member = exactNumber(Reflect.get(value, name), exactness, value, name)
    return isEqual(member, Reflect.get(constant, name), exactness)
  })
}

/** Compares by `==`, which compares a bigint and a double by value. */
function isSameNumber(value: unknown, constant: number | bigint): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint is never identical to a number
  return (typeof value === 'number' || typeof value === 'bigint') && value == constant
}

/** Returns the number of Unicode characters, of which some are pairs of code units. */
export function lengthOf(text: string): number {
  let length = 0
  for (const _character of text) length++
  return length
}

/** Returns the number of bytes of a part of a form; undefined for every other value. */
export function byteLength(value: unknown): number | undefined {
  return value instanceof Uint8Array ? value.length : Object(value)[uploadSize]
}
