/** Reads Schema Objects as written: the types that they name, and strings that hold bytes. */
import { bodyKind } from '@contract-first/engine/media-types'
import { arrayOf, type Json, type JsonObject, objectOf, own } from './json-value.ts'

/** Returns the types that `type` lists or names; an empty list when the schema allows any. */
export function typesOf(schema: JsonObject): string[] {
  const type = own(schema, 'type')
  return [...arrayOf(type), type].filter((item) => typeof item === 'string')
}

/** Returns X for a schema with `anyOf: [X, null]`; undefined for any other one. */
export function besideNull(schema: JsonObject): Json | undefined {
  const branches = arrayOf(own(schema, 'anyOf'))
  const others = branches.filter((branch) => own(objectOf(branch), 'type') !== 'null')
  return branches.length === 2 && others.length === 1 ? others[0] : undefined
}

/**
 * Returns true for a string of bytes: `format: binary`, or since 3.1 a media type other than text (OpenAPI 3.1.0,
 * section 4.8.14.2).
 */
export function holdsBytes(schema: JsonObject): boolean {
  if (!typesOf(schema).includes('string')) return false
  const mediaType = own(schema, 'contentMediaType')
  const isEncoded = own(schema, 'contentEncoding') !== undefined
  return (
    own(schema, 'format') === 'binary' ||
    (mediaType !== undefined && !isEncoded && bodyKind(String(mediaType)) === 'binary')
  )
}

/**
 * Returns the schema of a body of bytes, which can only bound their number (OpenAPI 3.1.0, section 4.8.14.2).
 * @returns undefined when the schema sets no bound
 */
export function bytesBodySchema(schema: JsonObject | undefined): JsonObject | undefined {
  if (schema === undefined || !typesOf(schema).every((type) => type === 'string')) return undefined
  const bounds = Object.entries(schema).filter(([name]) => name === 'minLength' || name === 'maxLength')
  return bounds.length === 0 ? undefined : { ...Object.fromEntries(bounds), type: 'string', format: 'binary' }
}
