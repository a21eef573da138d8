/**
 * Determines how the fields of a form are decoded, the media types of their parts, and which encodings have no effect
 * (OpenAPI 3.1.0, sections 4.8.14.3, 4.8.14.4 and 4.8.15).
 */
import { type BodyKind, bodyKind, parseMediaType } from '@contract-first/engine/media-types'
import type { FieldSpec, FormFields, RequestContent } from '@contract-first/engine/model'
import {
  arrayOf,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own,
  stringOf
} from '../document/json-value.ts'
import type { Parameter } from '../document/parameter-objects.ts'
import { atPointer, pointerOf } from '../document/reference.ts'
import { holdsBytes, typesOf } from '../document/schema-object.ts'
import type { Shapes } from '../shapes/shape.ts'
import { allUnnamed, anyValue } from '../shapes/shape-merge.ts'
import { parameterSpec } from './parameter-spec.ts'

interface Form {
  readonly document: JsonObject
  readonly shapes: Shapes
  readonly kind: BodyKind
}

/** @param media the media type object of the form */
export function formFields(
  media: JsonObject,
  form: Form
): FormFields & { readonly fields: readonly FieldSpec[] } {
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
  const isList = shape.types?.has('array') === true
  const isStructured = shape.types?.has('object') === true && (isMultipart || !isList)
  // A style decides instead of the media type (OpenAPI 3.1.0, section 4.8.15.1).
  const isStyled = !isMultipart && styles.some((key) => own(rules, key) !== undefined)
  const isJson = !isStyled && (isJsonType(rules) || isStructured)
  const node = { ...rules, ...(isJson ? { content: { 'application/json': {} } } : {}) }
  const [single] = schemas
  const schema: Json = schemas.length === 1 && single !== undefined ? single : { anyOf: [...schemas] }
  const parameter: Parameter = { node, name, in: 'query', required: false, schema }
  const { default: _default, ...spec } = parameterSpec(parameter, document, shapes)
  const itemTypes = shapes.of(shape.items).types
  const hasNested = isList && (itemTypes?.has('object') || itemTypes?.has('array'))
  const isOnlyList = spec.shape.types.every((type) => type === 'null')
  if (!isMultipart)
    return hasNested && isOnlyList && !isStyled && !spec.json ? { ...spec, jsonItems: true } : spec
  const { json, ...rest } = spec
  const partRules = partTypes(schemas, rules, document)
  if (isList && (isJson || hasNested)) return { ...rest, ...partRules, jsonItems: true }
  const isBinary =
    schemas.some((part) => mayHoldBytes(part, document, new Set())) ||
    (shape.types === undefined && isBinaryType(rules))
  return { ...rest, ...partRules, ...(isBinary ? { bytes: true } : json ? { json } : {}) }
}

/** Fields of an encoding object that say how a value is written as text. */
const styles = ['style', 'explode', 'allowReserved']

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

/** Returns the media types that `contentType` lists. */
function listedTypes(rules: JsonObject): string[] {
  const listed = (stringOf(own(rules, 'contentType')) ?? '').split(',').map((type) => type.trim())
  return listed.filter((type) => type !== '')
}

/** @param rules the encoding object of the field, which overrides its schemas */
function partTypes(
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

const isMediaType = (text: string): boolean => parseMediaType(text) !== undefined

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

interface FormProblem {
  readonly message: string
  /** Object with the problem, at its `key`. */
  readonly node: JsonObject
  readonly key: string
}

/** @param media the media type object of a request body or of a whole query */
export function formProblems(
  media: JsonObject,
  { mediaType, kind, items, fields = [] }: RequestContent,
  shapes: Shapes
): FormProblem[] {
  const isForm = kind === 'form' || kind === 'multipart'
  const isText = kind === 'text' && items === undefined && !mediaType.includes('*')
  const types = shapes.of([own(media, 'schema') ?? true]).types ?? new Set()
  const fits = isForm ? types.has('object') : !isText || types.has('string')
  if (types.size > 0 && !fits) {
    const message = `no body fits: ${mediaType} is read as ${isForm ? 'an object of its fields' : 'a string'}`
    return [{ message, node: media, key: 'schema' }]
  }
  if (own(media, 'encoding') === undefined || mediaType.includes('*')) return []
  if (!isForm)
    return [{ message: 'encoding has no effect: only forms have fields', node: media, key: 'encoding' }]
  const encoding = objectOf(own(media, 'encoding'))
  return Object.entries(encoding).flatMap(([name, value]) => {
    const rules = objectOf(value)
    const isDeclared = fields.some((field) => field.name === name)
    const message = `the encoding of ${name} has no effect: the schema declares no such field`
    return isDeclared ? fieldProblems(name, rules, kind) : [{ message, node: encoding, key: name }]
  })
}

function fieldProblems(name: string, rules: JsonObject, kind: 'form' | 'multipart'): FormProblem[] {
  const types = listedTypes(rules)
  const malformed = types.filter((type) => !isMediaType(type))
  const isEnforced = kind === 'multipart' || types.every((type) => bodyKind(type) === 'json')
  const problem = (key: string, message: string) => ({ message, node: rules, key })
  return [
    ...malformed.map((type) =>
      problem('contentType', `contentType of ${name} is not enforced: ${type} is not a media type`)
    ),
    ...(isEnforced
      ? []
      : [problem('contentType', `contentType of ${name} is not enforced: fields of this form have none`)]),
    ...(kind === 'form' && types.length > 0 && styles.some((key) => own(rules, key) !== undefined)
      ? [problem('contentType', `contentType of ${name} has no effect beside ${styles.join(', ')}`)]
      : []),
    ...(own(rules, 'headers') === undefined
      ? []
      : [problem('headers', `headers of the part ${name} are not enforced`)])
  ]
}
