/** Makes a valid example of a schema. */
import type { Schema } from './document.ts'

/** Depth below which optional properties are left out, so that recursive schemas end. */
const maxDepth = 3

const byFormat: Readonly<Record<string, unknown>> = {
  date: '2026-11-21',
  'date-time': '2026-11-21T20:57:08Z',
  email: 'ada@example.org',
  uri: 'https://example.org/a?b=c',
  uuid: '0b7f5cb6-57cd-4d3b-9d51-6f0d3d1a9f0e',
  ipv4: '192.0.2.1',
  byte: 'aGVsbG8='
}

export type Direction = 'request' | 'response'

export class Examples {
  readonly #schemas: Readonly<Record<string, Schema>>

  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.#schemas = schemas
  }

  of(schema: Schema, direction: Direction, depth = 0): unknown {
    const { $ref, allOf, oneOf, anyOf, example } = schema as Record<string, never>
    if (example !== undefined) return example
    if ($ref !== undefined) return this.of(this.#named($ref), direction, depth)
    const [first] = (oneOf ?? anyOf ?? []) as Schema[]
    if (first !== undefined) return this.of(first, direction, depth)
    if (allOf === undefined) return this.#ofType(schema, direction, depth)
    const parts = (allOf as Schema[]).map((part) => this.of(part, direction, depth) as object)
    return Object.assign({}, ...parts)
  }

  #named(reference: string): Schema {
    return this.#schemas[reference.replace('#/components/schemas/', '')] ?? {}
  }

  #ofType(schema: Schema, direction: Direction, depth: number): unknown {
    const { type, enum: values, format } = schema as { type?: string; enum?: unknown[]; format?: string }
    if (values !== undefined) return values[0]
    if (type === 'array') return this.#array(schema, direction, depth)
    if (type === 'object') return this.#object(schema, direction, depth)
    if (type === 'string') return byFormat[format ?? ''] ?? 'text'
    if (type === 'integer' || type === 'number') return schema['minimum'] ?? 1
    return true
  }

  #array({ items, minItems = 0 }: Schema, direction: Direction, depth: number): unknown[] {
    const isEmpty = depth > maxDepth && minItems === 0
    return isEmpty ? [] : [this.of(items as Schema, direction, depth + 1)]
  }

  #object(
    { properties, required = [], additionalProperties }: Schema,
    direction: Direction,
    depth: number
  ): object {
    const hidden = direction === 'request' ? 'readOnly' : 'writeOnly'
    const shown = Object.entries((properties ?? {}) as Record<string, Schema>).filter(
      ([name, property]) =>
        property[hidden] !== true && ((required as string[]).includes(name) || depth < maxDepth)
    )
    const members = shown.map(([name, property]) => [name, this.of(property, direction, depth + 1)])
    const isMap = properties === undefined && typeof additionalProperties === 'object'
    if (isMap) members.push(['key', this.of(additionalProperties as Schema, direction, depth + 1)])
    return Object.fromEntries(members)
  }
}
