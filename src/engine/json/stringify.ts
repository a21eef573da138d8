/** Writes JSON in which every bigint is exact, also beyond 2^53. */

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
