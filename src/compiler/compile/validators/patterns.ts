/** Finds the patterns of a contract that backtrack for too long on a text that they do not match. */
import { pattern } from '@contract-first/engine/model'
import { cpuTime, degreeOf } from './recheck.ts'
import { repetitionsOf, simplified } from './repetitions.ts'

/** CPU time in milliseconds that the checks of one compilation may use together. */
const budget = 10_000

/** Steps that a pattern may take for one text: at about 3 ns each, 30 ms. */
const maxSteps = 10_000_000

/** Lengths to recommend. */
const lengths = Array.from({ length: 21 }, (_, index) => 2 ** index)

/** Counts and degree of a pattern that was not checked: the same for all, because a report counts equal sentences. */
const unchecked = [[Infinity], 3] as const

/** Degrees by expression, for the views of a contract and the compilations of a process. */
const known = new Map<string, number | undefined>()

export interface SlowPattern {
  /** 2 for quadratic time and so on, Infinity for exponential time; undefined for a pattern that was not checked. */
  readonly degree: number | undefined
  /** Length of texts that bounds the time, unless that is exponential. */
  readonly maxLength: number
}

/** Checks the patterns of one compilation. */
export class PatternChecks {
  #left: number

  constructor(milliseconds = budget) {
    this.#left = milliseconds
  }

  /** @param source a valid regular expression, for texts of at most `maxLength` characters */
  slow(source: string, maxLength: number): SlowPattern | undefined {
    const { counts, hasGroup } = repetitionsOf(source)
    if (!hasGroup && (counts.length < 2 || !isSlow(counts, counts.length, maxLength))) return undefined
    const degree = this.#degree(simplified(source), pattern(source).flags)
    if (degree === Infinity) return { degree, maxLength: 0 }
    const [sizes, power] = degree === undefined ? unchecked : [counts, degree]
    if (power === 1 || !isSlow(sizes, power, maxLength)) return undefined
    return { degree, maxLength: Math.max(...lengths.filter((length) => !isSlow(sizes, power, length))) }
  }

  #degree(source: string, flags: string): number | undefined {
    if (known.has(source) || this.#left <= 0) return known.get(source)
    const start = cpuTime()
    known.set(source, degreeOf(source, flags))
    this.#left -= cpuTime() - start
    return known.get(source)
  }
}

/** Multiplies the largest counts, of which none is larger than the text; in a repeated group one counts often. */
function isSlow(counts: readonly number[], degree: number, length: number): boolean {
  const sizes = counts.map((count) => Math.min(count, length)).sort((a, b) => b - a)
  const largest = Math.max(1, ...sizes)
  const factors = Array.from({ length: degree }, (_, index) => sizes[index] ?? largest)
  return factors.reduce((product, size) => product * size, 1) > maxSteps
}
