/** Reads the numbers that decimal literals spell (RFC 8259, section 6). */

/** Longest integer that is expanded to a bigint; the largest double has 309 digits. */
const maxDigits = 310

const grammar = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const zero = 48
const powersOfTen: bigint[] = []

export type SpelledNumber =
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'fraction'; readonly value: number }

/** Number as digits × 10^scale, without leading or trailing zeros; zero has no digits. */
interface Decimal {
  readonly sign: string
  readonly digits: string
  readonly scale: number
}

/**
 * Reads the text of a parameter by the grammar of JSON: `1.0` and `1e3` are integers; `01`, `+1`, `0x10`, `NaN` and the
 * empty text are not numbers. An integer that is too long to expand becomes its (infinite) double.
 */
export function spelledNumber(text: string): SpelledNumber | undefined {
  if (!grammar.test(text)) return undefined
  const value = integerIn(text)
  if (value === undefined) return { kind: 'fraction', value: Number(text) }
  return { kind: 'integer', value }
}

/** Returns the integer that a literal spells; undefined for a fraction, and for an integer that is too long. */
export function integerIn(literal: string): bigint | undefined {
  const { sign, digits, scale } = decimalOf(literal)
  if (digits === '') return 0n
  if (scale < 0 || digits.length + scale > maxDigits) return undefined
  return BigInt(sign + digits) * powerOfTen(scale)
}

/** Caches powers: computing 10n ** 308n for each literal would let a small body cause high CPU load. */
function powerOfTen(scale: number): bigint {
  const power = powersOfTen[scale] ?? 10n ** BigInt(scale)
  powersOfTen[scale] = power
  return power
}

/** Parses a literal in time linear in its length, for any exponent. */
function decimalOf(literal: string): Decimal {
  const sign = literal.startsWith('-') ? '-' : ''
  const e = literal.search(/[eE]/)
  const mantissa = literal.slice(sign.length, e < 0 ? undefined : e)
  const exponent = e < 0 ? 0 : Number(literal.slice(e + 1))
  const dot = mantissa.indexOf('.')
  const fraction = dot < 0 ? '' : mantissa.slice(dot + 1)
  const digits = (dot < 0 ? mantissa : mantissa.slice(0, dot)) + fraction
  const end = endOfDigits(digits)
  return {
    sign,
    digits: digits.slice(startOfDigits(digits), end),
    scale: exponent - fraction.length + digits.length - end
  }
}

function startOfDigits(digits: string): number {
  let at = 0
  while (digits.charCodeAt(at) === zero) at++
  return at
}

/** Finds the end in a loop, because `/0+$/` is quadratic on runs of zeros. */
function endOfDigits(digits: string): number {
  let at = digits.length
  while (digits.charCodeAt(at - 1) === zero) at--
  return at
}
