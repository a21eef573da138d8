/** Every object of a contract, wherever the author names its members and whatever those names are. */
import { escapePointer, isObject, type Json, type JsonObject } from './json-value.ts'

/** Keywords whose members are named by the author: `default`, `example` and `x-id` there are just names. */
export const namedMembers: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions'],
  ...['schemas', 'responses', 'parameters', 'requestBodies', 'headers', 'pathItems', 'callbacks'],
  ...['paths', 'webhooks', 'content', 'encoding']
])
/** Of these the members are named by the author, except for extensions (OpenAPI 3.1.0, sections 4.8.8, 4.8.16, 4.8.18). */
const extensible = new Set(['paths', 'responses', 'callbacks'])
/** Values, not parts of the contract: an `$id` or a `$ref` in them is just a member. */
export const opaque: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const'])

export interface ContractNode {
  readonly node: JsonObject
  /** A JSON pointer by which the node can be reached. */
  readonly pointer: string
  /** The object that holds it, a list between them or not. */
  readonly parent: JsonObject | undefined
  /** The keyword whose members the node's are, where the author names them. */
  readonly names: string | undefined
}

/**
 * Each once, parents first. What is inside examples, defaults and `x-*` is nobody's business.
 * @param seen left out, and added to
 */
export function* contractNodes(document: JsonObject, seen = new Set<Json>()): Generator<ContractNode> {
  const pending: ContractNode[] = [{ node: document, pointer: '#', parent: undefined, names: undefined }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (seen.has(next.node)) continue
    seen.add(next.node)
    yield next
    for (const [key, child] of Object.entries(next.node)) {
      if (!isPart(key, next.names)) continue
      const names = next.names === undefined && namedMembers.has(key) ? key : undefined
      for (const [segment, node] of objectsIn(key, child)) {
        const isList = node !== child
        const pointer = `${next.pointer}/${segment}`
        pending.push({ node, pointer, parent: next.node, names: isList ? undefined : names })
      }
    }
  }
}

/** @param names as in `ContractNode`, of the object that has the key */
export function isPart(key: string, names: string | undefined): boolean {
  const isName = names !== undefined && !(extensible.has(names) && key.startsWith('x-'))
  return isName || !(opaque.has(key) || key.startsWith('x-'))
}

function objectsIn(key: string, child: Json): [string, JsonObject][] {
  const name = escapePointer(key)
  if (isObject(child)) return [[name, child]]
  if (!Array.isArray(child)) return []
  return child.flatMap((item, index) =>
    isObject(item) ? [[`${name}/${index}`, item] as [string, JsonObject]] : []
  )
}
