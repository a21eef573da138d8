/** Reads the repetitions of a regular expression, which decide how long it backtracks. */

interface Repetition {
  readonly isGroup: boolean
  readonly min: number
  readonly max: number
}

export interface Repetitions {
  /** Largest count of each repetition that may end early, and one more for the search of an expression without `^`. */
  readonly counts: readonly number[]
  /** True if a group repeats: its parts may match a text in many ways. */
  readonly hasGroup: boolean
}

/** Matches a character class, an escape, or a repetition together with the end of its group. */
const token =
  /\[(?:\\.|[^\]\\])*\]|\\(?:[upP]\{[^}]*\}|.)|(?<end>\)?)(?<count>[*+]|\{(?<min>\d+)(?:,(?<max>\d*))?\})/gs

/** Counts beyond which a repetition is as slow as without a bound: a group may match 20 times in 2 ** 20 ways. */
const small = { group: 20, character: 3 }

/** @param source a valid regular expression */
export function repetitionsOf(source: string): Repetitions {
  const all: Repetition[] = []
  replaced(source, (repetition, text) => {
    all.push(repetition)
    return text
  })
  const counts = all.filter(({ min, max }) => min < max).map(({ max }) => max)
  // A reference to a group repeats what the group has matched.
  const others = Number(/\\[1-9k]/.test(source)) + Number(!/^\^[^|]*$/.test(source.replaceAll(token, '')))
  return {
    counts: [...counts, ...Array<number>(others).fill(Infinity)],
    hasGroup: all.some(({ isGroup }) => isGroup)
  }
}

/**
 * Returns an expression that backtracks in the same way and is faster to analyse: large counts become short where they
 * are exact, otherwise unbounded, and groups lose their flags.
 */
export function simplified(source: string): string {
  const simple = replaced(source, ({ isGroup, min, max }, text) => {
    if (max <= (isGroup ? small.group : small.character)) return text
    if (min === max && !isGroup) return `{${small.character}}`
    return `${isGroup ? ')' : ''}${min === 0 ? '*' : '+'}`
  })
  return simple.replaceAll(/\(\?[ims-]+:/g, '(?:')
}

function replaced(source: string, replacement: (repetition: Repetition, text: string) => string): string {
  return source.replaceAll(token, (text, ...rest) => {
    const { end, count, min, max = min } = rest.at(-1) as Record<string, string | undefined>
    if (count === undefined) return text
    const least = min ?? (count === '*' ? 0 : 1)
    return replacement({ isGroup: end === ')', min: Number(least), max: Number(max || Infinity) }, text)
  })
}
