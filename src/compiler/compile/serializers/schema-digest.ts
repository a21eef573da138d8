/**
 * Digests what a schema accepts and declares. Names of components, annotations and the order of keys do not change the
 * digest.
 */
import { createHash } from 'node:crypto'
import { isObject, type Json, type JsonObject, stringify } from '../document/json-value.ts'
import { atPointer, pointerOf } from '../document/reference.ts'
import { namedMembers } from '../document/walk.ts'

/**
 * Keywords that do not affect which values are valid (JSON Schema 2020-12, section 9; OpenAPI 3.1.0, section 4.8.24).
 */
const annotations: ReadonlySet<string> = new Set([
  ...['title', 'description', 'example', 'examples', 'default', 'deprecated', 'externalDocs', 'xml'],
  ...['$comment', '$defs', 'definitions']
])

/** A text, or a function that returns the parts at its place. */
type Part = string | (() => Part[])

/**
 * Returns the digest of a schema.
 * @returns SHA-256, hexadecimal
 */
export function schemaDigest(document: JsonObject, schema: Json): string {
  const numbers = new Map<Json, number>()
  const hash = createHash('sha256')
  // The loop avoids recursion, because a chain of references has any length.
  const pending: Part[] = [() => plain(schema)]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') hash.update(next)
    else pending.push(...next().toReversed())
  }
  return hash.digest('hex')

  function plain(node: Json): Part[] {
    if (Array.isArray(node)) return ['[', ...separated(node.map((item) => () => plain(item))), ']']
    if (!isObject(node)) return [stringify(node)]
    const members = Object.entries(node)
      .filter(([key]) => !annotations.has(key) && !key.startsWith('x-'))
      .map(
        ([key, value]) => [key, () => (key === '$ref' ? target(node, value) : member(key, value))] as const
      )
    return object(members)
  }

  function member(key: string, value: Json): Part[] {
    if (key === 'const' || key === 'enum') return [stringify(value)]
    if (key === 'required' && Array.isArray(value)) return [stringify(value.toSorted())]
    if (!namedMembers.has(key) || !isObject(value)) return plain(value)
    return object(Object.entries(value).map(([name, schema]) => [name, () => plain(schema)] as const))
  }

  /** Writes the target at its first reference, and its number at later ones. */
  function target(node: JsonObject, reference: Json): Part[] {
    const pointer = pointerOf(node)
    if (pointer === undefined) return [stringify(reference)]
    const referred = atPointer(document, pointer) ?? null
    const known = numbers.get(referred)
    if (known !== undefined) return [String(known)]
    numbers.set(referred, numbers.size)
    return plain(referred)
  }
}

/** Writes the members of an object in the order of their names. */
function object(members: readonly (readonly [string, () => Part[]])[]): Part[] {
  const sorted = members.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return [
    '{',
    ...separated(
      sorted.map(([name, value]) => () => [`${JSON.stringify(name)}:`, value])
    ),
    '}'
  ]
}

const separated = (parts: readonly Part[]): Part[] =>
  parts.flatMap((part, index) => (index === 0 ? [part] : [',', part]))
