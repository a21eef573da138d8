/** Percent signs in names: openapi-typescript decodes each name as if it were percent-encoded, and stops at `50%`. */
import { define, isObject, type Json, type JsonObject } from '../document/json-value.ts'

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
    // A reference of a loaded document is percent-encoded (document/pointer.ts, fragmentOf).
    const named = key === '$ref' && typeof value === 'string' ? value.replaceAll('%25', '%') : value
    define(result, key.replaceAll('%', word), masked(named, word))
  }
  return result
}
