/** Segments of JSON pointers (RFC 6901). */

/** Escapes a name (section 3). */
export const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** Reads a segment (section 4). */
export const unescapePointer = (segment: string): string =>
  segment.replaceAll('~1', '/').replaceAll('~0', '~')
