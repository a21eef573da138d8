/** Functions that generated serializers call. Bundled into generated/serializers.js with their imports. */
import { stringify } from '../json/stringify.ts'
import type { DeclaredShape } from '../model/declared-shape.ts'
import { pattern } from '../model/pattern.ts'

/** Serializes a value without a schema; bigints in it are written exactly. */
export function exactStringify(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return stringify(value)
  }
}

/** Returns an int64 that `JSON.stringify` writes exactly: as a number when that is exact, because it is faster. */
export function int64(value: unknown): unknown {
  if (typeof value !== 'bigint') return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : JSON.rawJSON(String(value))
}

/**
 * Copies a value without what its shape does not declare, its properties in the order of their declaration.
 * @param number the shape of the value; undefined for one that may be anything
 */
export function declaredOnly(
  value: unknown,
  shapes: readonly DeclaredShape[],
  number: number | undefined
): unknown {
  const shape = number === undefined ? undefined : shapes[number]
  if (shape === undefined || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    return value.map((item, index) => declaredOnly(item, shapes, shape.prefixItems?.[index] ?? shape.items))
  }
  const { properties = {}, patterns = [], additional } = shape
  const copy = {}
  const keep = (name: string, child: number) =>
    set(copy, name, declaredOnly(Reflect.get(value, name), shapes, child))
  for (const name in properties) if (Object.hasOwn(value, name)) keep(name, Number(properties[name]))
  if (patterns.length === 0 && additional === undefined) return copy
  for (const name of Object.keys(value)) {
    const child = patterns.find(([source]) => pattern(source).test(name))?.[1] ?? additional
    if (child !== undefined && !Object.hasOwn(properties, name)) keep(name, child)
  }
  return copy
}

/** An assignment to `__proto__` would set the prototype. */
function set(copy: Record<string, unknown>, name: string, member: unknown): void {
  if (name !== '__proto__') copy[name] = member
  else Object.defineProperty(copy, name, { value: member, enumerable: true })
}
