/** Numbers of JSON texts that a double may not represent (RFC 8259, section 6). */
import { integerIn } from './decimal.ts'

/**
 * Double that remembers its literal: validators and int64 read the number that the client spelled, handlers get the double.
 * Other code, such as generated validators, recognizes it by `instanceof Number`, because each bundle has its own class.
 */
export class NumberLiteral extends Number {
  readonly #literal: string
  #integer: bigint | undefined

  constructor(literal: string, double: number) {
    super(double)
    this.#literal = literal
  }

  /** Integer that the literal spells; undefined for a fraction whose double is an integer. */
  get integer(): bigint | undefined {
    this.#integer ??= integerIn(this.#literal)
    return this.#integer
  }
}

/** Characters of a literal that has at most 15 digits: no other literal of so many digits has the same double. */
const maxDistinct = 15

/** Parses a literal; every number but a `NumberLiteral` is the one that the literal spells, or as far from an integer. */
export function numberOf(literal: string): number | NumberLiteral {
  const double = Number(literal)
  if (!Number.isInteger(double)) return double
  const isExact = literal.length <= maxDistinct && hasFewDigits(double)
  // A small number may become 0; `0` and `-0` are exact.
  return isExact && (double !== 0 || literal.length <= 2) ? double : new NumberLiteral(literal, double)
}

/** Returns true for an integer with at most 15 digits before its zeros. Powers of ten have doubles up to 10^22. */
function hasFewDigits(double: number): boolean {
  const size = Math.abs(double)
  if (size >= 1e37) return false
  let power = 1
  while (size >= power * 1e15) power *= 10
  return double % power === 0
}
