/** What OpenAPI writes in its own way, and Ajv in another: each said as draft 2020-12 and vocabulary.ts say it. */
import { arrayOf, isObject, type Json, type JsonObject, objectOf, own } from '../document/json-value.ts'
import { typesOf } from '../document/schema-object.ts'
import { constrain } from './discriminator.ts'
import type { View } from './view.ts'
import { javascriptTypes } from './vocabulary-numbers.ts'

/** Ajv passes over a property of this name, but not over one that matches a pattern. */
export function protoProperty(result: JsonObject): void {
  const properties = objectOf(own(result, 'properties'))
  const schema = own(properties, '__proto__')
  if (schema === undefined) return
  Reflect.deleteProperty(properties, '__proto__')
  result['patternProperties'] = { ...objectOf(own(result, 'patternProperties')), '^__proto__$': schema }
}

/** OpenAPI 3.0 has the exclusive bounds of JSON Schema draft 4: flags beside `minimum` and `maximum`. */
export function exclusiveBounds(schema: JsonObject): void {
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum']
  ] as const) {
    const limit = own(schema, bound)
    if (own(schema, flag) === true && limit !== undefined) {
      schema[flag] = limit
      delete schema[bound]
    } else delete schema[flag]
  }
}

/** The keyword is of vocabulary.ts: bytes, or a text that stands for them. */
export function bytes(schema: JsonObject): void {
  const others = typesOf(schema).filter((type) => type !== 'string')
  for (const bound of ['min', 'max']) {
    const length = own(schema, `${bound}Length`)
    if (length !== undefined) schema[`${bound}Bytes`] = length
  }
  delete schema['type']
  if (others.length === 0) schema['binary'] = true
  else schema['anyOf'] = [...arrayOf(own(schema, 'anyOf')), { type: others }, { binary: true }]
}

/** Moves what concerns int64 and exact integers into the keywords that implement it (vocabulary.ts). */
export function exactNumbers(schema: JsonObject, view: View): void {
  const types = typesOf(schema)
  const others = types.filter((type) => type !== 'integer' && type !== 'number')
  if (own(schema, 'format') === 'int64') {
    delete schema['format']
    if (types.length > 0 && others.length === types.length) return // a string that holds an int64 is a string
    if (!others.every((type) => Object.hasOwn(javascriptTypes, type))) return // refused where it stands
    delete schema['type']
    if (types.length > 0) schema['int64Type'] = others
    schema['int64'] = true
  } else if (view !== 'response' && types.includes('integer') && !types.includes('number'))
    schema['exactInteger'] = true
}

const isNullType = (schema: Json): boolean => isObject(schema) && own(schema, 'type') === 'null'

/** `anyOf: [X, null]` said as a condition, so that what is wrong with X is told and not that both branches fail. */
export function nullUnion(schema: JsonObject): JsonObject {
  const branches = arrayOf(own(schema, 'anyOf'))
  const other = branches.find((branch) => !isNullType(branch))
  if (branches.length !== 2 || other === undefined || !branches.some(isNullType)) return schema
  const { anyOf: _union, ...rest } = schema
  return constrain(rest, { if: { type: 'null' }, else: other })
}

/** OpenAPI 3.0 `nullable`: null is valid too, whatever else the schema says; so it is read, and so are the types. */
export function nullable(schema: JsonObject): JsonObject {
  const composed = ['allOf', 'anyOf', 'oneOf', 'not', 'int64', 'type'].filter((key) =>
    Object.hasOwn(schema, key)
  )
  if (composed.length > 1 || composed[0] !== 'type') return { if: { type: 'null' }, else: schema }
  const values = own(schema, 'enum')
  return {
    ...schema,
    type: [...typesOf(schema), 'null'],
    ...(Array.isArray(values) ? { enum: [...values, null] } : {})
  }
}
