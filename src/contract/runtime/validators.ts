/**
 * What generated validators call at run time. Bundled into generated/validators.js with what it imports.
 *
 * Numbers are compared by what was spelled. A request's numbers are doubles, and those that a double does not spell
 * exactly are listed in an exactness table (exact-json.ts); a handler's int64 is a bigint.
 */
export { pattern } from '../model/pattern.ts'

type Holder = object | undefined
type Key = string | number | undefined
/** As in exact-json.ts. */
export type Exactness = Map<object, Map<string, bigint | 'fraction' | 'overflow'>> | undefined

function mark(exactness: Exactness, holder: Holder, key: Key): bigint | 'fraction' | 'overflow' | undefined {
  return holder === undefined ? undefined : exactness?.get(holder)?.get(String(key))
}

/** The number as it was spelled, where that differs from its double and is an integer. */
export function exactNumber(value: unknown, exactness: Exactness, holder: Holder, key: Key): unknown {
  const exact = typeof value === 'number' ? mark(exactness, holder, key) : undefined
  return typeof exact === 'bigint' ? exact : value
}

/** Whether a double that looks like an integer was spelled as that integer. */
export function isExact(_value: unknown, exactness: Exactness, holder: Holder, key: Key): boolean {
  return mark(exactness, holder, key) === undefined
}

/** Whether an integer was spelled, of whatever size; what no double reaches is left to the range. */
export function isInteger(value: unknown, exactness: Exactness, holder: Holder, key: Key): boolean {
  if (typeof value === 'bigint') return true
  if (typeof value !== 'number') return false
  const exact = mark(exactness, holder, key)
  return exact === undefined ? Number.isInteger(value) : exact !== 'fraction'
}

/** OpenAPI format registry, int64. Says nothing of what is no integer. */
export function isInt64(value: unknown, exactness: Exactness, holder: Holder, key: Key): boolean {
  if (typeof value === 'number' && mark(exactness, holder, key) === 'fraction') return true
  const exact = exactNumber(value, exactness, holder, key)
  if (typeof exact !== 'bigint' && typeof exact !== 'number') return true
  return exact >= -9223372036854775808n && exact <= 9223372036854775807n
}

/** JSON Schema Validation 2020-12, section 6.2.1. */
export function isMultipleOf(value: unknown, divisor: number | bigint): boolean {
  if (typeof value !== 'number' && typeof value !== 'bigint') return true
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor))
    return Number(value) % Number(divisor) === 0
  const [a, b] = [decimal(value), decimal(divisor)]
  const scale = Math.min(a.scale, b.scale)
  return (a.digits * 10n ** BigInt(a.scale - scale)) % (b.digits * 10n ** BigInt(b.scale - scale)) === 0n
}

/** digits × 10^scale: as the number is written, in which 0.3 is three times 0.1. */
function decimal(number: number | bigint): { digits: bigint; scale: number } {
  const [mantissa = '', exponent = '0'] = String(number).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), scale: Number(exponent) - fraction.length }
}

/** A text that two JSON values share exactly when they are equal (JSON Schema Core 2020-12, section 4.2.2). */
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

/** Hexadecimal where decimal would be slow to write: 300 digits cost their sender five. */
function integerText(integer: bigint): string {
  const isLong = integer !== BigInt.asIntN(64, integer)
  return isLong ? `0x${integer.toString(16)}` : String(integer)
}

/** The first two equal items, as indexes; undefined when all differ. */
export function equalItems(items: readonly unknown[], exactness: Exactness): [number, number] | undefined {
  const seen = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    const text = canonical(item, exactness, items, index)
    const earlier = seen.get(text)
    if (earlier !== undefined) return [earlier, index]
    seen.set(text, index)
  }
  return undefined
}

/** The errors of a schema that is referred to, after those that were found before: at most so many, without a copy. */
export function joinErrors<T>(found: T[] | null, further: readonly T[], most: number): T[] {
  const all = found ?? []
  for (const error of further) if (all.length < most) all.push(error)
  return all
}
