/** Decides if an unknown keyword is a misspelt one. */

/** Keywords for readers only: misspelt, they change nothing that is served. */
const descriptive = new Set([
  'description',
  'summary',
  'title',
  'example',
  'examples',
  'externalDocs',
  'deprecated'
])

/**
 * Returns whether the name looks like the keyword misspelt. Keywords for readers, and those that identify schemas (`$id`),
 * constrain nothing: no name is taken for one of them.
 */
export function isNearMiss(written: string, meant: string): boolean {
  if (/^x-/i.test(written) || /^(x-|\$)/i.test(meant) || descriptive.has(meant)) return false
  return resembles(written, meant)
}

/** Returns whether the names differ by letter case, hyphens, underscores, and at most one edit. */
export function resembles(written: string, meant: string): boolean {
  const [a, b] = [normalise(written), normalise(meant)]
  return a === b || (Math.min(a.length, b.length) >= 4 && isOneEdit(a, b))
}

const normalise = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, '')

/** Returns whether one letter is missing, added or replaced, or two neighbours are swapped. */
function isOneEdit(a: string, b: string): boolean {
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  const [restA, restB] = [a.slice(start), b.slice(start)]
  const swapped = `${restB[1] ?? ''}${restB[0] ?? ''}${restB.slice(2)}`
  return (
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    restA === swapped
  )
}
