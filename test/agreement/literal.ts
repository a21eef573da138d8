/** Writes values as TypeScript, and as texts of a request. */

/** @returns source code of a value of JSON or int64 */
export function literal(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (value instanceof Uint8Array) return `Buffer.from(${JSON.stringify([...value])})`
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${literal(member)}`)
  return `{ ${members.join(', ')} }`
}

/** @returns the value as JSON, in which a bigint becomes an integer */
export function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
}

const listed = (value: unknown): string[] => [value].flat().map((item) => encodeURIComponent(String(item)))

/** Writes a value in style `simple`: for paths and headers. */
export const simple = (value: unknown): string => listed(value).join(',')

/** Writes a value in style `form`, exploded: for queries, cookies and forms. */
export const form = (name: string, value: unknown, separator = '&'): string =>
  listed(value)
    .map((item) => `${name}=${item}`)
    .join(separator)
