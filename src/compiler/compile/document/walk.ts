/** Walks every object of a contract; names chosen by the author are never taken for keywords. */
import { isObject, type Json, type JsonObject } from './json-value.ts'
import { escapePointer } from './pointer.ts'

/** Keywords whose members the author names: `default`, `example` and `x-id` are names there, not keywords. */
export const namedMembers: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions'],
  ...[
    'schemas',
    'responses',
    'parameters',
    'requestBodies',
    'headers',
    'pathItems',
    'callbacks',
    'mediaTypes'
  ],
  ...['paths', 'webhooks', 'additionalOperations', 'content', 'encoding']
])
/** Keywords whose `x-*` members are extensions nevertheless (OpenAPI 3.1.0, sections 4.8.8, 4.8.16, 4.8.18). */
const extensible = new Set(['paths', 'responses', 'callbacks'])
/** Keywords that hold data: an `$id` or a `$ref` in them has no meaning. */
const dataKeywords: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const'])

export interface ContractNode {
  readonly node: JsonObject
  /** A JSON pointer by which the node can be reached. */
  readonly pointer: string
  /** Object that holds the node, directly or in a list. */
  readonly parent: JsonObject | undefined
  /** Keyword that holds the node, if the author names the node's members. */
  readonly names: string | undefined
}

/**
 * Yields each object once, parents first. Examples, defaults and `x-*` hold data, not parts of the contract, and are skipped.
 * @param seen objects to skip; visited ones are added
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

/**
 * Returns true when the member `key` is a part of the contract.
 * @param names `ContractNode.names` of the object that has the key
 */
export function isPart(key: string, names: string | undefined): boolean {
  const isName = names !== undefined && !(extensible.has(names) && key.startsWith('x-'))
  return isName || !(dataKeywords.has(key) || key.startsWith('x-'))
}

/**
 * Returns the keyword that makes the value at the pointer data; undefined for a part of the contract.
 * @param pointer segments as they are in the document
 */
export function dataKeywordOf(pointer: readonly string[]): string | undefined {
  let names: string | undefined
  for (const key of pointer) {
    if (!isPart(key, names)) return key
    names = names === undefined && namedMembers.has(key) ? key : undefined
  }
  return undefined
}

function objectsIn(key: string, child: Json): [string, JsonObject][] {
  const name = escapePointer(key)
  if (isObject(child)) return [[name, child]]
  if (!Array.isArray(child)) return []
  return child.flatMap((item, index) =>
    isObject(item) ? [[`${name}/${index}`, item] as [string, JsonObject]] : []
  )
}
