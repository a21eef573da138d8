/**
 * Rewrites `unevaluated…` keywords (JSON Schema Core 2020-12, section 11) within one case, in which every applicator is
 * known.
 */
import { arrayOf, type Json, type JsonObject, objectOf, own } from '../../compile/documents.ts'

/**
 * Returns `unevaluatedProperties` of a schema as `additionalProperties`.
 * @param nodes the schemas that apply together with it, itself included
 */
export function evaluatedProperties(
  nodes: readonly JsonObject[],
  schema: JsonObject
): JsonObject | undefined {
  const rest = own(schema, 'unevaluatedProperties')
  if (rest === undefined || nodes.some((node) => own(node, 'additionalProperties') !== undefined))
    return undefined
  return {
    properties: allowed(nodes, 'properties'),
    patternProperties: allowed(nodes, 'patternProperties'),
    additionalProperties: rest
  }
}

function allowed(nodes: readonly JsonObject[], key: string): JsonObject {
  const names = nodes.flatMap((node) => Object.keys(objectOf(own(node, key))))
  return Object.fromEntries(names.map((name) => [name, true as Json]))
}

/** Returns `unevaluatedItems` of a schema as `items`. */
export function evaluatedItems(nodes: readonly JsonObject[], schema: JsonObject): JsonObject | undefined {
  const rest = own(schema, 'unevaluatedItems')
  if (rest === undefined || nodes.some((node) => own(node, 'items') !== undefined)) return undefined
  const length = Math.max(...nodes.map((node) => arrayOf(own(node, 'prefixItems')).length))
  return { prefixItems: Array.from({ length }, (): Json => true), items: rest }
}
