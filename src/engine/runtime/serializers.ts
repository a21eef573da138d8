/** Functions that generated serializers call. Bundled into generated/serializers.js with their imports. */
import { stringify } from '../json/exact-values.ts'
import { pattern } from '../model/pattern.ts'
import type { DeclaredShape, UnnamedShapes } from '../model/value-plans.ts'

/** Serializes a value without a schema; bigints in it are written exactly. */
export function exactStringify(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return stringify(value)
  }
}

/** Returns an int64 in a form that `JSON.stringify` writes exactly: a number where possible, because that is faster. */
export function int64(value: unknown): unknown {
  if (typeof value !== 'bigint') return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : JSON.rawJSON(String(value))
}

/**
 * Copies the declared parts of a value, properties in the order of their declaration.
 * @param number number of the shape; undefined where any value is allowed
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
  const { properties = {}, unnamed, hidden = [] } = shape
  const copy = {}
  const member = (name: string, child: number) => declaredOnly(Reflect.get(value, name), shapes, child)
  for (const name in properties)
    if (Object.hasOwn(value, name)) set(copy, name, member(name, Number(properties[name])))
  if (unnamed === undefined) return copy
  for (const name of Object.keys(value)) {
    const isNamed = Object.hasOwn(properties, name) || hidden.includes(name)
    const children = isNamed ? [] : shapesOf(name, unnamed)
    if (children.length > 0) set(copy, name, children.map((child) => member(name, child)).reduce(united))
  }
  return copy
}

/** Returns the shapes that apply to an undeclared property. */
function shapesOf(name: string, unnamed: readonly UnnamedShapes[]): number[] {
  const found = unnamed.flatMap(({ patterns, additional }) => {
    const matching = patterns.filter(([source]) => pattern(source).test(name)).map(([, child]) => child)
    return matching.length > 0 ? matching : (additional ?? [])
  })
  return [...new Set(found)]
}

/** Merges two copies of one value, each of which holds some of its members. */
function united(first: unknown, second: unknown): unknown {
  if (typeof first !== 'object' || first === null) return first
  if (Array.isArray(first))
    return first.map((item, index) => united(item, Reflect.get(Object(second), index)))
  const copy = { ...first }
  for (const [name, member] of Object.entries(Object(second)))
    set(copy, name, Object.hasOwn(copy, name) ? united(Reflect.get(copy, name), member) : member)
  return copy
}

/** Defines a member; an assignment to `__proto__` would set the prototype. */
function set(copy: Record<string, unknown>, name: string, member: unknown): void {
  if (name !== '__proto__') copy[name] = member
  else Object.defineProperty(copy, name, { value: member, enumerable: true })
}
