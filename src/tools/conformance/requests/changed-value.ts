/** Compares sent values with the ones received under the same names: numbers to the digit, texts whole. */
import { isObject } from '@contract-first/contract'
import { exactDocument } from '../../samples/schemas.ts'

export interface Change {
  /** Path of the value: `id`, `size/width`, `tags/*`. */
  readonly place: string
  readonly sent: unknown
}

/** Compares values with exact integers, under names that both sides have. */
export function changedValue(
  sent: unknown,
  received: unknown,
  path: readonly string[] = []
): Change | undefined {
  if (isObject(sent) && isObject(received)) {
    for (const [name, value] of Object.entries(sent)) {
      if (!Object.hasOwn(received, name)) continue
      const change = changedValue(value, received[name], [...path, name])
      if (change !== undefined) return change
    }
    return undefined
  }
  if (Array.isArray(sent) && Array.isArray(received)) {
    const lost = lostNumber(sent, received)
    return lost === undefined ? undefined : { place: [...path, '*'].join('/'), sent: lost }
  }
  return isSame(sent, received) ? undefined : { place: path.join('/'), sent }
}

/** Compares lists without order and duplicates: a server may sort a list, and drop equal items. */
const lostNumber = (sent: readonly unknown[], received: readonly unknown[]): unknown =>
  received.length === 0
    ? undefined
    : sent.find(
        (item) => isNumber(item) && received.every((other) => isNumber(other) && !isSame(item, other))
      )

export const isNumber = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint'

/** Compares values of equal types; the schema of the answer judges the others. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && isNumber(b)) return a === Number(b) // written as the shortest text of its double
  if (isNumber(a) && isNumber(b)) return String(a) === String(b)
  if (typeof a === 'string' && typeof b === 'string') return normalised(a) === normalised(b)
  return true
}

/**
 * Normalises texts: servers may trim them, fold their case and compose their characters, but not cut or garble them.
 */
function normalised(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\ufeff]+/g, ' ')
    .trim()
}

/** Deepest JSON that is read: parsers and validators need seconds and gigabytes for a million levels. */
export const maxLevels = 1_000

/** Counts the brackets of a JSON text, without those in strings. */
export function isTooDeep(text: string): boolean {
  let level = 0
  let isInString = false
  for (let index = 0; index < text.length && level <= maxLevels; index++) {
    const character = text[index]
    if (character === '"') isInString = !isInString
    else if (isInString) index += Number(character === '\\')
    else if (character === '[' || character === '{') level++
    else if (character === ']' || character === '}') level--
  }
  return level > maxLevels
}

/**
 * Reads a JSON text into values whose integers are exact: those that a double does not hold are bigint.
 * @returns undefined for a text that is not JSON, or too deep
 */
export function exactValue(text: string): unknown {
  if (isTooDeep(text)) return undefined
  try {
    return exactDocument(text)
  } catch {
    return undefined
  }
}
