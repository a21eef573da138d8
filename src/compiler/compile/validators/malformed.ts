/** Finds keywords whose value JSON Schema does not allow (the meta-schema of draft 2020-12). */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { didYouMean } from '../diagnostics/near-miss.ts'
import { isObject, type Json, stringify } from '../document/json-value.ts'
import { unescapePointer } from '../document/pointer.ts'
import { withAncestors } from '../shapes/graph.ts'
import type { Schema } from '../vocabulary/keywords.ts'
import { referencesIn } from './schema-graph.ts'

const metaAjv = new Ajv2020({ strict: false, logger: false, allErrors: true })

/** Part of the message about what is no schema, which checks/schema-places.ts reports with its place. */
export const noSchema = 'must be an object or a boolean'

interface Malformed {
  /** Keys that lead to the value. */
  readonly path: readonly string[]
  readonly message: string
}

/** @returns one entry for each value that is not allowed */
export function malformedIn(schema: Schema): Malformed[] {
  const plain = JSON.parse(stringify(schema)) as Json
  if (!isObject(plain) && typeof plain !== 'boolean')
    return [{ path: [], message: `this value ${noSchema}: ${shortened(plain)}` }]
  // For a boolean schema Ajv keeps the errors of the previous schema.
  if (metaAjv.validateSchema(plain as object) === true) return []
  const errors = new Map<string, ErrorObject>()
  // The first error of a place is more specific than those of the compositions around it.
  for (const error of metaAjv.errors ?? [])
    if (!errors.has(error.instancePath)) errors.set(error.instancePath, error)
  const places = [...errors.keys()]
  return [...errors]
    .filter(([place]) => !places.some((other) => other.startsWith(`${place}/`)))
    .map(([place, { message, params }]) => {
      const path = place.split('/').slice(1).map(unescapePointer)
      const value = valueAt(plain, path)
      const text = `${path.at(-1)} ${message === 'must be object,boolean' ? noSchema : message}: ${path.join('/')} is ${shortened(value)}`
      return { path, message: `${text}${cure(value, params['allowedValues'])}` }
    })
}

/** @returns the names of malformed definitions, and of those that refer to one */
export function refusedIn(definitions: Readonly<Record<string, Schema>>): string[] {
  const names = Object.keys(definitions)
  const schemas = Object.values(definitions)
  const malformed = [...schemas.keys()].filter((index) => malformedIn(schemas[index] as Schema).length > 0)
  if (malformed.length === 0) return []
  const references = schemas.map((schema) => [...referencesIn(schema)].map((name) => names.indexOf(name)))
  return [...withAncestors(malformed, references)].map((index) => String(names[index]))
}

/** Names the value that is probably meant, or the allowed ones. */
function cure(value: unknown, allowed: unknown): string {
  if (!Array.isArray(allowed)) return ''
  return didYouMean(String(value), allowed.map(String)) || `; allowed are ${allowed.join(', ')}`
}

/** Most characters of a value in a message. */
const maxLength = 60

function valueAt(schema: Json, path: readonly string[]): unknown {
  let value: unknown = schema
  for (const key of path) value = Reflect.get(Object(value), key)
  return value
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}
