/** Translates a schema into JSON Schema draft 2020-12, in which all schemas are compared. */
import { arrayOf, type Json, type JsonObject, objectOf, own } from '../../compile/documents.ts'

/** Returns a new schema; schemas inside of it are translated when they are read. */
export function translated(node: JsonObject, is30: boolean): JsonObject {
  const isReference = typeof own(node, '$ref') === 'string'
  // OpenAPI 3.0 ignores siblings of a reference (3.0.3, section 4.7.23).
  const schema = is30 && isReference ? { $ref: own(node, '$ref') as string } : { ...node }
  if (is30) exclusiveBounds(schema)
  constant(schema)
  bytes(schema)
  dependencies(schema)
  return is30 ? nullable(schema, node) : made(schema, node)
}

const origins = new WeakMap<JsonObject, JsonObject>()

/** Remembers the original of a schema. */
export function made(schema: JsonObject, from: JsonObject): JsonObject {
  origins.set(schema, from)
  return schema
}

/** Returns the original schema of the contract. */
export function originOf(node: JsonObject): JsonObject {
  const origin = origins.get(node)
  return origin === undefined ? node : originOf(origin)
}

/** Translates the flags of OpenAPI 3.0 beside the bounds, as in JSON Schema draft 4. */
function exclusiveBounds(schema: JsonObject): void {
  for (const [flag, bound] of bounds) {
    const limit = own(schema, bound)
    if (own(schema, flag) === true && limit !== undefined) {
      schema[flag] = limit
      delete schema[bound]
    } else if (typeof own(schema, flag) === 'boolean') delete schema[flag]
  }
}

const bounds = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum']
] as const

function constant(schema: JsonObject): void {
  const value = own(schema, 'const')
  if (value === undefined) return
  const values = own(schema, 'enum')
  schema['enum'] = [value]
  if (Array.isArray(values)) schema['allOf'] = [...arrayOf(own(schema, 'allOf')), { enum: values }]
  delete schema['const']
}

/** Translates formats of OpenAPI 3.0 that are keywords since 3.1 (OpenAPI 3.1.0, section 4.8.14.2). */
function bytes(schema: JsonObject): void {
  const format = own(schema, 'format')
  if (format === 'byte') schema['contentEncoding'] = 'base64'
  if (format === 'binary') schema['contentMediaType'] = 'application/octet-stream'
  if (format === 'byte' || format === 'binary' || format === 'password') delete schema['format']
}

/** Translates `dependencies` of earlier drafts: a member is a list of names, or a schema. */
function dependencies(schema: JsonObject): void {
  for (const [name, value] of Object.entries(objectOf(own(schema, 'dependencies')))) {
    const key = Array.isArray(value) ? 'dependentRequired' : 'dependentSchemas'
    schema[key] = { ...objectOf(own(schema, key)), [name]: value }
  }
  delete schema['dependencies']
}

function nullable(schema: JsonObject, node: JsonObject): JsonObject {
  if (own(schema, 'nullable') !== true) return made(schema, node)
  const { nullable: _flag, ...rest } = schema
  const { readOnly, writeOnly, deprecated, default: standard, ...constraints } = rest
  const annotations = Object.entries({ readOnly, writeOnly, deprecated, default: standard }).filter(
    (entry): entry is [string, Json] => entry[1] !== undefined
  )
  const union = [made({ type: 'null' }, node), made(constraints as JsonObject, node)]
  return made({ ...Object.fromEntries(annotations), anyOf: union }, node)
}
