/** Finds each operation of the old contract in the new one; the names of path parameters do not matter. */
import {
  dereference,
  type JsonObject,
  type OperationNode,
  objectOf,
  operationNodes,
  own
} from '../../compile/documents.ts'
import type { Both } from './draft.ts'

interface OperationPairs {
  readonly pairs: readonly Both<OperationNode>[]
  readonly removed: readonly OperationNode[]
  readonly added: readonly OperationNode[]
}

export function operationPairs({ old, now }: Both<JsonObject>): OperationPairs {
  const known = new Map(operationNodes(old).map((operation) => [keyOf(operation), operation]))
  const current = new Map(operationNodes(now).map((operation) => [keyOf(operation), operation]))
  const found = [...known].flatMap(([key, operation]) => {
    const same = current.get(key)
    return same === undefined ? [] : [{ old: operation, now: same }]
  })
  return {
    pairs: found,
    removed: [...known].flatMap(([key, operation]) => (current.has(key) ? [] : [operation])),
    added: [...current].flatMap(([key, operation]) => (known.has(key) ? [] : [operation]))
  }
}

/** Returns the new path item at the old path. */
export function pathItemAt(document: JsonObject, path: string): JsonObject | undefined {
  const items = Object.entries(objectOf(own(document, 'paths')))
  const found = items.find(([other]) => templateOf(other) === templateOf(path))
  return found === undefined ? undefined : dereference(document, found[1])
}

/** Returns the names of the parameters of a path, in order. */
export const parameterNames = (path: string): string[] =>
  [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name)

const templateOf = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}')

const keyOf = ({ method, path }: OperationNode): string => `${method} ${templateOf(path)}`
