/** Values of JSON texts, with the numbers that a double does not represent exactly. */
import { type Exactness, exactnessOf } from './inexact-numbers.ts'

export interface ExactJson {
  readonly value: unknown
  /** Numbers whose doubles are inexact; undefined when every double is exact. */
  readonly exactness: Exactness | undefined
  /** `{ '': value }`: the holder that `exactness` lists when the whole text is one number. */
  readonly root: object
}

/**
 * Number literals of 17 characters or more, of 16 from 9 on (2^53 is 9007199254740992), or with an exponent; the double
 * of every other one is exact enough. The first pattern is a cheap pre-check that also matches text in strings.
 */
const suspectText = /\d(?:[eE]|[\d.]{15})/
const suspectNumber = /(?:^|[:,[])\s*-?(?:[\d.]{17}|9[\d.]{15}|\d[\d.]*[eE])/
const noRoot: object = Object.freeze({})

/** @param value what `JSON.parse` returns for the text */
export function exactJson(text: string, value: unknown): ExactJson {
  if (!suspectText.test(text) || !suspectNumber.test(text))
    return { value, exactness: undefined, root: noRoot }
  const root = { '': value }
  return { value, exactness: exactnessOf(text, root), root }
}

/** Returns the integer that a text spells, exact; undefined for any other text, and for more digits than an int64 has. */
export function integerIn(text: string | undefined): number | bigint | undefined {
  if (text === undefined || !/^-?(?:0|[1-9]\d{0,18})$/.test(text)) return undefined
  return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)
}
