/** Recognises misspelt keywords. */

/** Keywords for documentation only: misspelling one changes nothing that is served. */
const descriptive = new Set([
  ...['description', 'summary', 'title', 'example', 'examples', 'externalDocs', 'deprecated']
])

/**
 * Returns true when the name looks like a misspelling of the keyword. Keywords for documentation, and those that
 * identify schemas (`$id`), constrain nothing: no name is taken for one of them.
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

/**
 * Returns the known name that is probably meant: one that resembles it, or that begins with it
 * (`string` for `str`).
 */
export function nearest(written: string, known: Iterable<string>): string | undefined {
  const names = [...known]
  const begun = written.length >= 3 ? names.find((name) => name.startsWith(written.toLowerCase())) : undefined
  return names.find((name) => resembles(written, name)) ?? begun
}

/** Returns the end of a message that suggests a name; an empty text without a suggestion. */
export function didYouMean(written: string, known: Iterable<string>): string {
  const meant = nearest(written, known)
  return meant === undefined ? '' : `; did you mean ${meant}?`
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
