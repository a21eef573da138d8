/** The digest of what a schema accepts and declares. Names of components, annotations and the order of keys do not change it. */
import { createHash } from 'node:crypto'
import { isObject, type Json, type JsonObject, stringify } from '../document/json-value.ts'
import { atPointer, pointerOf } from '../document/reference.ts'
import { namedMembers } from '../document/walk.ts'

/** Keywords that say nothing of which values are valid (JSON Schema 2020-12, section 9; OpenAPI 3.1.0, section 4.8.24). */
const annotations: ReadonlySet<string> = new Set([
  ...['title', 'description', 'example', 'examples', 'default', 'deprecated', 'externalDocs', 'xml'],
  ...['$comment', '$defs', 'definitions']
])

/** @returns SHA-256, hexadecimal */
export function schemaDigest(document: JsonObject, schema: Json): string {
  const numbers = new Map<Json, number>()
  return createHash('sha256')
    .update(stringify(plain(schema)))
    .digest('hex')

  function plain(node: Json): Json {
    if (Array.isArray(node)) return node.map(plain)
    if (!isObject(node)) return node
    const members = Object.entries(node)
      .filter(([key]) => !annotations.has(key) && !key.startsWith('x-'))
      .map(([key, value]) => [key, key === '$ref' ? target(node, value) : member(key, value)] as const)
    return Object.fromEntries(members.toSorted(byName))
  }

  function member(key: string, value: Json): Json {
    if (key === 'const' || key === 'enum') return value
    if (key === 'required' && Array.isArray(value)) return value.toSorted()
    if (!namedMembers.has(key) || !isObject(value)) return plain(value)
    const members = Object.entries(value).map(([name, schema]) => [name, plain(schema)] as const)
    return Object.fromEntries(members.toSorted(byName))
  }

  /** What is referred to, at its first place; its number wherever it comes again. */
  function target(node: JsonObject, reference: Json): Json {
    const pointer = pointerOf(node)
    if (pointer === undefined) return reference
    const referred = atPointer(document, pointer) ?? null
    const known = numbers.get(referred)
    if (known !== undefined) return known
    numbers.set(referred, numbers.size)
    return plain(referred)
  }
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)
