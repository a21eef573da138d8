/**
 * References by `$id` and `$anchor` (JSON Schema Core 2020-12, section 8.2) become references by JSON pointer, which is
 * all that the rest of the compiler needs to follow.
 */
import { escapePointer, isObject, type Json, type JsonObject, own, stringOf } from './json.ts'

/** Of a contract that says no `$id`; nothing is ever fetched from it. */
const unnamed = 'contract:/'
/** Values, not schemas: an `$id` or a `$ref` in them is just a member. */
const opaque = new Set(['example', 'examples', 'default', 'enum', 'const'])

interface Visit {
  readonly node: JsonObject
  readonly pointer: string
  /** What references in the node are relative to. */
  readonly base: string
}

/** @returns absolute identifiers, `https://a.example/b` and `https://a.example/b#c`, with the JSON pointers they mean */
export function identifiersOf(document: JsonObject): Map<string, string> {
  const found = new Map<string, string>()
  for (const { node, pointer, base } of nodesOf(document)) {
    if (stringOf(own(node, '$id')) !== undefined) found.set(base, pointer)
    for (const key of ['$anchor', '$dynamicAnchor']) {
      const anchor = stringOf(own(node, key))
      if (anchor !== undefined && !found.has(`${base}#${anchor}`)) found.set(`${base}#${anchor}`, pointer)
    }
  }
  return found
}

/** Rewrites them in place. */
export function resolveIdentifiers(document: JsonObject): void {
  const identifiers = identifiersOf(document)
  if (identifiers.size === 0) return
  const dynamic = dynamicAnchorsOf(document)
  for (const { node, base } of [...nodesOf(document)]) {
    resolveDynamic(node, dynamic)
    const reference = stringOf(own(node, '$ref'))
    const pointer = reference === undefined ? undefined : pointerFor(reference, base, identifiers)
    if (pointer !== undefined) node['$ref'] = pointer
  }
}

/** Pointers by the name of the `$dynamicAnchor`. */
function dynamicAnchorsOf(document: JsonObject): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { node, pointer } of nodesOf(document)) {
    const name = stringOf(own(node, '$dynamicAnchor'))
    if (name !== undefined) found.set(name, [...(found.get(name) ?? []), pointer])
  }
  return found
}

/** Where there is one anchor of its name, a dynamic reference is like any other; schema.ts refuses what is left. */
function resolveDynamic(node: JsonObject, anchors: ReadonlyMap<string, readonly string[]>): void {
  const name = stringOf(own(node, '$dynamicRef'))?.split('#').at(-1) ?? ''
  const [pointer, ...others] = anchors.get(name) ?? []
  if (pointer === undefined || others.length > 0 || own(node, '$ref') !== undefined) return
  node['$ref'] = pointer
  delete node['$dynamicRef']
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

function* nodesOf(document: JsonObject): Generator<Visit> {
  const seen = new Set<Json>()
  const pending: Visit[] = [{ node: document, pointer: '#', base: unnamed }]
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    const { node, pointer } = visit
    if (seen.has(node)) continue
    seen.add(node)
    const base = baseOf(node, visit.base)
    yield { node, pointer, base }
    for (const [key, child] of Object.entries(node)) {
      if (opaque.has(key) || key.startsWith('x-')) continue
      for (const [segment, item] of members(key, child)) {
        pending.push({ node: item, pointer: `${pointer}/${segment}`, base })
      }
    }
  }
}

function members(key: string, child: Json): [string, JsonObject][] {
  const name = escapePointer(key)
  if (isObject(child)) return [[name, child]]
  if (!Array.isArray(child)) return []
  return child.flatMap((item, index) =>
    isObject(item) ? [[`${name}/${index}`, item] as [string, JsonObject]] : []
  )
}

function baseOf(node: JsonObject, base: string): string {
  const id = stringOf(own(node, '$id'))
  if (id === undefined || !URL.canParse(id, base)) return base
  return new URL(id, base).href.replace(/#$/, '')
}
