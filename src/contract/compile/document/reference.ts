/** Follows `$ref`s within the bundled document (OpenAPI 3.1, section 4.8.23), one hop or to the end. */
import { isObject, type Json, type JsonObject, own, stringOf, unescapePointer } from './json-value.ts'

/** The value at `#/a/b`, own properties only; undefined where there is none. */
export function atPointer(document: JsonObject, pointer: string): Json | undefined {
  let node: Json | undefined = document
  for (const segment of pointer.replace(/^#\/?/, '').split('/').map(unescapePointer)) {
    if (Array.isArray(node)) node = node[Number(segment)]
    else if (isObject(node)) node = own(node, segment)
    else return undefined
  }
  return node
}

/** A reference by JSON pointer; references by `$id` or `$anchor` are for the schema compiler to resolve. */
export function pointerOf(node: JsonObject): string | undefined {
  const reference = stringOf(own(node, '$ref'))
  return reference?.startsWith('#/') ? reference : undefined
}

/** Follows pointers until an object that is none; undefined when the chain breaks or is circular. */
export function dereference(document: JsonObject, node: Json | undefined): JsonObject | undefined {
  const end = endOf(document, node)
  return isObject(end) ? end : undefined
}

/** Where a chain of pointers leads: an object or a value; undefined when it breaks or is circular. */
export function endOf(document: JsonObject, node: Json | undefined): Json | undefined {
  const seen = new Set<string>()
  let current = node
  while (isObject(current)) {
    const pointer = pointerOf(current)
    if (pointer === undefined) return current
    if (seen.has(pointer)) return undefined
    seen.add(pointer)
    current = atPointer(document, pointer)
  }
  return current
}

/** What a reference without siblings stands for; any other schema itself. */
export function plainTarget(document: JsonObject, schema: Json): Json {
  const isPlain = isObject(schema) && Object.keys(schema).length === 1 && pointerOf(schema) !== undefined
  return isPlain ? (dereference(document, schema) ?? schema) : schema
}

/** Whether a property is flagged `readOnly` or `writeOnly`, beside its reference or where that leads. */
export function isFlagged(
  document: JsonObject,
  property: Json | undefined,
  flag: 'readOnly' | 'writeOnly'
): boolean {
  if (!isObject(property)) return false
  return own(property, flag) === true || own(dereference(document, property) ?? {}, flag) === true
}
