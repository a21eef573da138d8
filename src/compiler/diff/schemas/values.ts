/** Values that schemas list: their types, their identity, and schemas that allow nothing else. */
import { type Json, make, type Schema, typeOf } from '@contract-first/contract'
import { identitiesIn, identity } from '../../instances/fit.ts'

export { identitiesIn, identity }

export const types = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const
export type Type = (typeof types)[number]

export type Numeric = number | bigint

export const isNumeric = (value: Json): value is Numeric =>
  typeof value === 'number' || typeof value === 'bigint'

export const isInteger = (value: Json): boolean => typeof value === 'bigint' || Number.isInteger(value)

export const isObject = (value: Json): value is { readonly [name: string]: Json } =>
  typeOf(value) === 'object'

/** Writes a value for a message, shortened. */
export function shown(value: Json): string {
  const text = typeof value === 'string' ? value : identity(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

export const lengthOf = (text: string): number => [...text].length

/** Returns a schema of one value, in the keywords that the comparison reads. */
export function exactly(value: Json, from: Pick<Schema, 'origin'>): Schema {
  const never = make({ never: true }, from)
  if (isNumeric(value)) return make({ minimum: value, maximum: value }, from)
  if (typeof value === 'string')
    return make({ const: value, minLength: lengthOf(value), maxLength: lengthOf(value) }, from)
  if (Array.isArray(value)) {
    const isUnique = new Set(value.map(identity)).size === value.length
    const prefix = value.map((item: Json) => constant(item, from))
    const length = { minItems: value.length, maxItems: value.length }
    return make({ prefix, items: never, ...length, ...(isUnique && { uniqueItems: true }) }, from)
  }
  if (!isObject(value)) return make({}, from)
  const properties = new Map(Object.entries(value).map(([name, member]) => [name, constant(member, from)]))
  return make({ properties, required: new Set(properties.keys()), additional: never }, from)
}

const constant = (value: Json, from: Pick<Schema, 'origin'>): Schema => make({ const: value }, from)
