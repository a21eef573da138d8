/** Bounds the paths of errors: a client chooses the names in a body, and a thousand errors may repeat a name each. */

/** Messages show 64 characters of a name (server/errors/instance-location.ts). */
const maxNameLength = 200
const maxPathLength = 4096

/** The last name and its segment: the items of one member have the same. */
let last = { name: '', segment: '' }

/** Returns a segment of a JSON pointer (RFC 6901, section 3), without the end of a long name. */
export function pointerSegment(name: string): string {
  const short = name.length > maxNameLength ? name.slice(0, maxNameLength) : name
  if (short !== last.name) last = { name: short, segment: short.replaceAll('~', '~0').replaceAll('/', '~1') }
  return last.segment
}

/** Cuts the middle out of a long path, of which a message shows the ends. */
export function boundedPath(path: string): string {
  if (path.length <= maxPathLength) return path
  return `${path.slice(0, maxPathLength / 4)}…${path.slice(-maxPathLength / 4)}`
}
