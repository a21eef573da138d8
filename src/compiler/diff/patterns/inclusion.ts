/**
 * Decides whether every text that matches some patterns matches others, by a search through the states of all automata
 * at once.
 */
import { translatePattern } from '../../compile/documents.ts'
import {
  type Automaton,
  automatonOf,
  endMark,
  isAccepted,
  type States,
  startMark,
  step
} from './automaton.ts'
import { representatives } from './character-sets.ts'
import { expressionOf } from './expression.ts'
import { parsePattern } from './parse-pattern.ts'

export type Answer = 'yes' | 'no' | 'unknown'

export interface Texts {
  readonly patterns: readonly string[]
  /** Bounds of the length in characters. */
  readonly least: number
  readonly most: number
}

const cache = new Map<string, Automaton | undefined>()

function automaton(pattern: string): Automaton | undefined {
  if (!cache.has(pattern)) {
    const parsed = parsePattern(translatePattern(pattern) ?? '(?=')
    cache.set(pattern, parsed === undefined ? undefined : automatonOf(parsed))
  }
  return cache.get(pattern)
}

/** Returns whether every text that matches all sent patterns matches all received ones. */
export function includesPatterns(sent: Texts, received: readonly string[]): Answer {
  const [own, others] = [sent.patterns.map(automaton), received.map(automaton)]
  const known = [...own, ...others].filter((each) => each !== undefined)
  if (known.length < own.length + others.length) return 'unknown'
  const isRefused = (accepted: readonly boolean[]) =>
    accepted.slice(0, own.length).every(Boolean) && !accepted.slice(own.length).every(Boolean)
  const search = new Search(known, sent, isRefused)
  const text = search.run().next().value
  if (text === undefined) return search.isExhausted ? 'yes' : 'unknown'
  return isRefused(
    [...sent.patterns, ...received].map((pattern) => expressionOf(pattern)?.test(text) === true)
  )
    ? 'no'
    : 'unknown'
}

/** Returns some of the shortest texts that match a pattern. */
export function shortestTexts(pattern: string): string[] {
  const own = automaton(pattern)
  if (own === undefined) return []
  const all = { patterns: [], least: 0, most: Number.POSITIVE_INFINITY }
  const texts = new Search([own], all, (accepted) => accepted.every(Boolean)).run()
  return [...texts.take(8)].filter((text) => expressionOf(pattern)?.test(text))
}

/** Most sets of states to visit. */
const maxVisits = 5_000
/** Longest length bound that the search follows. */
const maxLength = 300

interface Visit {
  readonly text: string
  readonly length: number
  /** States of each automaton. */
  readonly states: readonly States[]
}

class Search {
  readonly #automata: readonly Automaton[]
  readonly #texts: Texts
  readonly #isFound: (accepted: readonly boolean[]) => boolean
  readonly #points: readonly number[]
  /** True when every text, or one in the same states, has been tried. */
  isExhausted = true

  constructor(
    automata: readonly Automaton[],
    texts: Texts,
    isFound: (accepted: readonly boolean[]) => boolean
  ) {
    this.#automata = automata
    this.#texts = texts
    this.#isFound = isFound
    this.#points = representatives(automata.flatMap(({ sets }) => sets))
  }

  /** Yields the texts in order of length. */
  *run(): Generator<string, undefined> {
    const start = this.#automata.map((each) => step(each.start, startMark))
    const pending: Visit[] = [{ text: '', length: 0, states: start }]
    const seen = new Set<string>()
    for (const visit of pending) {
      const key = this.#key(visit)
      if (seen.has(key) || visit.length > this.#texts.most) continue
      if (seen.size >= maxVisits || visit.length > maxLength) {
        this.isExhausted = false
        return undefined
      }
      seen.add(key)
      if (this.#isEnd(visit)) yield visit.text
      for (const point of this.#points) pending.push(this.#next(visit, point))
    }
    return undefined
  }

  #next({ text, length, states }: Visit, point: number): Visit {
    const next = states.map((each) => step(each, point))
    return { text: text + String.fromCodePoint(point), length: length + 1, states: next }
  }

  #isEnd({ length, states }: Visit): boolean {
    if (length < this.#texts.least) return false
    return this.#isFound(states.map((each) => isAccepted(step(each, endMark))))
  }

  /** Returns the key of a visit; the length counts only up to the least length, unless there is a greatest one. */
  #key({ length, states }: Visit): string {
    const { least, most } = this.#texts
    const counted = Number.isFinite(most) ? length : Math.min(length, least)
    return [
      counted,
      ...states.map((set) =>
        [...set]
          .map(({ id }) => id)
          .sort((a, b) => a - b)
          .join()
      )
    ].join(' ')
  }
}
