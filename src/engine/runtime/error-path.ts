/** Bounds the paths of errors: the client chooses the names, and a thousand errors may each repeat a long one. */

/** Longest name in a path. Messages show 64 characters of it (server/errors/instance-location.ts). */
const maxNameLength = 200
const maxPathLength = 4096

/** Cache of the last name and its segment, which all items of one member share. */
let last = { name: '', segment: '' }

/** Returns a segment of a JSON pointer (RFC 6901, section 3); truncates a long name. */
export function pointerSegment(name: string): string {
  const short = name.length > maxNameLength ? name.slice(0, maxNameLength) : name
  if (short !== last.name) last = { name: short, segment: short.replaceAll('~', '~0').replaceAll('/', '~1') }
  return last.segment
}

/** Removes the middle of a long path; messages show both ends. */
export function boundedPath(path: string): string {
  if (path.length <= maxPathLength) return path
  return `${path.slice(0, maxPathLength / 4)}…${path.slice(-maxPathLength / 4)}`
}
