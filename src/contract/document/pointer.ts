/**
 * JSON pointers (RFC 6901). A pointer that the compiler makes is escaped only. A reference holds a pointer
 * as a URI fragment, which is percent-encoded after it is escaped, and therefore decoded before it is unescaped.
 */
import { escapePointer, unescapePointer } from '@contract-first/engine/json'

export { escapePointer, unescapePointer }

/** Reads the segments of a fragment with its `#/` (section 6); keeps a malformed % as it is. */
export const fragmentSegments = (fragment: string): string[] =>
  fragment
    .replace(/^#\/?/, '')
    .split('/')
    .map((segment) => unescapePointer(percentDecoded(segment)))

/** Decodes a part of a URI; keeps one with a malformed % as it is. */
export function percentDecoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Writes segments as a fragment in the form that every reference of the bundled document has. */
export const fragmentOf = (segments: readonly string[]): string =>
  `#/${segments.map((segment) => escapePointer(segment).replaceAll('%', '%25')).join('/')}`

/** Rewrites the pointer of a reference, if it has one, so that all that read it agree: `a.yaml#/b%7E1c` is `a.yaml#/b~1c`. */
export function canonicalReference(reference: string): string {
  const start = reference.indexOf('#/')
  if (start < 0 || !/[%~]/.test(reference)) return reference
  return reference.slice(0, start) + fragmentOf(fragmentSegments(reference.slice(start)))
}
