/**
 * References by `$id`, `$anchor` and `$dynamicAnchor` (JSON Schema Core 2020-12, section 8.2) become references by JSON
 * pointer, which is all that the rest of the compiler needs to follow.
 */

import { arrayOf, isObject, type JsonObject, own, stringOf } from './json-value.ts'
import { atPointer } from './reference.ts'
import { contractNodes } from './walk.ts'

/** Of a contract that says no `$id`; nothing is ever fetched from it. */
export const unnamed = 'contract:/'

interface Visit {
  readonly node: JsonObject
  readonly pointer: string
  /** The schema resource that the node is of, which references in it are relative to. */
  readonly base: string
}

/** @returns absolute identifiers, `https://a.example/b` and `https://a.example/b#c`, with the JSON pointers they mean */
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

/** Rewrites them in place. A `$dynamicRef` that is left has a target that is a `$dynamicAnchor` (dynamic-references.ts). */
export function resolveIdentifiers(document: JsonObject): void {
  const identifiers = identifiersOf(document)
  for (const { node, base } of [...resourceNodes(document)]) {
    const reference = stringOf(own(node, '$ref'))
    const pointer = reference === undefined ? undefined : pointerFor(reference, base, identifiers)
    if (pointer !== undefined && !meansDocument(reference, pointer, document)) node['$ref'] = pointer
    resolveDynamic(node, base, { document, identifiers })
  }
}

/** What bundling writes, and many authors do, inside a schema with an `$id` too: `#` is the document then. */
function meansDocument(reference: string | undefined, pointer: string, document: JsonObject): boolean {
  return reference?.startsWith('#/') === true && atPointer(document, pointer) === undefined
}

interface Known {
  readonly document: JsonObject
  readonly identifiers: ReadonlyMap<string, string>
}

/** Section 8.2.3.2: unless what it leads to is a dynamic anchor of its name, the reference is like any other. */
function resolveDynamic(node: JsonObject, base: string, { document, identifiers }: Known): void {
  const reference = stringOf(own(node, '$dynamicRef'))
  if (reference === undefined) return
  const isLocal = base === unnamed && reference.startsWith('#/')
  const pointer = isLocal ? reference : pointerFor(reference, base, identifiers)
  if (pointer === undefined) return
  const target = atPointer(document, pointer)
  const anchor = isObject(target) ? stringOf(own(target, '$dynamicAnchor')) : undefined
  node['$dynamicRef'] = pointer
  if (anchor === undefined || anchor !== reference.split('#')[1]) replaceDynamic(node, pointer)
}

/** Beside a `$ref` it is one more schema that holds. */
export function replaceDynamic(node: JsonObject, pointer: string): void {
  delete node['$dynamicRef']
  if (own(node, '$ref') === undefined) node['$ref'] = pointer
  else node['allOf'] = [...arrayOf(own(node, 'allOf')), { $ref: pointer }]
}

/** Whether a reference means an identifier, whatever it is relative to. */
export function isIdentified(reference: string, identifiers: ReadonlyMap<string, string>): boolean {
  const bases = [unnamed, ...identifiers.keys()]
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

/** Parents first. */
export function* resourceNodes(document: JsonObject): Generator<Visit> {
  const bases = new Map<JsonObject, string>()
  for (const { node, pointer, parent } of contractNodes(document)) {
    const base = baseOf(node, (parent === undefined ? undefined : bases.get(parent)) ?? unnamed)
    bases.set(node, base)
    yield { node, pointer, base }
  }
}

function baseOf(node: JsonObject, base: string): string {
  const id = stringOf(own(node, '$id'))
  if (id === undefined || !URL.canParse(id, base)) return base
  return new URL(id, base).href.replace(/#$/, '')
}
