/** Names operations without an operationId, which OpenAPI does not require but handlers and types need. */
import { servedId } from '../build/operation-ids.ts'
import type { Locator } from '../diagnostics/locator.ts'
import type { ContractProblem } from '../diagnostics/problem.ts'
import { type OperationNode, operationNodes } from '../document/operation-objects.ts'
import { define, type JsonObject, objectOf, own, stringOf } from '../model/json.ts'

/** Changes the document in place. */
export function nameOperations(document: JsonObject, locator: Locator): ContractProblem[] {
  const operations = operationNodes(document)
  const declared = operations.map(({ node }) => idOf(node)).filter((id) => id !== '')
  const taken = new Set(declared)
  const unnamed = operations.filter(({ node }) => idOf(node) === '')
  return unnamed.map((operation) => {
    const { method, path } = operation
    const operationId = servedId(method, path, taken)
    const named = { ...operation.node, operationId }
    locator.addCopies(new Map([[named, operation.node]]))
    replace(document, operation, named, locator)
    const cure = `it is named ${operationId}; to name it, add: operationId: ${operationId}`
    const message = `${method} ${path} has no operationId: ${cure}`
    return { ...locator.problem('warning', message, operation.node), rule: 'operation-id' }
  })
}

const idOf = (node: JsonObject): string => stringOf(own(node, 'operationId')) ?? ''

/** Replaces the operation below this path only: several paths may refer to one path item. */
function replace(
  document: JsonObject,
  { path, at: [field, method], pathItem }: OperationNode,
  named: JsonObject,
  locator: Locator
): void {
  const paths = objectOf(own(document, 'paths'))
  const current = objectOf(own(paths, path))
  const isOwn = own(current, '$ref') === undefined
  const item = isOwn ? current : pathItem
  const member = method === undefined ? named : { ...objectOf(own(item, field)), [method]: named }
  const copy = { ...item, [field]: member }
  locator.addCopies(new Map([[copy, pathItem]]))
  define(paths, path, copy)
}
