/** Non-deterministic automata of patterns (Thompson's construction), which read a text between two marks. */
import { type CharacterSet, everyCharacter, has } from './character-sets.ts'
import type { Pattern } from './parse-pattern.ts'

/** Stand for the start and the end of a text. */
export const startMark = -1
export const endMark = -2

interface Edge {
  readonly accepts: (point: number) => boolean
  readonly to: number
}

/** Larger patterns are not compared. */
const maxStates = 4_000

/** The pattern is too large. */
class TooLarge extends Error {}

export class Automaton {
  readonly #edges: Edge[][] = []
  readonly #free: number[][] = []
  readonly #end: number
  readonly sets: CharacterSet[] = [everyCharacter]
  readonly start: ReadonlySet<number>

  constructor(pattern: Pattern) {
    const [first, last] = [this.#state(), this.#state()]
    this.#end = last
    // A pattern is searched for: any text may stand before and behind it (JSON Schema Validation 2020-12, section 6.3.3).
    for (const state of [first, last]) this.#edge(state, () => true, state)
    this.#build(pattern, first, last)
    this.start = this.#closure([first])
  }

  accepts(states: ReadonlySet<number>): boolean {
    return states.has(this.#end)
  }

  /** Returns the states after one more character, or mark. */
  step(states: ReadonlySet<number>, point: number): ReadonlySet<number> {
    const next: number[] = []
    for (const state of states)
      for (const { accepts, to } of this.#edges[state] ?? []) if (accepts(point)) next.push(to)
    return this.#closure(next)
  }

  #state(): number {
    if (this.#edges.length >= maxStates) throw new TooLarge()
    this.#free.push([])
    return this.#edges.push([]) - 1
  }

  #edge(from: number, accepts: Edge['accepts'], to: number): void {
    this.#edges[from]?.push({ accepts, to })
  }

  #skip(from: number, to: number): void {
    this.#free[from]?.push(to)
  }

  #closure(states: readonly number[]): ReadonlySet<number> {
    const found = new Set(states)
    for (const state of found) for (const next of this.#free[state] ?? []) found.add(next)
    return found
  }

  #build(pattern: Pattern, from: number, to: number): void {
    if (pattern.type === 'set') {
      this.sets.push(pattern.set)
      this.#edge(from, (point) => has(pattern.set, point), to)
    } else if (pattern.type === 'sequence') this.#sequence(pattern.parts, from, to)
    else if (pattern.type === 'choice') for (const part of pattern.parts) this.#build(part, from, to)
    else if (pattern.type === 'repeat') this.#repeat(pattern, from, to)
    else {
      const mark = pattern.type === 'start' ? startMark : endMark
      this.#edge(from, (point) => point === mark, to)
    }
  }

  #sequence(parts: readonly Pattern[], from: number, to: number): void {
    let state = from
    for (const part of parts) {
      const next = this.#state()
      this.#build(part, state, next)
      state = next
    }
    this.#skip(state, to)
  }

  #repeat({ part, least, most }: Pattern & { readonly type: 'repeat' }, from: number, to: number): void {
    const isEndless = !Number.isFinite(most)
    const required = Array.from({ length: Math.min(least, maxStates) }, () => part)
    const last = this.#state()
    this.#sequence(required, from, last)
    let state = last
    for (let count = least; count < (isEndless ? least : most); count++) {
      const next = this.#state()
      this.#skip(state, to)
      this.#build(part, state, next)
      state = next
    }
    if (isEndless) {
      const loop = this.#state()
      this.#build(part, state, loop)
      this.#skip(loop, state)
    }
    this.#skip(state, to)
  }
}

/** @returns undefined for a pattern that is too large */
export function automatonOf(pattern: Pattern): Automaton | undefined {
  try {
    return new Automaton(pattern)
  } catch (error) {
    if (error instanceof TooLarge) return undefined
    throw error
  }
}
