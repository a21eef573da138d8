/** Places of problems for the log, without names that the client chose. */

/** Scalar on one line (YAML 1.2.2, sections 7.3.1 to 7.3.3), which JSON writes in double quotes. */
const scalar = /"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([^\s"'{}[\],:#][^\n{}[\],:#]*)/.source
const keys = new RegExp(`(?:^[ \\t-]*|[{,]\\s*)(?:${scalar})\\s*:`, 'gm')
const named = new RegExp(`\\bname["']?\\s*:\\s*(?:${scalar})`, 'g')

/**
 * Returns all names in a text of YAML or JSON: property names, and the names of parameters. Does not parse it, which
 * takes seconds for a contract of 13 MB; a name that YAML spells in another way is hidden in the log.
 */
export function namesIn(text: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const name of namesOf(text, keys)) names.add(name)
  for (const name of namesOf(text, named)) names.add(name.toLowerCase()).add(name)
  return names
}

function* namesOf(text: string, pattern: RegExp): Generator<string> {
  for (const [, double, single, plain] of text.matchAll(pattern))
    yield double ?? single ?? String(plain).trim()
}

const rooms = new Set(['body', 'query', 'params', 'headers', 'cookies'])

/** Replaces each segment that is neither an index nor a name of the contract: `body/labels/*`. */
export function placesOf(place: string, names: ReadonlySet<string>): string {
  const isKnown = (segment: string) => rooms.has(segment) || names.has(segment) || /^\d{1,6}$/.test(segment)
  return place
    .split('/')
    .map((segment) => (isKnown(segment) ? segment : '*'))
    .join('/')
}
