/** Shapes, and how several become one: their intersection or their union. */
import type { Json } from '../document/json-value.ts'

export type ShapeType = 'string' | 'number' | 'integer' | 'int64' | 'boolean' | 'null' | 'object' | 'array'

/** Children are lists of schemas of which any may apply; `Shapes.of` makes a shape of such a list. */
export interface Shape {
  /** Undefined: any type. */
  readonly types: ReadonlySet<ShapeType> | undefined
  readonly properties: ReadonlyMap<string, readonly Json[]>
  readonly patterns: readonly (readonly [string, Json])[]
  /** Schemas of undeclared properties; empty: none are declared. */
  readonly additional: readonly Json[]
  /** Schemas of the items; empty: any item is allowed. */
  readonly items: readonly Json[]
  readonly prefixItems: readonly (readonly Json[])[]
  /** No property is declared: an object of this shape may have any. */
  readonly open: boolean
  /** Members come from alternatives: a member's types hold for one alternative only. */
  readonly fromUnion: boolean
}

export const anything: Shape = {
  types: undefined,
  properties: new Map(),
  patterns: [],
  additional: [],
  items: [],
  prefixItems: [],
  open: true,
  fromUnion: false
}

/** Returns the shape of values that fit all parts. */
export function intersection(parts: readonly Shape[]): Shape {
  return { ...merge(parts), types: parts.map(({ types }) => types).reduce(narrower) }
}

/** Returns the shape of values that fit any of the parts. */
export function union(parts: readonly Shape[]): Shape {
  const merged = merge(parts)
  const known = parts.map(({ types }) => types).filter((types) => types !== undefined)
  const types = known.length === parts.length ? new Set(known.flatMap((types) => [...types])) : undefined
  const isOpened = !merged.open && parts.some((part) => part.open && mayBe(part, 'object'))
  const additional = isOpened ? [...merged.additional, true] : merged.additional
  return { ...merged, types, additional, fromUnion: merged.fromUnion || alternates(parts) }
}

/** Returns whether values of the shape may have the type. */
export const mayBe = ({ types }: Shape, type: ShapeType): boolean => types === undefined || types.has(type)

/** Returns whether several parts may be objects, or several may be arrays. */
function alternates(parts: readonly Shape[]): boolean {
  return (['object', 'array'] as const).some((type) => parts.filter((part) => mayBe(part, type)).length > 1)
}

function merge(parts: readonly Shape[]): Shape {
  const properties = new Map<string, readonly Json[]>()
  const hidden = new Set<string>()
  for (const [name, schemas] of parts.flatMap((part) => [...part.properties])) {
    if (schemas.length === 0) hidden.add(name)
    properties.set(name, [...(properties.get(name) ?? []), ...schemas])
  }
  for (const name of hidden) properties.set(name, [])
  const longest = Math.max(0, ...parts.map(({ prefixItems }) => prefixItems.length))
  return {
    types: undefined,
    properties: prune(properties),
    patterns: parts.flatMap((part) => part.patterns),
    additional: parts.flatMap((part) => part.additional),
    items: parts.flatMap((part) => part.items),
    prefixItems: Array.from({ length: longest }, (_, index) =>
      parts.flatMap((part) => part.prefixItems[index] ?? [])
    ),
    open: parts.every((part) => part.open),
    fromUnion: parts.some((part) => part.fromUnion)
  }
}

/** Drops the schema `true` of a name that `required` lists, where a branch declares the name. */
function prune(properties: Map<string, readonly Json[]>): Map<string, readonly Json[]> {
  for (const [name, schemas] of properties) {
    const specific = schemas.filter((schema) => schema !== true)
    if (specific.length > 0) properties.set(name, specific)
  }
  return properties
}

function narrower(a: Shape['types'], b: Shape['types']): Shape['types'] {
  if (a === undefined) return b
  if (b === undefined) return a
  const both = [...a].flatMap((type) => [...b].flatMap((other) => common(type, other)))
  return new Set(both)
}

const numbers: readonly ShapeType[] = ['number', 'integer', 'int64']

function common(a: ShapeType, b: ShapeType): ShapeType[] {
  if (a === b) return [a]
  const [rankA, rankB] = [numbers.indexOf(a), numbers.indexOf(b)]
  return rankA < 0 || rankB < 0 ? [] : [rankA > rankB ? a : b]
}
