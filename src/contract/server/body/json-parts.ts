/** Parts that are JSON texts, or strings where the schema allows one: `auto` beside `{"type":"server_vad"}`. */
import { bodyKind } from '../../media-types/body-kind.ts'
import type { FieldSpec } from '../../model/compiled-contract.ts'
import { itemShape, mayBeArray, mayBeObject, type TextShape } from '../../model/parameter.ts'
import { UndecodableParameter } from '../parameters/decoded.ts'
import { jsonValue } from '../parameters/delimited.ts'
import { bodyMismatch, fieldPlace } from './failures.ts'
import type { Part } from './part.ts'
import { decodeUtf8 } from './utf8.ts'

/** @throws {FailureError} `mismatch` */
export function jsonPart(part: Part, { key, shape }: FieldSpec): unknown {
  return required(structuredValue(part, shape), key)
}

/**
 * Reads a list that has one part for each item. Many clients send the whole list in one part.
 * @throws {FailureError} `mismatch`
 */
export function jsonList(parts: readonly Part[], { key, shape }: FieldSpec): unknown {
  const [first, ...others] = parts
  const whole = first === undefined || others.length > 0 ? undefined : structuredValue(first, shape)
  if (whole !== undefined && isWhole(whole, shape)) return whole
  return parts.map((part, index) => required(structuredValue(part, itemShape(shape, index)), key))
}

function isWhole(value: unknown, shape: TextShape): boolean {
  return Array.isArray(value) ? shape.items?.items === undefined : fits(value, shape)
}

/**
 * Returns the value of a JSON text, or the text itself where the schema allows a string and the part is not JSON.
 * @returns undefined for a text that is neither
 */
export function structuredValue({ bytes, mediaType = '' }: Part, shape: TextShape): unknown {
  const text = decodeUtf8(bytes)
  const mayBeText = shape.types.includes('string')
  if (mayBeText && bodyKind(mediaType) === 'text') return text
  const value = parsed(text)
  const isDeclaredJson = bodyKind(mediaType) === 'json'
  if (isDeclaredJson || !mayBeText || (value !== undefined && fits(value, shape))) return value
  return text
}

function parsed(text: string): unknown {
  try {
    return jsonValue(text)
  } catch (error) {
    if (!(error instanceof UndecodableParameter)) throw error
    return undefined
  }
}

/** Returns whether the schema allows values of this type. */
function fits(value: unknown, shape: TextShape): boolean {
  if (Array.isArray(value)) return mayBeArray(shape)
  if (value === null) return shape.types.includes('null')
  if (typeof value === 'object') return mayBeObject(shape)
  const types = {
    number: ['number', 'integer', 'int64'],
    bigint: ['number', 'integer', 'int64'],
    boolean: ['boolean'],
    string: ['string']
  }[String(typeof value)]
  return shape.types.some((type) => types?.includes(type))
}

function required(value: unknown, key: string): unknown {
  if (value !== undefined) return value
  throw bodyMismatch([{ place: fieldPlace(key), message: 'is not valid JSON' }])
}
