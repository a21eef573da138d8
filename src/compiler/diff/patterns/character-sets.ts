/** Sets of code points, as sorted ranges. */

export type Range = readonly [first: number, last: number]
export type CharacterSet = readonly Range[]

export const lastCodePoint = 0x10ffff
export const everyCharacter: CharacterSet = [[0, lastCodePoint]]

export const digits: CharacterSet = [[48, 57]]
export const wordCharacters: CharacterSet = [...digits, [65, 90], [95, 95], [97, 122]]

/** White space and line terminators (ECMA-262, sections 12.2 and 12.3). */
export const spaces: CharacterSet = [
  [9, 13],
  [32, 32],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff]
]

const lineTerminators: CharacterSet = [
  [10, 10],
  [13, 13],
  [0x2028, 0x2029]
]

/** Returns the code points that are not in the set. */
export function complement(set: CharacterSet): CharacterSet {
  const sorted = set.toSorted(([a], [b]) => a - b)
  const gaps: Range[] = []
  let next = 0
  for (const [first, last] of sorted) {
    if (first > next) gaps.push([next, first - 1])
    next = Math.max(next, last + 1)
  }
  return next > lastCodePoint ? gaps : [...gaps, [next, lastCodePoint]]
}

export const anyButLineTerminators: CharacterSet = complement(lineTerminators)

/** Returns one code point for each class of code points that all sets treat alike; surrogates are left out. */
export function representatives(sets: readonly CharacterSet[]): number[] {
  const starts = new Set([0, 97, 0xe000])
  for (const [first, last] of sets.flat()) starts.add(first).add(last + 1)
  return [...starts]
    .filter((point) => point <= lastCodePoint && !(point >= 0xd800 && point < 0xe000))
    .sort((a, b) => Number(isPlain(b)) - Number(isPlain(a)) || a - b)
}

/** Recognises letters and digits, which come first so that examples are readable. */
const isPlain = (point: number): boolean => has(wordCharacters, point)

export const has = (set: CharacterSet, point: number): boolean =>
  set.some(([first, last]) => first <= point && point <= last)
