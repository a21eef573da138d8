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

type Shapes = readonly DeclaredShape[]

/**
 * Copies the declared parts of a value, properties in the order of their declaration.
 * @param number number of the shape; undefined where any value is allowed
 */
export function declaredOnly(value: unknown, shapes: Shapes, number: number | undefined): unknown {
  const shape = number === undefined ? undefined : shapes[number]
  if (shape === undefined || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    return value.map((item, index) => declaredOnly(item, shapes, shape.prefixItems?.[index] ?? shape.items))
  }
  const { properties = {}, unnamed, hidden = [] } = shape
  const copy = {}
  for (const name in properties)
    if (Object.hasOwn(value, name))
      set(copy, name, declaredOnly(Reflect.get(value, name), shapes, properties[name]))
  if (unnamed === undefined) return copy
  for (const name of Object.keys(value)) {
    const isNamed = Object.hasOwn(properties, name) || hidden.includes(name)
    const children = isNamed ? [] : shapesOf(name, unnamed)
    if (children.length > 0) set(copy, name, declaredByAny(Reflect.get(value, name), shapes, children))
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

/** Copies the parts that any of the shapes declares and none of them hides. */
function declaredByAny(value: unknown, shapes: Shapes, numbers: readonly (number | undefined)[]): unknown {
  if (numbers.length === 1) return declaredOnly(value, shapes, numbers[0])
  if (typeof value !== 'object' || value === null) return value
  const found = numbers.map((number) => (number === undefined ? undefined : shapes[number]))
  if (Array.isArray(value))
    return value.map((item, index) => {
      const inner = found.map((shape) => shape?.prefixItems?.[index] ?? shape?.items)
      return declaredByAny(item, shapes, inner)
    })
  const copy = {}
  for (const [name, member] of Object.entries(value)) {
    if (found.some((shape) => shape?.hidden?.includes(name))) continue
    const children = found.flatMap((shape) => childrenOf(name, shape))
    if (children.length > 0) set(copy, name, declaredByAny(member, shapes, children))
  }
  return copy
}

/** Returns the shapes of a property; undefined where any value is allowed. */
function childrenOf(name: string, shape: DeclaredShape | undefined): readonly (number | undefined)[] {
  if (shape === undefined) return [undefined]
  const { properties = {}, unnamed = [] } = shape
  return Object.hasOwn(properties, name) ? [Number(properties[name])] : shapesOf(name, unnamed)
}

/** Defines a member; an assignment to `__proto__` would set the prototype. */
function set(copy: Record<string, unknown>, name: string, member: unknown): void {
  if (name !== '__proto__') copy[name] = member
  else Object.defineProperty(copy, name, { value: member, enumerable: true })
}
