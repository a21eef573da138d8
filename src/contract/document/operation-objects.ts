/** Finds the operations of a document. */
import { isObject, type JsonObject, objectOf, own } from '../model/json.ts'
import { resolved } from './reference.ts'

/** Fields of a Path Item that hold an operation, in the order in which operations are listed. */
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const

/** Field of a Path Item that holds the operations of all other methods (OpenAPI 3.2.0, section 4.9). */
export const additional = 'additionalOperations'

/** Returns true for a status, a range or `default` (OpenAPI 3.1.0, section 4.8.16.2). */
export const isStatus = (name: string): boolean => /^([1-5](\d\d|XX)|default)$/i.test(name)

export interface OperationNode {
  readonly path: string
  /** Method as it is sent; it is case-sensitive (RFC 9110, section 9.1). */
  readonly method: string
  readonly pathItem: JsonObject
  /** Members of the path item that lead to the operation. */
  readonly at: readonly [string, ...string[]]
  readonly node: JsonObject
}

/** Returns the operations under `paths` in document order; webhooks and callbacks are not served. */
export function operationNodes(document: JsonObject): OperationNode[] {
  return Object.entries(objectOf(own(document, 'paths'))).flatMap(([path, item]) => {
    const pathItem = resolved(document, item)
    return operationsIn(pathItem).map((operation) => ({ path, pathItem, ...operation }))
  })
}

/** Returns the operations of a path item: those of its fields, then the additional ones. */
function operationsIn(pathItem: JsonObject): Pick<OperationNode, 'method' | 'at' | 'node'>[] {
  const fixed = methods.map((field) => {
    return { method: field.toUpperCase(), at: [field] as const, node: own(pathItem, field) }
  })
  const further = Object.entries(objectOf(own(pathItem, additional))).map(([method, node]) => {
    return { method, at: [additional, method] as const, node }
  })
  return [...fixed, ...further].flatMap(({ node, ...others }) =>
    isObject(node) ? [{ ...others, node }] : []
  )
}
