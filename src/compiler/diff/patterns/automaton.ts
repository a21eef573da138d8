/** Non-deterministic automata of patterns (Thompson's construction), which read a text between two marks. */
import { type CharacterSet, everyCharacter, has } from './character-sets.ts'
import type { Pattern } from './parse-pattern.ts'

/** Marks for the start and the end of a text. */
export const startMark = -1
export const endMark = -2

/** A state of an automaton; `id` is its number. */
export interface State {
  readonly id: number
  readonly isEnd: boolean
  readonly edges: { readonly accepts: (point: number) => boolean; readonly to: State }[]
  /** States that are reached without a character. */
  readonly free: State[]
}

export type States = ReadonlySet<State>

/** Most states of a pattern that is compared. */
const maxStates = 4_000

/** Returns the number of states that a pattern needs at most. */
function sizeOf(pattern: Pattern): number {
  if (pattern.type === 'sequence' || pattern.type === 'choice')
    return pattern.parts.reduce((sum, part) => sum + 1 + sizeOf(part), 1)
  if (pattern.type !== 'repeat') return 1
  const times = Number.isFinite(pattern.most) ? pattern.most : pattern.least + 1
  return 2 + times * (1 + sizeOf(pattern.part))
}

export class Automaton {
  readonly sets: CharacterSet[] = [everyCharacter]
  readonly start: States
  #count = 0

  constructor(pattern: Pattern) {
    const [first, last] = [this.#state(), this.#state(true)]
    // Patterns are not anchored: any text may precede and follow a match (JSON Schema Validation 2020-12, section
    // 6.3.3).
    for (const state of [first, last]) state.edges.push({ accepts: () => true, to: state })
    this.#build(pattern, first, last)
    this.start = closure([first])
  }

  #state(isEnd = false): State {
    return { id: this.#count++, isEnd, edges: [], free: [] }
  }

  #build(pattern: Pattern, from: State, to: State): void {
    if (pattern.type === 'set') {
      this.sets.push(pattern.set)
      from.edges.push({ accepts: (point) => has(pattern.set, point), to })
    } else if (pattern.type === 'sequence') this.#sequence(pattern.parts, from, to)
    else if (pattern.type === 'choice') for (const part of pattern.parts) this.#build(part, from, to)
    else if (pattern.type === 'repeat') this.#repeat(pattern, from, to)
    else {
      const mark = pattern.type === 'start' ? startMark : endMark
      from.edges.push({ accepts: (point) => point === mark, to })
    }
  }

  #sequence(parts: readonly Pattern[], from: State, to: State): void {
    let state = from
    for (const part of parts) {
      const next = this.#state()
      this.#build(part, state, next)
      state = next
    }
    state.free.push(to)
  }

  #repeat({ part, least, most }: Pattern & { readonly type: 'repeat' }, from: State, to: State): void {
    const isEndless = !Number.isFinite(most)
    const required = Array.from({ length: least }, () => part)
    const last = this.#state()
    this.#sequence(required, from, last)
    let state = last
    for (let count = least; count < (isEndless ? least : most); count++) {
      const next = this.#state()
      state.free.push(to)
      this.#build(part, state, next)
      state = next
    }
    if (isEndless) {
      const loop = this.#state()
      this.#build(part, state, loop)
      loop.free.push(state)
    }
    state.free.push(to)
  }
}

function closure(states: readonly State[]): States {
  const found = new Set(states)
  for (const state of found) for (const next of state.free) found.add(next)
  return found
}

export const isAccepted = (states: States): boolean => [...states].some(({ isEnd }) => isEnd)

/** Returns the states after one more character or mark. */
export function step(states: States, point: number): States {
  const edges = [...states].flatMap((state) => state.edges.filter(({ accepts }) => accepts(point)))
  return closure(edges.map(({ to }) => to))
}

/** @returns undefined for a pattern that is too large */
export const automatonOf = (pattern: Pattern): Automaton | undefined =>
  sizeOf(pattern) > maxStates ? undefined : new Automaton(pattern)
