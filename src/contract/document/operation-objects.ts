/** Finds the operations of a document and reads their statuses and security requirements. */
import type { SecurityRequirement } from '@contract-first/engine/model'
import { methods } from '../build/operations.ts'
import { arrayOf, isObject, type Json, type JsonObject, objectOf, own } from '../model/json.ts'
import { dereference, resolved } from './reference.ts'

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
    const pathItem = dereference(document, item) ?? {}
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

/** Returns the names of API keys that an operation takes from the query. */
export function queryKeysOf(document: JsonObject, operation: JsonObject): string[] {
  const schemes = objectOf(own(objectOf(own(document, 'components')), 'securitySchemes'))
  const required = securityOf(own(operation, 'security') ?? own(document, 'security')).flat()
  return required
    .map(({ scheme }) => resolved(document, own(schemes, scheme)))
    .filter((scheme) => own(scheme, 'type') === 'apiKey' && own(scheme, 'in') === 'query')
    .map((scheme) => String(own(scheme, 'name')))
}

/** Returns the alternatives, each a list of schemes that must all be satisfied. */
export function securityOf(value: Json | undefined): (readonly SecurityRequirement[])[] {
  return arrayOf(value).map((requirement) =>
    Object.entries(objectOf(requirement)).map(([scheme, scopes]) => ({
      scheme,
      scopes: arrayOf(scopes).map(String)
    }))
  )
}
