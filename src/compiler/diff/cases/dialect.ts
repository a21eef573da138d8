/** Translates a schema into the form in which all schemas are compared. */
import { arrayOf, type JsonObject, objectOf, own } from '../../compile/documents.ts'

/** Returns a new schema; schemas inside of it are translated when they are read. */
export function translated(node: JsonObject): JsonObject {
  const schema = { ...node }
  constant(schema)
  bytes(schema)
  dependencies(schema)
  return made(schema, node)
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
