/** Data in a contract: the types that members may have (node-types.ts), and what is said of other values. */
import { stringify } from '@contract-first/engine/json'
import type { Json } from '../model/json.ts'
import type { Content } from './node-types.ts'

/** Types of JSON Schema, of which `types` is one or a list. */
export const jsonTypes = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']

interface DataType {
  readonly name: string
  readonly fits: (value: unknown) => boolean
  readonly isPositive?: boolean
}

/** Returns true for data with nothing to check or follow: most members are such. */
export function isSoundData(value: Json, content: Content): boolean {
  const allowed = content === 'types' ? jsonTypes : content
  if (typeof allowed !== 'string') return allowed.some((one) => one === value)
  if (allowed === 'any') return true
  const type = dataTypes[allowed]
  return allowed !== 'mapped' && type?.isPositive !== true && type?.fits(value) === true
}

const isNumber = (value: unknown): boolean => typeof value === 'number'
const isText = (value: unknown): boolean => typeof value === 'string'

export const dataTypes: Readonly<Record<string, DataType>> = {
  string: { name: 'string', fits: isText },
  mapped: { name: 'string', fits: isText },
  boolean: { name: 'boolean', fits: (value) => typeof value === 'boolean' },
  number: { name: 'number', fits: isNumber },
  size: { name: 'number', fits: isNumber, isPositive: true },
  count: { name: 'integer', fits: Number.isInteger, isPositive: true },
  array: { name: 'array', fits: Array.isArray }
}

/** Contents of schemas (JSON Schema Core 2020-12, section 4.3): anything else is an error in every version. */
export const inPlaceOfSchemas: Readonly<Record<string, string>> = {
  Schema: 'a schema, an object or a boolean',
  'Schema[]': 'a list of schemas',
  'Schema{}': 'an object of schemas by name'
}

/** Names a value in the sentence of a problem. */
export function described(value: Json | undefined): string {
  const type = typeOf(value)
  if (type === 'null') return type
  if (type === 'array' || type === 'object') return type === 'array' ? 'a list' : 'an object'
  return `the ${typeof value === 'string' ? 'text' : typeof value} ${stringify(value)}`
}

export function typeOf(value: Json | undefined): string {
  if (Array.isArray(value)) return 'array'
  if (value === null) return 'null'
  return Number.isInteger(value) ? 'integer' : typeof value
}
