/**
 * Rewrites references by `$id`, `$anchor` and `$dynamicAnchor` (JSON Schema Core 2020-12, section 8.2) as JSON
 * pointers, the only kind that the rest of the compiler follows.
 */

import { arrayOf, isObject, type JsonObject, own, stringOf } from './json-value.ts'
import { fragmentOf, unescapePointer } from './pointer.ts'
import { atPointer } from './reference.ts'
import { contractNodes } from './walk.ts'

/** Base URI of a contract without `$id`; nothing is fetched from it. */
export const defaultBase = 'contract:/'

interface Visit {
  readonly node: JsonObject
  /** Fragment of a reference to the node. */
  readonly pointer: string
  /** Base URI of the node's schema resource, for the references in it. */
  readonly base: string
}

/**
 * Returns JSON pointers by absolute identifier: `https://a.example/b`, `https://a.example/b#c`. Ambiguous identifiers
 * are left out.
 */
export function identifiersOf(document: JsonObject): Map<string, string> {
  const found = new Map<string, string>()
  const ambiguous = new Set<string>()
  for (const { node, pointer, base } of resourceNodes(document)) {
    if (stringOf(own(node, '$id')) !== undefined) found.set(base, pointer)
    for (const key of ['$anchor', '$dynamicAnchor']) {
      const anchor = stringOf(own(node, key))
      if (anchor === undefined) continue
      const identifier = `${base}#${anchor}`
      if (found.has(identifier) && found.get(identifier) !== pointer) ambiguous.add(identifier)
      found.set(identifier, pointer)
    }
  }
  for (const identifier of ambiguous) found.delete(identifier)
  return found
}

/**
 * Rewrites references in place. A remaining `$dynamicRef` leads to a `$dynamicAnchor` (dynamic-references.ts binds it).
 */
export function resolveIdentifiers(document: JsonObject): void {
  const identifiers = identifiersOf(document)
  for (const { node, base } of [...resourceNodes(document)]) {
    const reference = stringOf(own(node, '$ref'))
    const pointer = reference === undefined ? undefined : pointerFor(reference, base, identifiers)
    if (pointer !== undefined && !meansDocument(reference, pointer, document)) node['$ref'] = pointer
    resolveDynamic(node, base, { document, identifiers })
  }
}

/**
 * Returns true when `#/…` means the whole document although the schema has an `$id`: bundlers and many authors write
 * this.
 */
function meansDocument(reference: string | undefined, pointer: string, document: JsonObject): boolean {
  return reference?.startsWith('#/') === true && atPointer(document, pointer) === undefined
}

interface Context {
  readonly document: JsonObject
  readonly identifiers: ReadonlyMap<string, string>
}

/** Makes a `$dynamicRef` plain unless its target is a dynamic anchor of the same name (section 8.2.3.2). */
function resolveDynamic(node: JsonObject, base: string, { document, identifiers }: Context): void {
  const reference = stringOf(own(node, '$dynamicRef'))
  if (reference === undefined) return
  const isLocal = base === defaultBase && reference.startsWith('#/')
  const pointer = isLocal ? reference : pointerFor(reference, base, identifiers)
  if (pointer === undefined) return
  const target = atPointer(document, pointer)
  const anchor = isObject(target) ? stringOf(own(target, '$dynamicAnchor')) : undefined
  node['$dynamicRef'] = pointer
  if (anchor === undefined || anchor !== reference.split('#')[1]) replaceDynamic(node, pointer)
}

/** Replaces a `$dynamicRef` by a plain reference; beside a `$ref` by another branch of `allOf`. */
export function replaceDynamic(node: JsonObject, pointer: string): void {
  delete node['$dynamicRef']
  if (own(node, '$ref') === undefined) node['$ref'] = pointer
  else node['allOf'] = [...arrayOf(own(node, 'allOf')), { $ref: pointer }]
}

/** Returns true when a reference names an identifier, relative to any of the bases. */
export function isIdentified(reference: string, identifiers: ReadonlyMap<string, string>): boolean {
  const bases = [defaultBase, ...identifiers.keys()]
  return bases.some((base) => pointerFor(reference, base, identifiers) !== undefined)
}

function pointerFor(
  reference: string,
  base: string,
  identifiers: ReadonlyMap<string, string>
): string | undefined {
  if (!URL.canParse(reference, base)) return undefined
  const [resource = '', fragment = ''] = new URL(reference, base).href.split('#')
  if (fragment !== '' && !fragment.startsWith('/')) return identifiers.get(`${resource}#${fragment}`)
  const pointer = identifiers.get(resource)
  return pointer === undefined ? undefined : `${pointer}${fragment}`
}

/** Yields the nodes of the document with their base URIs, parents first. */
export function* resourceNodes(document: JsonObject): Generator<Visit> {
  const bases = new Map<JsonObject, string>()
  for (const { node, pointer, parent } of contractNodes(document)) {
    const base = baseOf(node, (parent === undefined ? undefined : bases.get(parent)) ?? defaultBase)
    bases.set(node, base)
    yield { node, pointer: fragmentOf(pointer.split('/').slice(1).map(unescapePointer)), base }
  }
}

function baseOf(node: JsonObject, base: string): string {
  const id = stringOf(own(node, '$id'))
  if (id === undefined || !URL.canParse(id, base)) return base
  return new URL(id, base).href.replace(/#$/, '')
}
