/** Keywords, properties and items as schemas that apply together declare them. */
import type { Schema } from '@contract-first/contract'

type Parts = readonly Schema[]

/** Returns the values of a keyword in every schema that has it. */
export function valuesOf<Key extends keyof Schema>(
  parts: Parts,
  key: Key
): Exclude<Schema[Key], undefined>[] {
  const found: Exclude<Schema[Key], undefined>[] = []
  for (const part of parts) {
    const value = part[key]
    if (value !== undefined) found.push(value as Exclude<Schema[Key], undefined>)
  }
  return found
}

/** Lower and upper limit of a number. */
export interface Limits {
  readonly least: number
  readonly most: number
}

type Counts = 'Length' | 'Items' | 'Properties'

/** Returns the bounds that two keywords set; 0 and Infinity by default. */
export const limitsOf = (parts: Parts, what: Counts): Limits => ({
  least: Math.max(0, ...valuesOf(parts, `min${what}`)),
  most: Math.min(Infinity, ...valuesOf(parts, `max${what}`))
})

/** Returns the schemas that name a property, and those whose pattern matches its name. */
export function declaredIn({ properties, patterns = [] }: Schema, name: string): Schema[] {
  const named = properties?.get(name)
  const declared = named === undefined ? [] : [named]
  for (const { pattern, schema } of patterns) if (pattern.regexp.test(name)) declared.push(schema)
  return declared
}

/** Returns the schemas that apply to a property. */
export function propertySchemas(parts: Parts, name: string): Schema[] {
  const found: Schema[] = []
  for (const part of parts) {
    const declared = declaredIn(part, name)
    if (declared.length > 0) found.push(...declared)
    else if (part.additional !== undefined) found.push(part.additional)
  }
  return found
}

/** Returns the schemas that apply to an item. */
export const itemSchemas = (parts: Parts, index: number): Schema[] =>
  parts.flatMap(({ prefix = [], items }) => prefix[index] ?? items ?? [])

export const prefixLength = (parts: Parts): number =>
  Math.max(0, ...parts.map(({ prefix = [] }) => prefix.length))

/** Returns the names that any of the parts requires. */
export const requiredOf = (parts: Parts): Set<string> =>
  new Set(parts.flatMap(({ required }) => [...(required ?? [])]))

export const isUnique = (parts: Parts): boolean => parts.some(({ uniqueItems }) => uniqueItems === true)
