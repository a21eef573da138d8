/** JSON values whose integers are exact, also beyond 2^53: written as text, and compared. */

declare global {
  interface JSON {
    /** ES2026, section 25.5.2: makes `JSON.stringify` write the text as it is. */
    rawJSON(text: string): unknown
  }
}

export function stringify(value: unknown, indent?: number): string {
  return JSON.stringify(
    value,
    (_key, item: unknown) => (typeof item === 'bigint' ? JSON.rawJSON(String(item)) : item),
    indent
  )
}

/** Compares values by what they spell, in any order of members; an absent member equals one that is undefined. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (isNumber(a) && isNumber(b)) return String(a) === String(b)
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) || Array.isArray(b)) return isSameList(a, b)
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return names.values().every((name) => isSameValue(member(a, name), member(b, name)))
}

const isNumber = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint'

function isSameList(a: object, b: object): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
  return a.every((item, index) => isSameValue(item, b[index]))
}

const member = (object: object, name: string): unknown =>
  Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined
