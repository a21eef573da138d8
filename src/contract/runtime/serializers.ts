/** What generated serializers call at run time. Bundled into generated/serializers.js with what it imports. */

import type { DeclaredShape } from '../model/declared-shape.ts'
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
  const copy = {}
  for (const [name, child] of membersOf(value, shape)) {
    const member = declaredOnly(Reflect.get(value, name), shapes, child)
    if (name !== '__proto__') Reflect.set(copy, name, member)
    else Object.defineProperty(copy, name, { value: member, enumerable: true })
  }
  return copy
}

/** The declared members that the value has, and their shapes. */
function membersOf(value: object, shape: DeclaredShape): [string, number][] {
  const { properties = {}, patterns = [], additional } = shape
  const members = Object.entries(properties).filter(([name]) => Object.hasOwn(value, name))
  if (patterns.length === 0 && additional === undefined) return members
  for (const name of Object.keys(value)) {
    const child = patterns.find(([source]) => pattern(source).test(name))?.[1] ?? additional
    if (child !== undefined && !Object.hasOwn(properties, name)) members.push([name, child])
  }
  return members
}
