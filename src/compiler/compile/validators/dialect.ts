/** Translates OpenAPI's own forms into keywords of draft 2020-12 and of validator-writer.ts. */
import { arrayOf, type JsonObject, own } from '../document/json-value.ts'
import { besideNull, typesOf } from '../document/schema-object.ts'
import { constrain } from './discriminator.ts'

/** Translates a string that holds bytes: its value is bytes, or a text that stands for them. */
export function bytes(written: JsonObject): JsonObject {
  const schema = { ...written }
  const others = typesOf(schema).filter((type) => type !== 'string')
  for (const bound of ['min', 'max']) {
    const length = own(schema, `${bound}Length`)
    if (length !== undefined) schema[`${bound}Bytes`] = length
  }
  delete schema['type']
  if (others.length === 0) schema['binary'] = true
  else schema['anyOf'] = [...arrayOf(own(schema, 'anyOf')), { type: others }, { binary: true }]
  return schema
}

/** Types of JSON that are no numbers. */
const otherTypes = ['string', 'boolean', 'null', 'array', 'object']

/**
 * Replaces `type` of numbers by keywords of validator-writer.ts: a number or bigint may stand for an integer, its text
 * decides in a request, and the formats int32 and int64 bound it. A list of other types becomes `types`.
 */
export function exactNumbers(written: JsonObject): JsonObject {
  const types = typesOf(written)
  const others = types.filter((type) => type !== 'integer' && type !== 'number')
  const format = String(own(written, 'format'))
  const isSized = format === 'int32' || format === 'int64'
  const { format: _format, ...rest } = written
  const schema = isSized ? rest : { ...written }
  const isNumeric = types.length === 0 || others.length < types.length
  if (!isNumeric && typeof written['type'] === 'string') return schema
  if (!others.every((type) => otherTypes.includes(type))) return schema // refused by the meta-schema
  if (types.length > 0 || format === 'int64') {
    delete schema['type']
    // An integer is a number.
    const named = types.filter((type) => type !== 'integer' || !types.includes('number'))
    const allowed = named.length > 0 ? named : [...otherTypes, 'integer']
    schema[isNumeric ? 'numericType' : 'types'] = allowed.map((type) =>
      format === 'int64' && !otherTypes.includes(type) ? format : type
    )
  }
  // A string that holds an int64 is a string.
  return isSized && isNumeric ? { ...schema, [format]: true } : schema
}

/** Turns `anyOf: [X, null]` into a condition, so that errors explain why X fails, not that both branches fail. */
export function nullUnion(schema: JsonObject): JsonObject {
  const other = besideNull(schema)
  if (other === undefined) return schema
  const { anyOf: _union, ...rest } = schema
  const condition = { if: { type: 'null' }, else: other }
  return own(schema, 'if') === undefined ? { ...rest, ...condition } : constrain(rest, condition)
}
