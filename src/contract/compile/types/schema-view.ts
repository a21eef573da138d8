/** Rewrites a schema for openapi-typescript. */
import { arrayOf, isObject, type Json, type JsonObject, own } from '../document/json-value.ts'
import { typesOf } from '../document/schema-object.ts'

/** Marks int64, of which the hook in types.ts makes a bigint. */
export function int64(schema: JsonObject): JsonObject {
  const types = typesOf(schema)
  if (own(schema, 'format') !== 'int64' || !types.some((type) => type === 'integer' || type === 'number'))
    return schema
  const { enum: listed, const: constant, ...rest } = schema
  const allowed = constant === undefined ? arrayOf(listed) : [constant]
  return { ...rest, 'x-int64': true, ...(allowed.length > 0 ? { 'x-values': allowed } : {}) }
}

/** Keeps only primitive values of `enum` and `const`: others have no literal type. */
export function values(schema: JsonObject): JsonObject {
  const { enum: listed, const: constant, ...rest } = schema
  const primitive = (value: Json) => typeof value !== 'object' || value === null
  const plain = (value: Json) => (typeof value === 'bigint' ? Number(value) : value)
  return {
    ...rest,
    ...(Array.isArray(listed) && listed.length > 0 && listed.every(primitive)
      ? { enum: listed.map(plain) }
      : {}),
    ...(constant !== undefined && primitive(constant) ? literal(constant) : {})
  }
}

const literal = (value: Json): JsonObject =>
  value === null ? { type: 'null' } : { const: typeof value === 'bigint' ? Number(value) : value }

/** Keywords from which a type follows. */
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

/** Joins compositions with the keywords beside them by `allOf`; a union with a boolean branch has no type. */
export function composed(schema: JsonObject): JsonObject {
  const { allOf, anyOf, oneOf, ...core } = schema
  if (!isSchema(schema) || (allOf === undefined && anyOf === undefined && oneOf === undefined)) return schema
  const all = arrayOf(allOf).filter(isObject)
  const unions = [anyOf, oneOf].flatMap((branches) =>
    Array.isArray(branches) && branches.every(impliesType) ? [{ anyOf: branches }] : []
  )
  const { description, nullable, deprecated, title, readOnly, writeOnly, ...rest } = core
  const notes = defined({ description, nullable, deprecated, title, readOnly, writeOnly })
  const [only] = unions
  if (!impliesType(rest) && all.length === 0) return only === undefined ? core : { ...notes, ...only }
  return { ...core, ...(all.length + unions.length > 0 ? { allOf: [...all, ...unions] } : {}) }
}

function defined(members: Record<string, Json | undefined>): JsonObject {
  const present = Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined)
  return Object.fromEntries(present)
}

const isSchema = (node: JsonObject): boolean =>
  ['allOf', 'anyOf', 'oneOf'].some((key) => Array.isArray(own(node, key)))

export const isBytes = (schema: JsonObject): boolean => own(schema, 'x-bytes') === true

export const isInt64 = (schema: JsonObject): boolean => own(schema, 'x-int64') === true
