/** Pointers, and references within the bundled document (OpenAPI 3.1.0, section 4.8.23), followed one step or to the end. */
import { escapePointer, unescapePointer } from '@contract-first/engine/json'
import { define, isObject, type Json, type JsonObject, objectOf, own, stringOf } from '../model/json.ts'

export { escapePointer, unescapePointer }

/** Reads the segments of a fragment with its `#/` (RFC 6901, section 6); keeps a malformed % as it is. */
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

/** Returns the value at the fragment `#/a/b`, own properties only; undefined if there is none. */
export const atPointer = (document: JsonObject, fragment: string): Json | undefined =>
  atPath(document, fragmentSegments(fragment))

/** Returns the value under keys and indexes, own properties only; undefined if there is none. */
export function atPath(document: Json | undefined, path: readonly string[]): Json | undefined {
  let node: Json | undefined = document
  for (const segment of path) {
    if (Array.isArray(node)) node = node[Number(segment)]
    else if (isObject(node)) node = own(node, segment)
    else return undefined
  }
  return node
}

/** Returns the reference of a node if it is a JSON pointer; identifiers.ts rewrites the other kinds. */
export function pointerOf(node: JsonObject): string | undefined {
  const reference = stringOf(own(node, '$ref'))
  return reference?.startsWith('#/') ? reference : undefined
}

/** Follows references to the first object that is not a reference; undefined if the chain breaks or is a cycle. */
export function dereference(document: JsonObject, node: Json | undefined): JsonObject | undefined {
  const end = endOf(document, node)
  return isObject(end) ? end : undefined
}

/** Returns a section of `components`; an empty object without one. */
export const componentsOf = (document: JsonObject, section: string): JsonObject =>
  objectOf(own(objectOf(own(document, 'components')), section))

/** Follows references; returns an empty object if the chain breaks. */
export function resolved(document: JsonObject, node: Json | undefined): JsonObject {
  return dereference(document, node) ?? {}
}

/** Follows references to the first value that is not a reference; undefined if the chain breaks or is a cycle. */
export function endOf(document: JsonObject, node: Json | undefined): Json | undefined {
  const seen = new Set<string>()
  let current = node
  while (isObject(current)) {
    const pointer = pointerOf(current)
    if (pointer === undefined) return current
    if (seen.has(pointer)) return undefined
    seen.add(pointer)
    current = atPointer(document, pointer)
  }
  return current
}

/** Rewrites what a node refers to: by `$ref`, by `$dynamicRef` and by the mapping of its discriminator. */
export function rewriteReferences(node: JsonObject, rewrite: (reference: string) => string): void {
  rewriteMembers(node, ['$ref', '$dynamicRef'], rewrite)
  const discriminator = own(node, 'discriminator')
  if (!isObject(discriminator)) return
  rewriteMembers(discriminator, ['defaultMapping'], rewrite)
  const mapping = objectOf(own(discriminator, 'mapping'))
  rewriteMembers(mapping, Object.keys(mapping), rewrite)
}

function rewriteMembers(
  holder: JsonObject,
  keys: readonly string[],
  rewrite: (reference: string) => string
): void {
  for (const key of keys) {
    const reference = own(holder, key)
    if (typeof reference !== 'string') continue
    const written = rewrite(reference)
    if (written !== reference) define(holder, key, written)
  }
}
