/** Reads examples from a document (OpenAPI 3.1.0, sections 4.8.12 and 4.8.14; JSON Schema 2020-12, section 9.5). */

export type Node = Readonly<Record<string, unknown>>

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses the text of a document. Integers beyond 2^53 become bigints, so that examples stay exact. */
export const parseDocument = (text: string): Node =>
  JSON.parse(text, (_key, value: unknown, { source = '' }: { readonly source?: string } = {}) =>
    /^-?\d{16,}$/.test(source) ? BigInt(source) : value
  )

/** Reads an object and follows its reference. */
export type ReadNode = (value: unknown) => Node

/** Returns a reader that follows references; returns an empty object for any other value. */
export function resolver(document: Node): ReadNode {
  const read = (value: unknown): Node => {
    if (!isNode(value)) return {}
    const { $ref: reference } = value
    return typeof reference === 'string' ? read(target(document, reference)) : value
  }
  return read
}

function target(document: Node, reference: string): unknown {
  const names = decodeURIComponent(reference).split('/').slice(1)
  return names
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, name) => (isNode(value) ? value[name] : undefined), document)
}

/** Returns the first example of a parameter or a media type, or of its schema. */
export function exampleOf(holder: Node, read: (value: unknown) => Node): unknown {
  const [named] = Object.values(read(holder['examples']))
  const schema = read(holder['schema'])
  const [listed] = Array.isArray(schema['examples']) ? schema['examples'] : []
  return holder['example'] ?? read(named)['value'] ?? schema['example'] ?? listed ?? schema['default']
}
