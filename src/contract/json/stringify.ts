/** JSON texts in which every integer is exact, also those that no double can hold. */

declare global {
  interface JSON {
    /** ES2026, section 25.5.2: a number literal of our own spelling in `JSON.stringify`. */
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
