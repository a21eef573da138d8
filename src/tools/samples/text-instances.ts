/** Texts of the formats, patterns and lengths of schemas. */
import type { Schema } from '@contract-first/contract'
import fc from 'fast-check'
import { type Budget, kept } from './budget.ts'
import { formatInstances, formatPatterns, plainText } from './likely-texts.ts'
import { MatchingTexts } from './matching-texts.ts'
import { type Limits, limitsOf, valuesOf } from './members.ts'
import type { Style } from './schemas.ts'

const surrogates = { first: 0xd800, count: 0x800 }
const lastCodePoint = 0x10ffff

/**
 * Makes any character of Unicode. fast-check's unit `binary` does too, but builds a table of all of them for a second.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat({ max: lastCodePoint - surrogates.count })
  .map((index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count), indexOf)

/** @throws {TypeError} when the value is not one character, so that fast-check does not accept it */
function indexOf(value: unknown): number {
  const [character, ...others] = String(value)
  const codePoint = character?.codePointAt(0)
  if (codePoint === undefined || others.length > 0) throw new TypeError(`${value} is not one character`)
  return codePoint < surrogates.first ? codePoint : codePoint - surrogates.count
}

/** Longest text of a pattern, each of whose characters is drawn. */
const maxMatched = 20_000

/**
 * @param name name of the property that holds the text
 * @throws {BudgetExceeded} when every text is too long
 */
export function textInstances(
  parts: readonly Schema[],
  style: Style,
  name: string,
  isFitting: (text: string) => boolean,
  budget: Budget
): fc.Arbitrary<string> | undefined {
  const lengths = limitsOf(parts, 'Length')
  if (lengths.least > lengths.most) return undefined
  budget.require(0, lengths.least)
  const patterns = valuesOf(parts, 'pattern').map(({ source }) => source)
  for (const source of patterns) budget.require(expectedLength(source) > maxMatched ? Infinity : 0)
  const formats = formatsOf(parts)
  const shapes = formats.flatMap(formatPatterns)
  const together = (shapes.length === 0 ? [[]] : shapes.map((shape) => [shape])).map(
    (shape) => () =>
      new MatchingTexts([...patterns, ...shape], lengths, style.isPlain, () => budget.require(Infinity))
  )
  const drawn = patterns.map((source) => () => matching(source))
  const candidates = [
    ...formats.map((each) => () => formatInstances(each, style)),
    ...(patterns.length + shapes.length === 0 ? [() => free(lengths, name, style)] : []),
    ...(style.isPlain ? [...together, ...drawn] : [...drawn, ...together])
  ]
  for (const candidate of candidates) {
    const fitting = kept(candidate(), isFitting)
    if (fitting !== undefined) return fitting
  }
  return undefined
}

function formatsOf(parts: readonly Schema[]): string[] {
  const encodings = valuesOf(parts, 'content').flatMap(({ encoding }) => encoding ?? [])
  return [...valuesOf(parts, 'format'), ...encodings].map((name) => name.toLowerCase())
}

/** Cache of patterns: fast-check takes up to 200 ms for each, and operations share them. */
const known = new Map<string, fc.Arbitrary<string> | undefined>()

/** @returns undefined for a pattern that fast-check does not take */
function matching(source: string): fc.Arbitrary<string> | undefined {
  if (known.has(source)) return known.get(source)
  let made: fc.Arbitrary<string> | undefined
  try {
    made = fc.stringMatching(new RegExp(source, 'u'))
  } catch {
    made = undefined
  }
  known.set(source, made)
  return made
}

/** Makes texts that only a length limits. */
function free({ least, most }: Limits, name: string, style: Style): fc.Arbitrary<string> {
  if (style.isPlain) return plainText(name).map((text) => text.padEnd(least, ` ${text}`).slice(0, most))
  const minLength = Math.min(least, 100_000)
  const maxLength = Math.min(most === Infinity ? least + 20 : most, 100_000)
  return fc.oneof(
    fc.string({ unit: 'grapheme-ascii', minLength, maxLength }),
    fc.string({ unit: anyCharacter, minLength, maxLength })
  )
}

const token =
  /\\(?:[pPu]\{[^}]*\}|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:<?[=!]|:|<[^>]*>))?|\{(?<least>\d+)(?<open>,\d*)?\}|[\s\S]/g

/** Characters by which fast-check exceeds the least number of a quantifier without a limit, on average. */
const further = 4

/** @returns about the number of characters, those of every alternative together */
function expectedLength(source: string): number {
  const lengths = [0]
  let last = 0
  const add = (length: number) => {
    lengths.push(Number(lengths.pop()) + length)
    last = length
  }
  const repeat = (times: number) => {
    const once = last
    add(once * (times - 1))
    last = once * times
  }
  for (const { 0: text, groups: { least, open } = {} } of source.matchAll(token)) {
    if (least !== undefined) repeat(Number(least) + (open === undefined ? 0 : further))
    else if (text === '*' || text === '+') repeat(1 + further)
    else if (text.startsWith('(')) lengths.push(0)
    else if (text === ')') add(lengths.length > 1 ? Number(lengths.pop()) : 0)
    else if (!'^$|?'.includes(text)) add(1)
  }
  return lengths.reduce((sum, length) => sum + length)
}
