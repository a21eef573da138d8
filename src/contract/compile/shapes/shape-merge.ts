/** Shapes as such, and what several of them are together: where all of them hold, or any. */
import type { Json } from '../document/json-value.ts'

export type ShapeType = 'string' | 'number' | 'integer' | 'int64' | 'boolean' | 'null' | 'object' | 'array'

/** Children are lists of schemas, any of which may apply; `Shapes.of` makes a shape of them. */
export interface Shape {
  /** undefined: any. */
  readonly types: ReadonlySet<ShapeType> | undefined
  readonly properties: ReadonlyMap<string, readonly Json[]>
  readonly patterns: readonly (readonly [string, Json])[]
  /** Schemas of undeclared properties; empty: there are none. */
  readonly additional: readonly Json[]
  /** Schemas of the items; empty: nothing is said of them. */
  readonly items: readonly Json[]
  readonly prefixItems: readonly (readonly Json[])[]
  /** Nothing is said of properties: an object of this shape may hold any. */
  readonly free: boolean
  /** Members are of alternatives: where another one holds, a member may be of other types than are said here. */
  readonly loose: boolean
}

export const anything: Shape = {
  types: undefined,
  properties: new Map(),
  patterns: [],
  additional: [],
  items: [],
  prefixItems: [],
  free: true,
  loose: false
}

export function intersection(parts: readonly Shape[]): Shape {
  return { ...merge(parts), types: parts.map(({ types }) => types).reduce(narrower) }
}

export function union(parts: readonly Shape[]): Shape {
  const merged = merge(parts)
  const known = parts.map(({ types }) => types).filter((types) => types !== undefined)
  const types = known.length === parts.length ? new Set(known.flatMap((types) => [...types])) : undefined
  const opens =
    !merged.free && parts.some((part) => part.free && (part.types === undefined || part.types.has('object')))
  const additional = opens ? [...merged.additional, true] : merged.additional
  return { ...merged, types, additional, loose: merged.loose || alternates(parts) }
}

/** Whether several of the parts may be objects, or several of them arrays. */
function alternates(parts: readonly Shape[]): boolean {
  return (['object', 'array'] as const).some(
    (type) => parts.filter(({ types }) => types === undefined || types.has(type)).length > 1
  )
}

function merge(parts: readonly Shape[]): Shape {
  const properties = new Map<string, readonly Json[]>()
  const hidden = new Set<string>()
  for (const [name, schemas] of parts.flatMap((part) => [...part.properties])) {
    if (schemas.length === 0) hidden.add(name)
    properties.set(name, [...declared(properties.get(name)), ...schemas])
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
    free: parts.every((part) => part.free),
    loose: parts.some((part) => part.loose)
  }
}

const declared = (schemas: readonly Json[] | undefined): readonly Json[] => schemas ?? []

/** A name that `required` lists and a branch declares has the declared schema. */
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
