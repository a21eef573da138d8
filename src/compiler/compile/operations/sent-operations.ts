/** Finds the operations that a service sends: webhooks (OpenAPI 3.1.0, section 4.8.1) and callbacks (section 4.8.18). */
import { uniqueIn } from '@contract-first/contract'
import { type JsonObject, objectOf, own, stringOf } from '../document/json-value.ts'
import { type OperationNode, operationNodes, operationsIn } from '../document/operation-objects.ts'
import { dereference } from '../document/reference.ts'

export interface SentOperation {
  /** Name of its function: its operationId, otherwise one of its webhook or callback. */
  readonly name: string
  /** Runtime expression of the target of a callback; undefined for a webhook. */
  readonly target: string | undefined
  readonly method: string
  readonly pathItem: JsonObject
  readonly node: JsonObject
}

interface Found extends Omit<SentOperation, 'name'> {
  /** Name without an operationId. */
  readonly otherwise: string
}

/** Returns webhooks, then callbacks, each once, in document order; equal names get a number. */
export function sentOperations(document: JsonObject): SentOperation[] {
  const webhooks = Object.entries(objectOf(own(document, 'webhooks'))).flatMap(([name, item]) =>
    operationsOf(dereference(document, item) ?? {}, name, undefined)
  )
  const senders: Pick<OperationNode, 'node'>[] = [...operationNodes(document), ...webhooks]
  const found = [...webhooks, ...senders.flatMap(({ node }) => callbacksOf(document, node))]
  const distinct = [...new Map(found.map((each) => [each.node, each])).values()]
  const taken = new Set<string>()
  return distinct.map(({ otherwise, ...operation }) => {
    const name = uniqueIn(taken, stringOf(own(operation.node, 'operationId')) ?? otherwise)
    return { name, ...operation }
  })
}

function callbacksOf(document: JsonObject, operation: JsonObject): Found[] {
  // Operations have names (load/name-operations.ts); webhooks need none.
  const operationId = stringOf(own(operation, 'operationId'))
  return Object.entries(objectOf(own(operation, 'callbacks'))).flatMap(([name, callback]) =>
    Object.entries(dereference(document, callback) ?? {}).flatMap(([target, item]) => {
      const words = [operationId].filter((part) => part !== undefined).concat(name)
      const otherwise = words.join(' ').replace(/ ./, (found) => found.trim().toUpperCase())
      return target.startsWith('x-') ? [] : operationsOf(dereference(document, item) ?? {}, otherwise, target)
    })
  )
}

/** Adds the method to the name where a path item has several. */
function operationsOf(pathItem: JsonObject, name: string, target: string | undefined): Found[] {
  const operations = operationsIn(pathItem)
  return operations.map(({ method, node }) => {
    const otherwise = operations.length === 1 ? name : `${name}${capitalized(method.toLowerCase())}`
    return { otherwise, target, method, pathItem, node }
  })
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
