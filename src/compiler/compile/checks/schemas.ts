/**
 * Checks for schemas that no value fits: the compiler can serve them, but every request or response is then refused.
 */
import { arrayOf, type JsonObject, own } from '../document/json-value.ts'
import { contractNodes } from '../document/walk.ts'
import { contradictionOf } from '../shapes/contradiction.ts'
import type { Reporter } from './reporter.ts'

export function checkSchemas(document: JsonObject, { warn }: Reporter): void {
  for (const { node, names } of contractNodes(document)) {
    if (names !== undefined) continue
    const listed = own(node, 'enum')
    if (Array.isArray(listed) && listed.length === 0) warn('`enum` is empty: no value fits', node, 'enum')
    if (arrayOf(own(node, 'allOf')).length === 0) continue
    const contradiction = contradictionOf(document, node)
    if (contradiction !== undefined)
      warn(`branches of \`allOf\` exclude each other: ${contradiction}`, node, 'allOf')
  }
}
