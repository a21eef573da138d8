/** The places of a value, each with the schemas that may apply there: those of every branch. */
import {
  arrayOf,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own
} from '../../compile/document/json-value.ts'
import { itemSchemas, propertySchemas, valuesOf } from '../../evaluate/members.ts'
import type { Schemas } from '../../instances/schemas.ts'

type Path = readonly (string | number)[]

export interface Place {
  readonly path: Path
  readonly value: unknown
  readonly schemas: readonly JsonObject[]
}

const branches = ['anyOf', 'oneOf'] as const
const conditions = ['then', 'else', 'if'] as const
const maxPlaces = 400

/** Lists the places breadth first; the list of a very large value is cut. */
export function placesOf(value: unknown, schema: Json, schemas: Schemas): readonly Place[] {
  const found: Place[] = [{ path: [], value, schemas: flat([schema], schemas) }]
  for (const place of found) {
    for (const [key, inner] of innerOf(place.value)) {
      if (found.length >= maxPlaces) return found
      const own = flat(schemasAt(place.schemas, key), schemas)
      found.push({ path: [...place.path, key], value: inner, schemas: own })
    }
  }
  return found
}

/** Returns only the first items of a list, because the others are like them. */
function innerOf(value: unknown): readonly (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return value.slice(0, 3).map((item, index) => [index, item] as const)
  return isObject(value) ? Object.entries(value) : []
}

function flat(all: readonly Json[], schemas: Schemas): readonly JsonObject[] {
  const found = new Set<JsonObject>()
  const pending = [...all]
  for (const schema of pending) {
    for (const part of schemas.parts([schema]) ?? []) {
      if (found.has(part)) continue
      found.add(part)
      pending.push(...branches.flatMap((key) => arrayOf(own(part, key))))
      pending.push(...conditions.flatMap((key) => own(part, key) ?? []))
      pending.push(...Object.values(objectOf(own(part, 'dependentSchemas'))))
    }
  }
  return [...found]
}

const schemasAt = (schemas: readonly JsonObject[], key: string | number): Json[] =>
  typeof key === 'string'
    ? propertySchemas(schemas, key)
    : [...itemSchemas(schemas, key), ...valuesOf(schemas, 'contains')]

/** Returns a copy with another value at the path; undefined removes it. */
export function withValueAt(root: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value
  if (Array.isArray(root)) {
    const inner = withValueAt(root[Number(key)], rest, value)
    return inner === undefined ? root.toSpliced(Number(key), 1) : root.with(Number(key), inner)
  }
  const entries = Object.entries(Object(root)).flatMap(([name, member]) => {
    if (name !== key) return [[name, member] as const]
    const inner = withValueAt(member, rest, value)
    return inner === undefined ? [] : [[name, inner] as const]
  })
  return Object.fromEntries(entries)
}
