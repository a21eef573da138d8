/**
 * Functions that generated validators call. Bundled into generated/validators.js with their imports.
 *
 * Numbers are compared by their exact value: a number of a request that its double may not represent is a `NumberLiteral`
 * (json/number-literal.ts), an int64 of a handler is a bigint.
 */
import type { NumberLiteral } from '../json/number-literal.ts'
import { uploadSize } from '../model/compiled-contract.ts'
import { Identities } from './identities.ts'
import { fail, type Run } from './validation-run.ts'

export { pattern } from '../model/pattern.ts'
export * from './validation-run.ts'

const isLiteral = (value: unknown): value is NumberLiteral => value instanceof Number

/** Returns true for an object of JSON, which is no list. */
export const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isLiteral(value)

/** Returns true for an own property with a value. */
export const { hasOwn } = Object

/** Returns a number to compare; NaN, which no bound refuses, for a value of another type. */
export function numberOf(value: unknown): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  return isLiteral(value) ? (value.integer ?? Number(value)) : Number.NaN
}

/** Returns true for an integer of any size; the range checks refuse a number beyond all doubles. */
export function isInteger(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) || Math.abs(value) === Infinity
  return typeof value === 'bigint' || (isLiteral(value) && value.integer !== undefined)
}

/** Largest integer up to which every integer has a double. */
const maxPlain = 2 ** 53

const isPlainBigint = (value: unknown): boolean =>
  typeof value === 'bigint' && value >= -maxPlain && value <= maxPlain

/** Returns true for an integer without the format int64: a double that equals the number in the text, or a bigint. */
export function isPlainInteger(value: unknown): boolean {
  if (isLiteral(value)) return value.integer === BigInt(Number(value))
  return Number.isInteger(value) || isPlainBigint(value)
}

/** Returns true for a finite number. */
export const isNumber = (value: unknown): boolean =>
  Number.isFinite(value) || isPlainBigint(value) || isLiteral(value)

/** Checks the format int64 (OpenAPI format registry). Accepts everything that is not an integer. */
export function isInt64(value: unknown): boolean {
  if (Number.isSafeInteger(value) || !isInteger(value)) return true
  const integer = numberOf(value)
  return integer >= -9223372036854775808n && integer <= 9223372036854775807n
}

/** Checks the format int32 (OpenAPI format registry). Accepts everything that is not a number. */
export function isInt32(value: unknown): boolean {
  const number = numberOf(value)
  return Number.isNaN(number) || (isInteger(value) && number >= -2147483648 && number <= 2147483647)
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
export function canonical(value: unknown): string {
  const exact = numberOf(value)
  if (typeof exact === 'bigint') return integerText(exact)
  if (Number.isInteger(exact) && !Number.isSafeInteger(exact)) return integerText(BigInt(exact))
  if (!Number.isNaN(exact)) return String(exact)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(Reflect.get(value, name))}`)
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
  run.identities ??= new Identities(canonical)
  const seen = new Map<number, number>()
  for (const [index, item] of items.entries()) {
    const identity = run.identities.of(item)
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
export function isAllowed(value: unknown, allowed: readonly unknown[]): boolean {
  return allowed.some((constant) => isEqual(value, constant))
}

/** Reports a value that is none of the allowed ones, with their texts. */
export function notAllowed(
  run: Run,
  path: string,
  keyword: 'const' | 'enum',
  values: readonly unknown[]
): boolean {
  return run.isBrief || fail(run, path, keyword, { allowed: values.map(canonical) })
}

function isEqual(value: unknown, constant: unknown): boolean {
  // A bigint is never identical to a number.
  // biome-ignore lint/suspicious/noDoubleEquals: it compares a bigint and a double by value
  if (typeof constant === 'number' || typeof constant === 'bigint') return numberOf(value) == constant
  if (typeof constant !== 'object' || constant === null) return value === constant
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(constant))
    return false
  const names = Object.keys(constant)
  if (isLiteral(value) || Object.keys(value).length !== names.length) return false
  return names.every(
    (name) => Object.hasOwn(value, name) && isEqual(Reflect.get(value, name), Reflect.get(constant, name))
  )
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
