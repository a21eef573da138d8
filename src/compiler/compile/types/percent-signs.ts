/** Percent signs in names: openapi-typescript decodes each name as if it were percent-encoded, and stops at `50%`. */
import { define, isObject, type Json, type JsonObject } from '../document/json-value.ts'
import { escapePointer, fragmentSegments } from '../document/pointer.ts'

interface Masked {
  readonly view: JsonObject
  /** Returns the printed types with the percent signs. */
  readonly restore: (types: string) => string
}

/**
 * Replaces percent signs in names and texts by a word that the document does not have, and that is no identifier.
 * @param text the document as JSON
 */
export function maskPercentSigns(view: JsonObject, text: string): Masked {
  if (!text.includes('%')) return { view, restore: (types) => types }
  let word = 'percent-sign'
  while (text.includes(word)) word = `${word}-`
  return { view: maskedNode(view, word), restore: (types) => types.replaceAll(word, '%') }
}

function masked(value: Json, word: string): Json {
  if (typeof value === 'string') return value.replaceAll('%', word)
  if (Array.isArray(value)) return value.map((item) => masked(item, word))
  return isObject(value) ? maskedNode(value, word) : value
}

function maskedNode(node: JsonObject, word: string): JsonObject {
  const result: JsonObject = {}
  for (const [key, value] of Object.entries(node)) {
    const isReference = key === '$ref' && typeof value === 'string'
    define(result, key.replaceAll('%', word), masked(isReference ? decoded(value) : value, word))
  }
  return result
}

const decoded = (reference: string): string => `#/${fragmentSegments(reference).map(escapePointer).join('/')}`
