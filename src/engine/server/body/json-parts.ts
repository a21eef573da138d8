/** Parts of JSON text, or of plain text where the schema allows a string. */
import { bodyKind } from '../../media-types/media-type.ts'
import type { FieldSpec } from '../../model/compiled-contract.ts'
import { itemShape, type TextShape } from '../../model/parameter.ts'
import { fits, jsonValue, textUnlessJson } from '../parameters/json-text.ts'
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
  const kind = bodyKind(mediaType)
  if (kind === 'json' || !shape.types.includes('string')) return parsed(text)
  return kind === 'text' ? text : textUnlessJson(text, shape)
}

function parsed(text: string): unknown {
  try {
    return jsonValue(text)
  } catch {
    return undefined
  }
}

function required(value: unknown, key: string): unknown {
  if (value !== undefined) return value
  throw bodyMismatch([{ place: fieldPlace(key), message: 'is not valid JSON' }])
}
