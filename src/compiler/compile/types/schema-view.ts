/** Rewrites a schema for openapi-typescript. */
import { connectionHeaders } from '@contract-first/engine/model'
import {
  arrayOf,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own,
  stringOf
} from '../document/json-value.ts'
import { resolved } from '../document/reference.ts'
import { typesOf } from '../document/schema-object.ts'
import type { Shape, ShapeType } from '../shapes/shape.ts'

/** Marks int64, for which the hook in types.ts makes a bigint. */
export function int64(schema: JsonObject): JsonObject {
  const types = typesOf(schema)
  if (own(schema, 'format') !== 'int64' || !types.some((type) => type === 'integer' || type === 'number'))
    return schema
  const { enum: listed, const: constant, ...rest } = schema
  const allowed = constant === undefined ? arrayOf(listed) : [constant]
  return { ...rest, 'x-int64': true, ...(allowed.length > 0 ? { 'x-values': allowed } : {}) }
}

/** Keeps only values of `enum` and `const` that are primitive and of the type: others have no literal type. */
export function values(schema: JsonObject): JsonObject {
  const { enum: listed, const: constant, ...rest } = schema
  const primitive = (value: Json) => typeof value !== 'object' || value === null
  const plain = (value: Json) => (typeof value === 'bigint' ? Number(value) : value)
  return {
    ...rest,
    ...(Array.isArray(listed) && listed.length > 0 && listed.every(primitive)
      ? { enum: listed.filter((value) => isOfType(value, schema)).map(plain) }
      : {}),
    ...(constant !== undefined && primitive(constant) ? literal(constant) : {})
  }
}

function isOfType(value: Json, schema: JsonObject): boolean {
  const types = typesOf(schema)
  if (types.length === 0) return true
  if (value === null) return types.includes('null')
  if (typeof value !== 'number' && typeof value !== 'bigint') return types.includes(typeof value)
  return (
    types.includes('number') ||
    (types.includes('integer') && (typeof value === 'bigint' || Number.isInteger(value)))
  )
}

const literal = (value: Json): JsonObject =>
  value === null ? { type: 'null' } : { const: typeof value === 'bigint' ? Number(value) : value }

/** Keywords that determine a type. */
const typed = [
  'type',
  '$ref',
  'enum',
  'const',
  'properties',
  'additionalProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'items'
]
const impliesType = (schema: Json): boolean =>
  isObject(schema) && typed.some((key) => own(schema, key) !== undefined)

/**
 * Types the undeclared properties by the schemas of all properties: TypeScript checks the declared ones against an index
 * signature as well. They have any type beside patterns of an open object, and where other parts of the schema may
 * evaluate them.
 */
export function members(schema: JsonObject): JsonObject {
  const { patternProperties, unevaluatedProperties, ...others } = schema
  const additional = own(schema, 'additionalProperties')
  const patterns = Object.values(objectOf(patternProperties))
  const undeclared = [...patterns, additional].filter(isObject)
  const isAny =
    additional === true ||
    (additional === undefined && patterns.length > 0) ||
    undeclared.some((each) => Object.keys(each).length === 0)
  if (isObject(unevaluatedProperties) || isAny) return { ...others, additionalProperties: true }
  const declared = Object.values(objectOf(own(schema, 'properties'))).filter((each) => each !== false)
  if (undeclared.length === 0 || declared.length === 0) return schema
  return { ...others, additionalProperties: { anyOf: [...undeclared, ...declared] } }
}

/** Keywords that constrain only objects. */
const ofObjects = ['properties', 'additionalProperties', 'patternProperties']

/**
 * Joins the parts of a schema by `allOf`: a reference, compositions, the keywords beside them, and the names that are
 * required but not declared here.
 * @param typesOfValues returns the types of the values that the whole schema allows
 */
export function composed(schema: JsonObject, typesOfValues: () => Shape['types']): JsonObject {
  const { allOf, anyOf, oneOf, $ref, required, ...others } = schema
  const { description, deprecated, title, ...core } = others
  const undeclared = undeclaredNames(schema)
  const isComposed = [allOf, anyOf, oneOf].some(Array.isArray)
  if (!isComposed && undeclared.length === 0 && ($ref === undefined || !impliesType(core))) return schema
  const unions = [anyOf, oneOf].flatMap((branches) =>
    Array.isArray(branches) && branches.every(impliesType) ? [{ anyOf: branches }] : []
  )
  const own = { ...core, ...(required === undefined ? {} : { required }) }
  const parts = [
    ...($ref === undefined ? [] : [{ $ref }]),
    ...arrayOf(allOf)
      .filter(isObject)
      .map((part) => ofAnyType(part, typesOfValues)),
    ...unions,
    ...(impliesType(core) ? [ofAnyType(own, typesOfValues)] : []),
    ...(undeclared.length === 0
      ? []
      : [ofAnyType({ 'x-required': undeclared, properties: {} }, typesOfValues)])
  ]
  const notes = defined({ description, deprecated, title })
  const [only] = parts
  if (only === undefined) return others
  // openapi-typescript ignores siblings of a reference.
  return parts.length === 1 ? { ...only, ...notes } : { ...notes, allOf: parts }
}

/** Returns required names that are not among the schema's own properties. */
function undeclaredNames(schema: JsonObject): string[] {
  const declared = objectOf(own(schema, 'properties'))
  return arrayOf(own(schema, 'required'))
    .map(String)
    .filter((name) => !Object.hasOwn(declared, name))
}

/** Adds the types of other values: keywords of objects without `type` allow every value that is not an object. */
function ofAnyType(core: JsonObject, typesOfValues: () => Shape['types']): JsonObject {
  if (own(core, 'type') !== undefined || !ofObjects.some((key) => own(core, key) !== undefined)) return core
  const others = [...(typesOfValues() ?? [])].filter((type) => type !== 'object')
  const object = { ...core, type: 'object' }
  return others.length === 0 ? object : { anyOf: [object, ...others.map(schemaOf)] }
}

const schemaOf = (type: ShapeType): JsonObject =>
  type === 'int64' ? { type: 'integer', 'x-int64': true } : { type }

function defined(members: Record<string, Json | undefined>): JsonObject {
  const present = Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined)
  return Object.fromEntries(present)
}

/** Returns the name of the type of a string that holds bytes; undefined for every other schema. */
export const bytesTypeOf = (schema: JsonObject): string | undefined => stringOf(own(schema, 'x-bytes'))

/** Returns the names that an object must have, of any type. */
export const requiredNames = (schema: JsonObject): string[] => arrayOf(own(schema, 'x-required')).map(String)

export const isInt64 = (schema: JsonObject): boolean => own(schema, 'x-int64') === true

/** Writes a parameter for the whole query, which openapi-typescript does not know, as one of the query. */
export function asParameter(written: JsonObject, document: JsonObject): JsonObject {
  const parameter = withSchema(written, document)
  return own(written, 'in') === 'querystring' ? { ...parameter, in: 'query' } : parameter
}

/** Returns a header of a response. The server gives most lengths itself, and Node the headers of the connection. */
export function headerView(name: string, header: JsonObject, document: JsonObject): JsonObject {
  const lower = name.toLowerCase()
  if (lower !== 'content-length' && !connectionHeaders.has(lower)) return withSchema(header, document)
  return { ...withSchema(resolved(document, header), document), required: false }
}

/**
 * Gives a parameter or header with `content` the schema of its value, because openapi-typescript would type it as text.
 */
export function withSchema(parameter: JsonObject, document: JsonObject): JsonObject {
  const { content, ...rest } = parameter
  const [media] = Object.values(objectOf(content))
  return media === undefined ? parameter : { ...rest, schema: own(resolved(document, media), 'schema') ?? {} }
}
