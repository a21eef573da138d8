/**
 * Parses JSON texts again when they hold numbers that a double may not represent.
 *
 * The reviver of `JSON.parse` with `context.source` would do the same, but takes 0.2 µs for every value of the text, 210 ms
 * for 1 MB, and is recursive: a text that is nested deeply makes it throw RangeError.
 */
import { type NumberLiteral, numberOf } from './number-literal.ts'

export interface ParsedJson {
  /** Value of `JSON.parse`, which a handler receives. */
  readonly value: unknown
  /** The same value with a `NumberLiteral` for every number that its double may not represent; `value` itself without any. */
  readonly exact: unknown
}

/** Value of a text that is not JSON, or whose numbers are exact. */
export const asRead = (value: unknown): ParsedJson => ({ value, exact: value })

/**
 * Number literals of 17 characters or more, of 16 from 9 on (2^53 is 9007199254740992), or with an exponent; the double
 * of every other one is exact enough. The first pattern is a cheap pre-check that also matches text in strings.
 */
const suspectText = /\d(?:[eE]|[\d.]{15})/
const suspectNumber = /(?:^|[:,[])\s*-?(?:[\d.]{17}|9[\d.]{15}|\d[\d.]*[eE])/

/**
 * @param value what `JSON.parse` returns for the text
 * @param read reads a number literal of a text that has suspect ones
 */
export function exactJson(text: string, value: unknown, read: ReadNumber = numberOf): ParsedJson {
  const isExact = !suspectText.test(text) || !suspectNumber.test(text)
  return { value, exact: isExact ? value : exactValue(text, read) }
}

type Holder = unknown[] | Record<string, unknown>

export type ReadNumber = (literal: string) => number | bigint | NumberLiteral

const [quote, minus, zero, nine] = [0x22, 0x2d, 0x30, 0x39]
const [bracket, brace, closingBracket, closingBrace] = [0x5b, 0x7b, 0x5d, 0x7d]
const [plus, dot, e, upperE, backslash] = [0x2b, 0x2e, 0x65, 0x45, 0x5c]
/** First letters of `false`, `null` and `true`. */
const [f, n, t] = [0x66, 0x6e, 0x74]

const ownMember = { configurable: true, enumerable: true, writable: true }

/**
 * Parses a well-formed text. The loop is iterative and linear, and expands no exponents, because the client chooses the
 * depth and length of the text.
 */
function exactValue(text: string, read: ReadNumber): unknown {
  const outer: Holder[] = []
  const root: unknown[] = []
  let holder: Holder = root
  let name: string | undefined
  const put = (value: unknown) => {
    if (Array.isArray(holder)) holder.push(value)
    else if (name === '__proto__') Object.defineProperty(holder, name, { value, ...ownMember })
    else holder[String(name)] = value
    name = undefined
  }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const end = endOfString(text, at)
      const content = stringIn(text.slice(at, end))
      if (name === undefined && !Array.isArray(holder)) name = content
      else put(content)
      at = end - 1
    } else if (isNumeric(code)) {
      const end = endOfNumber(text, at)
      put(read(text.slice(at, end)))
      at = end - 1
    } else if (code === bracket || code === brace) {
      const inner = code === bracket ? [] : {}
      put(inner)
      outer.push(holder)
      holder = inner
    } else if (code === closingBracket || code === closingBrace) holder = outer.pop() as Holder
    else if (code === f || code === n || code === t) {
      put(code === n ? null : code === t)
      at += code === f ? 4 : 3
    }
  }
  return root[0]
}

const stringIn = (quoted: string): string =>
  quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1)

/** Returns the index after the closing quote. Reads each backslash once, at the quote that follows its run. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end + 1
}

function isEscaped(text: string, quote: number): boolean {
  let at = quote
  while (text.charCodeAt(at - 1) === backslash) at--
  return (quote - at) % 2 === 1
}

const isNumeric = (code: number): boolean => (code >= zero && code <= nine) || code === minus

function endOfNumber(text: string, start: number): number {
  for (let end = start + 1; ; end++) {
    const code = text.charCodeAt(end)
    if (!isNumeric(code) && code !== dot && code !== e && code !== upperE && code !== plus) return end
  }
}
