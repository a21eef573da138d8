/** Finds the media types and encodings that the parts of a multipart body may have (OpenAPI 3.1.0, section 4.8.15). */
import { parseMediaType } from '@contract-first/engine/media-types'
import type { FieldSpec } from '@contract-first/engine/model'
import { arrayOf, isObject, type Json, type JsonObject, own, stringOf } from '../document/json-value.ts'
import { atPointer, pointerOf } from '../document/reference.ts'
import { typesOf } from '../document/schema-object.ts'

/** Returns the media types that `contentType` lists. */
export function listedTypes(rules: JsonObject): string[] {
  const listed = (stringOf(own(rules, 'contentType')) ?? '').split(',').map((type) => type.trim())
  return listed.filter((type) => type !== '')
}

/** @param rules the encoding object of the field, which overrides its schemas */
export function partTypes(
  schemas: readonly Json[],
  rules: JsonObject,
  document: JsonObject
): Pick<FieldSpec, 'contentTypes' | 'transferEncoding'> {
  const strings = schemas.flatMap((schema) => stringSchemas(schema, document, new Set()))
  const declared = strings.map((schema) =>
    own(schema, 'contentEncoding') === undefined ? stringOf(own(schema, 'contentMediaType')) : undefined
  )
  const ofSchemas = declared.filter((type) => type !== undefined)
  const listed = listedTypes(rules)
  const contentTypes = listed.length > 0 ? listed : ofSchemas.length < strings.length ? [] : ofSchemas
  const [encoding] = strings.flatMap((schema) => stringOf(own(schema, 'contentEncoding')) ?? [])
  return {
    ...(contentTypes.length > 0 && contentTypes.every(isMediaType)
      ? { contentTypes: [...new Set(contentTypes)] }
      : {}),
    ...(encoding === undefined ? {} : { transferEncoding: encoding.toLowerCase() })
  }
}

export const isMediaType = (text: string): boolean => parseMediaType(text) !== undefined

/** Returns the schemas of strings that a part may hold: the schema itself, its branches, or those of its items. */
function stringSchemas(
  schema: Json | undefined,
  document: JsonObject,
  seen: ReadonlySet<Json>
): JsonObject[] {
  if (!isObject(schema) || seen.has(schema)) return []
  const within = new Set(seen).add(schema)
  const pointer = pointerOf(schema)
  const parts = [
    ...['allOf', 'anyOf', 'oneOf'].flatMap((key) => arrayOf(own(schema, key))),
    own(schema, 'items'),
    pointer === undefined ? undefined : atPointer(document, pointer)
  ]
  const isString = typesOf(schema).includes('string')
  return [...(isString ? [schema] : []), ...parts.flatMap((part) => stringSchemas(part, document, within))]
}
