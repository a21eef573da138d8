/** Texts that are JSON, or strings where the schema allows both: `auto` and `{"type":"server_vad"}`. */
import type { ParsedJson, ReadNumber } from '../../json/exact-json.ts'
import { numberOf } from '../../json/number-literal.ts'
import { parseExactJson } from '../../json/parse.ts'
import { mayBeArray, mayBeObject, type ParameterSpec, type TextShape } from '../../model/parameter.ts'
import { UndecodableParameter } from './decoded.ts'
import { delimitedValue, type Layout } from './delimited.ts'
import { exactNumber } from './primitive.ts'

/**
 * Parses JSON; integers that a double cannot represent become bigints, which the validator checks.
 * @throws {UndecodableParameter}
 */
export const jsonValue = (text: string): unknown => parseJson(text, decodedNumber).value

function decodedNumber(literal: string): number | bigint {
  const number = numberOf(literal)
  if (typeof number === 'number') return number
  return number.integer === undefined ? Number(number) : exactNumber(number.integer)
}

/**
 * @param read see `exactJson`
 * @throws {UndecodableParameter}
 */
export function parseJson(text: string, read?: ReadNumber): ParsedJson {
  try {
    return parseExactJson(text, read)
  } catch {
    throw new UndecodableParameter('is not valid JSON')
  }
}

/**
 * Returns the value of a JSON text. Where the schema also allows a string, every other text is that string.
 * @throws {UndecodableParameter}
 */
export function jsonOrText(text: string, shape: TextShape): unknown {
  const isEither = shape.types.includes('string') && (mayBeArray(shape) || mayBeObject(shape))
  return isEither ? textUnlessJson(text, shape) : jsonValue(text)
}

/** Returns the value of a JSON text that the schema allows, and any other text as it is. */
export function textUnlessJson(text: string, shape: TextShape): unknown {
  try {
    const value = jsonValue(text)
    return fits(value, shape) ? value : text
  } catch {
    return text
  }
}

const typesOf = new Map<string, readonly string[]>([
  ['number', ['number', 'integer', 'int64']],
  ['bigint', ['number', 'integer', 'int64']],
  ['boolean', ['boolean']],
  ['string', ['string']]
])

/** Returns true if the schema allows values of this type. */
export function fits(value: unknown, shape: TextShape): boolean {
  if (Array.isArray(value)) return mayBeArray(shape)
  if (value === null) return shape.types.includes('null')
  const types = typesOf.get(typeof value)
  return types === undefined ? mayBeObject(shape) : shape.types.some((type) => types.includes(type))
}

/** Decodes a text of one parameter, such as a path segment or a header. */
export function loneValue(spec: ParameterSpec, raw: string, { delimiter, decode }: Layout): unknown {
  if (spec.json) return jsonOrText(decode(raw), spec.shape)
  return delimitedValue(raw, spec, { delimiter, decode })
}
