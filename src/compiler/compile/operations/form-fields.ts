/** Determines how the fields of a form are decoded (OpenAPI 3.1.0, sections 4.8.14.3, 4.8.14.4 and 4.8.15). */

import { type BodyKind, bodyKind } from '@contract-first/engine/media-types'
import type { FieldSpec, RequestContent } from '@contract-first/engine/model'
import { arrayOf, isObject, type Json, type JsonObject, objectOf, own } from '../document/json-value.ts'
import type { Parameter } from '../document/parameter-objects.ts'
import { atPointer, pointerOf } from '../document/reference.ts'
import { holdsBytes } from '../document/schema-object.ts'
import type { Shapes } from '../shapes/shape.ts'
import { allUnnamed, anyValue } from '../shapes/shape-merge.ts'
import { parameterSpec } from './parameter-spec.ts'
import { listedTypes, partTypes } from './part-types.ts'

interface Form {
  readonly document: JsonObject
  readonly shapes: Shapes
  readonly kind: BodyKind
}

/** @param media the media type object of the form */
export function formFields(media: JsonObject, form: Form): Pick<RequestContent, 'fields' | 'additional'> {
  const shape = form.shapes.of([objectOf(own(media, 'schema'))])
  const encoding = objectOf(own(media, 'encoding'))
  const fields = [...shape.properties].map(([name, schemas]) =>
    fieldSpec(name, schemas, objectOf(own(encoding, name)), form)
  )
  const others = allUnnamed(shape)
  const isDeclared = others.some((schema) => schema !== true && schema !== anyValue)
  return { fields, ...(isDeclared ? { additional: fieldSpec('', others, {}, form) } : {}) }
}

function fieldSpec(name: string, schemas: readonly Json[], rules: JsonObject, form: Form): FieldSpec {
  const { document, shapes, kind } = form
  const shape = shapes.of(schemas)
  const isMultipart = kind === 'multipart'
  const isStructured = shape.types?.has('object') === true
  const isJson = isJsonType(rules) || (isStructured && isMultipart)
  const node = { ...rules, ...(isJson ? { content: { 'application/json': {} } } : {}) }
  const [single] = schemas
  const schema: Json = schemas.length === 1 && single !== undefined ? single : { anyOf: [...schemas] }
  const parameter: Parameter = { node, name, in: 'query', required: false, schema }
  const { default: _default, ...spec } = parameterSpec(parameter, document, shapes)
  if (!isMultipart) return spec
  const itemTypes = shapes.of(shape.items).types
  const isList = spec.shape.items !== undefined
  const { json, ...rest } = spec
  const partRules = partTypes(schemas, rules, document)
  if (isList && (isJson || itemTypes?.has('object') || itemTypes?.has('array')))
    return { ...rest, ...partRules, jsonItems: true }
  const isBinary =
    schemas.some((part) => mayHoldBytes(part, document, new Set())) ||
    (shape.types === undefined && isBinaryType(rules))
  return { ...rest, ...partRules, ...(isBinary ? { bytes: true } : json ? { json } : {}) }
}

const isJsonType = (rules: JsonObject): boolean =>
  listedTypes(rules).some((type) => bodyKind(type) === 'json')
const isBinaryType = (rules: JsonObject): boolean =>
  listedTypes(rules).some((type) => bodyKind(type) === 'binary')

/** Checks the schema itself, the schemas that it is composed of, and the schema of its items. */
function mayHoldBytes(schema: Json, document: JsonObject, seen: Set<Json>): boolean {
  if (!isObject(schema) || seen.has(schema)) return false
  seen.add(schema)
  const pointer = pointerOf(schema)
  const parts = ['allOf', 'anyOf', 'oneOf', 'prefixItems'].flatMap((key) => arrayOf(own(schema, key)))
  const others = [own(schema, 'items'), pointer === undefined ? undefined : atPointer(document, pointer)]
  return (
    holdsBytes(schema) || [...parts, ...others].some((part) => mayHoldBytes(part ?? true, document, seen))
  )
}
