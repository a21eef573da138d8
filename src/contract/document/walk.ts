/** Walks every object of a contract; names chosen by the author are never taken for keywords. */
import { isObject, type Json, type JsonObject } from '../model/json.ts'
import { escapePointer } from './reference.ts'

/** Keywords whose members the author names: `default`, `example` and `x-id` are names there, not keywords. */
export const namedMembers: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions'],
  ...['schemas', 'responses', 'parameters', 'requestBodies', 'headers', 'pathItems', 'callbacks'],
  ...['links', 'mediaTypes'],
  ...['paths', 'webhooks', 'additionalOperations', 'content', 'encoding']
])
/** Keywords whose `x-*` members are extensions nevertheless (OpenAPI 3.1.0, sections 4.8.8, 4.8.16, 4.8.18). */
const extensible = new Set(['paths', 'responses', 'callbacks'])
/** Keywords that hold data: an `$id` or a `$ref` in them has no meaning. */
const dataKeywords: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const'])
/** Members of a Link Object that hold data (OpenAPI 3.1.0, section 4.8.20). */
const dataOfLinks: ReadonlySet<string> = new Set(['parameters', 'requestBody'])

/** Way to a node: from its holder by keys, or from the root of its file. */
interface Reached {
  readonly names?: string | undefined
  readonly kind?: string | undefined
  readonly holder?: ContractNode
  readonly keys?: readonly string[]
}

/** An object of a contract, and how it was reached. Its pointer is computed for those that ask for it only. */
export class ContractNode {
  readonly node: JsonObject
  /** Keyword that holds the node, if the author names the node's members. */
  readonly names: string | undefined
  /** Keyword that holds the map of which the node is a member: `links` for a Link Object. */
  readonly kind: string | undefined
  /** Object that holds the node, directly or in a list. */
  readonly holder: ContractNode | undefined
  /** Keys that lead from the holder to the node. */
  readonly #keys: readonly string[]

  constructor(node: JsonObject, { names, kind, holder, keys = [] }: Reached = {}) {
    this.node = node
    this.names = names
    this.kind = kind
    this.holder = holder
    this.#keys = keys
  }

  /** Keys and indexes by which the node can be reached. */
  get path(): string[] {
    return [...(this.holder?.path ?? []), ...this.#keys]
  }

  /** A JSON pointer by which the node can be reached. */
  get pointer(): string {
    return ['#', ...this.path.map(escapePointer)].join('/')
  }
}

/**
 * Yields each object of a document once, parents first. Examples, defaults and `x-*` hold data, not parts of the contract,
 * and are skipped.
 */
export const contractNodes = (document: JsonObject): Generator<ContractNode> =>
  nodesBelow(new ContractNode(document))

/**
 * Yields a node and those below it.
 * @param seen objects to skip; visited ones are added
 */
export function* nodesBelow(start: ContractNode, seen = new Set<Json>()): Generator<ContractNode> {
  const pending = [start]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (seen.has(next.node)) continue
    seen.add(next.node)
    yield next
    for (const key of Object.keys(next.node)) {
      const child = next.node[key]
      if (typeof child !== 'object' || child === null || !isPart(key, next.names)) continue
      if (next.kind === 'links' && dataOfLinks.has(key)) continue
      const isKeyword = next.names === undefined && namedMembers.has(key)
      const names = isKeyword ? key : undefined
      if (isObject(child))
        pending.push(new ContractNode(child, { names, kind: next.names, holder: next, keys: [key] }))
      else
        for (const [index, item] of child.entries())
          if (isObject(item))
            pending.push(new ContractNode(item, { holder: next, keys: [key, String(index)] }))
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
