/** What generated serializers call at run time. Bundled into generated/serializers.js with what it imports. */

import { pattern } from '../model/pattern.ts'

/** JSON of a value of which the contract says nothing: any int64 in it is written exactly. */
export function exactStringify(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return JSON.stringify(value, exactly)
  }
}

function exactly(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value
}

/** A shape, its children by number; a child that is not there may be anything. */
export interface PlainShape {
  readonly properties?: Readonly<Record<string, number>>
  readonly patterns?: readonly (readonly [string, number])[]
  readonly additional?: number
  readonly items?: number
  readonly prefixItems?: readonly number[]
}

/** A copy of the value without what its shape does not declare. */
export function declaredOnly(
  value: unknown,
  shapes: readonly PlainShape[],
  number: number | undefined
): unknown {
  const shape = number === undefined ? undefined : shapes[number]
  if (shape === undefined || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    return value.map((item, index) => declaredOnly(item, shapes, shape.prefixItems?.[index] ?? shape.items))
  }
  const result = {}
  for (const [name, member] of Object.entries(value)) {
    const child = childOf(shape, name)
    if (child === undefined) continue
    const copy = declaredOnly(member, shapes, child)
    Object.defineProperty(result, name, { value: copy, enumerable: true, configurable: true, writable: true })
  }
  return result
}

function childOf(shape: PlainShape, name: string): number | undefined {
  if (shape.properties !== undefined && Object.hasOwn(shape.properties, name)) return shape.properties[name]
  const matching = shape.patterns?.find(([source]) => pattern(source).test(name))
  return matching?.[1] ?? shape.additional
}
