/** Decides whether every text that matches some patterns matches others. */
import { matches } from '../../evaluate/evaluate.ts'
import { intersection, type Language, languagesOf, shortestText, textsOfLength } from './pattern-languages.ts'

export type Inclusion = 'yes' | 'no' | 'unknown'

interface Texts {
  readonly patterns: readonly string[]
  /** Bounds of the length in characters. */
  readonly least: number
  readonly most: number
}

/** Returns the result; the fallback for patterns that are not regular, and for automata with too many states. */
function attempt<T>(run: () => T, fallback: T): T {
  try {
    return run()
  } catch {
    return fallback
  }
}

const known = new Map<string, readonly Language[] | undefined>()

/** @throws for a pattern that has no automata */
function languages(pattern: string): readonly Language[] {
  if (!known.has(pattern))
    known.set(
      pattern,
      attempt(() => languagesOf(pattern), undefined)
    )
  const found = known.get(pattern)
  if (found === undefined) throw new Error(`No automata: ${pattern}`)
  return found
}

/** Returns whether every text that matches all sent patterns matches all received ones. */
export const includesPatterns = (sent: Texts, received: readonly string[]): Inclusion =>
  attempt(() => inclusion(sent, received), 'unknown')

function inclusion(sent: Texts, received: readonly string[]): Inclusion {
  if (sent.least > sent.most) return 'yes'
  const texts = automatonOf(sent)
  for (const { refused } of received.flatMap(languages)) {
    const text = shortestText(intersection(texts, refused()))
    if (text !== undefined) return isCounterexample(text, sent, received) ? 'no' : 'unknown'
  }
  return 'yes'
}

const automatonOf = ({ patterns, least, most }: Texts) =>
  patterns
    .flatMap(languages)
    .map(({ accepted }) => accepted())
    .reduce(intersection, textsOfLength(least, most))

function isCounterexample(
  text: string,
  { patterns, least, most }: Texts,
  received: readonly string[]
): boolean {
  const { length } = [...text]
  const isMatched = (pattern: string) => matches(pattern, text) === true
  return length >= least && length <= most && patterns.every(isMatched) && !received.every(isMatched)
}

const maxTexts = 4

/** Returns texts that match a pattern, the shortest first, each longer than the one before. */
export function shortestTexts(pattern: string): string[] {
  const found: string[] = []
  for (let least = 0; found.length < maxTexts; ) {
    const texts = { patterns: [pattern], least, most: Number.POSITIVE_INFINITY }
    const text = attempt(() => shortestText(automatonOf(texts)), undefined)
    if (text === undefined || matches(pattern, text) !== true) return found
    found.push(text)
    least = [...text].length + 1
  }
  return found
}
