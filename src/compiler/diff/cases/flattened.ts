/** Lists a schema with the schemas that apply to the same value. */
import { arrayOf, isObject, type Json, type JsonObject, own } from '../../compile/documents.ts'
import type { Side } from './side.ts'

/** @param compositions keywords to follow; references are always followed */
export function flattened(
  schemas: readonly Json[],
  side: Side,
  compositions: readonly string[] = ['allOf', 'anyOf', 'oneOf']
): JsonObject[] {
  const found = new Set<JsonObject>()
  const pending: Json[] = [...schemas]
  for (const next of pending) {
    if (!isObject(next)) continue
    const node = side.read(next)
    if (found.has(node)) continue
    found.add(node)
    pending.push(side.target(node) ?? true, ...compositions.flatMap((key) => arrayOf(own(node, key))))
  }
  return [...found]
}
