/** Finds the operations of a document and reads their statuses and security requirements. */
import type { SecurityRequirement } from '@contract-first/engine/model'
import { arrayOf, isObject, type Json, type JsonObject, objectOf, own } from './json-value.ts'
import { dereference } from './reference.ts'

export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const

/** Returns true for a status, a range or `default` (OpenAPI 3.1.0, section 4.8.16.2). */
export const isStatus = (name: string): boolean => /^([1-5](\d\d|XX)|default)$/i.test(name)

/** Returns the canonical spelling: `4XX`, `default`. */
export const statusName = (name: string): string =>
  name.toLowerCase() === 'default' ? 'default' : name.toUpperCase()

export interface OperationNode {
  readonly path: string
  readonly method: string
  readonly pathItem: JsonObject
  readonly node: JsonObject
}

/** Returns the operations under `paths` in document order; webhooks and callbacks are not served. */
export function operationNodes(document: JsonObject): OperationNode[] {
  return Object.entries(objectOf(own(document, 'paths'))).flatMap(([path, item]) => {
    const pathItem = dereference(document, item) ?? {}
    return methods.flatMap((method) => {
      const node = own(pathItem, method)
      return isObject(node) ? [{ path, method: method.toUpperCase(), pathItem, node }] : []
    })
  })
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
