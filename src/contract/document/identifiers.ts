/**
 * Rewrites references by `$id`, `$anchor` and `$dynamicAnchor` (JSON Schema Core 2020-12, section 8.2) as JSON
 * pointers, the only kind that the rest of the compiler follows.
 */
import { arrayOf, define, isObject, type JsonObject, own, stringOf } from '../model/json.ts'
import { atPointer, fragmentOf } from './reference.ts'
import { type ContractNode, contractNodes } from './walk.ts'

/** Base URI of a contract without `$id`; nothing is fetched from it. */
export const defaultBase = 'contract:/'

/** Returns JSON pointers by absolute identifier: `https://a.example/b`, `https://a.example/b#c`. */
export const identifiersOf = (document: JsonObject): Map<string, string> =>
  identifiersIn(contractNodes(document)).found

/** Returns false for the text of a file that names no schema, also by escapes: most contracts need no walk for them. */
export const mayNameSchemas = (text: string): boolean =>
  /\$(?:id|anchor|dynamicAnchor|dynamicRef)\b|\\(?:u00|x|U0{6})[2-7]/.test(text)

function identifiersIn(nodes: Iterable<ContractNode>): {
  readonly found: Map<string, string>
  readonly ambiguous: ReadonlySet<string>
} {
  const found = new Map<string, string>()
  const ambiguous = new Set<string>()
  for (const each of nodes) {
    if (stringOf(own(each.node, '$id')) !== undefined) found.set(baseOf(each), fragmentOf(each.path))
    for (const key of ['$anchor', '$dynamicAnchor']) {
      const anchor = stringOf(own(each.node, key))
      if (anchor === undefined) continue
      const [identifier, pointer] = [`${baseOf(each)}#${anchor}`, fragmentOf(each.path)]
      if (found.has(identifier) && found.get(identifier) !== pointer) ambiguous.add(identifier)
      found.set(identifier, pointer)
    }
  }
  return { found, ambiguous }
}

/**
 * Rewrites references in place. A remaining `$dynamicRef` leads to a `$dynamicAnchor` (dynamic-references.ts binds it).
 */
export function resolveIdentifiers(document: JsonObject): void {
  const nodes = [...contractNodes(document)]
  const identifiers = resolveStatic(document, nodes)
  for (const each of nodes) resolveDynamic(each, { document, identifiers })
}

/** Rewrites the plain references of a file in place, before it becomes a part of another document. */
export const resolveInFile = (document: JsonObject): void =>
  void resolveStatic(document, [...contractNodes(document)])

/** @returns the identifiers */
function resolveStatic(document: JsonObject, nodes: readonly ContractNode[]): ReadonlyMap<string, string> {
  const { found: identifiers, ambiguous } = identifiersIn(nodes)
  for (const identifier of ambiguous) identifiers.delete(identifier)
  if (identifiers.size === 0) return identifiers
  for (const each of nodes) {
    const reference = stringOf(own(each.node, '$ref'))
    const pointer = reference === undefined ? undefined : pointerFor(reference, baseOf(each), identifiers)
    if (pointer !== undefined && !meansDocument(reference, pointer, document))
      define(each.node, '$ref', pointer)
  }
  return identifiers
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
function resolveDynamic(visited: ContractNode, { document, identifiers }: Context): void {
  const { node } = visited
  const reference = stringOf(own(node, '$dynamicRef'))
  if (reference === undefined) return
  const base = baseOf(visited)
  const isLocal = base === defaultBase && reference.startsWith('#/')
  const pointer = isLocal ? reference : pointerFor(reference, base, identifiers)
  if (pointer === undefined) return
  const target = atPointer(document, pointer)
  const anchor = isObject(target) ? stringOf(own(target, '$dynamicAnchor')) : undefined
  define(node, '$dynamicRef', pointer)
  if (anchor === undefined || anchor !== reference.split('#')[1]) replaceDynamic(node, pointer)
}

/** Replaces a `$dynamicRef` by a plain reference; beside a `$ref` by another branch of `allOf`. */
export function replaceDynamic(node: JsonObject, pointer: string): void {
  Reflect.deleteProperty(node, '$dynamicRef')
  if (own(node, '$ref') === undefined) define(node, '$ref', pointer)
  else define(node, 'allOf', [...arrayOf(own(node, 'allOf')), { $ref: pointer }])
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

/** Returns the base URI of the schema resource that has the node, for the references in it. */
export function baseOf({ node, holder }: ContractNode): string {
  const base = holder === undefined ? defaultBase : baseOf(holder)
  const id = stringOf(own(node, '$id'))
  if (id === undefined || !URL.canParse(id, base)) return base
  return new URL(id, base).href.replace(/#$/, '')
}
