/** Places of problems for the log, without names that the client chose. */

/** Returns all names in a JSON text: property names, and the names of parameters. */
export function namesIn(document: string): ReadonlySet<string> {
  const found = document.matchAll(/"((?:[^"\\]|\\.)*)"\s*:(?:\s*"((?:[^"\\]|\\.)*)")?/g)
  const names = new Set<string>()
  for (const [, key = '', value = ''] of found) {
    names.add(key)
    if (key === 'name') names.add(value.toLowerCase()).add(value)
  }
  return names
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
