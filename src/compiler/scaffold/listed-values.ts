/** Finds the enumerations in a schema, by the name of their property. */
import {
  arrayOf,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own
} from '../compile/document/json-value.ts'
import { atPointer, pointerOf } from '../compile/document/reference.ts'

const composing = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const single = ['items', 'additionalProperties', 'then', 'else']

export function listedValues(schema: Json, document: JsonObject): ReadonlyMap<string, readonly unknown[]> {
  const found = new Map<string, unknown[]>()
  const seen = new Set<string>()
  const visit = (node: Json | undefined, name: string): void => {
    if (!isObject(node)) return
    const pointer = pointerOf(node)
    if (pointer !== undefined && !seen.has(`${pointer} ${name}`)) {
      seen.add(`${pointer} ${name}`)
      visit(atPointer(document, pointer), name)
    }
    const constant = own(node, 'const')
    const values = [...arrayOf(own(node, 'enum')), ...(constant === undefined ? [] : [constant])]
    if (values.length > 0) found.set(name, [...(found.get(name) ?? []), ...values])
    for (const [key, property] of Object.entries(objectOf(own(node, 'properties')))) visit(property, key)
    for (const keyword of composing) for (const part of arrayOf(own(node, keyword))) visit(part, name)
    for (const keyword of single) visit(own(node, keyword), name)
  }
  visit(schema, '')
  return found
}
