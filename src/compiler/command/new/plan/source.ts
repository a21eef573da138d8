/** TypeScript source code of plain data, as the formatter of a new project writes it. */

/** Longest line, in columns. */
export const maxLineLength = 110

/** Returns a text in single quotes. */
export function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  const escaped = inner.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
  if (!escaped.includes("'") || escaped.includes('"')) return `'${escaped.replaceAll("'", "\\'")}'`
  return `"${escaped}"`
}

/** Returns a name as the key of an object literal. */
export function keyOf(name: string): string {
  if (name === '__proto__') return "['__proto__']"
  return /^[A-Za-z_$][\w$]*$/.test(name) || /^(0|[1-9]\d{0,14})$/.test(name) ? name : quoted(name)
}

/** A part of a value that is already source code. */
export class Source {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export interface Position {
  /** Columns before each line. */
  readonly indent: number
  /** Columns that the line has before and after the value. */
  readonly used?: number
}

/** @returns source code of the value: bytes as a Buffer, undefined members left out */
export function sourceOf(value: unknown, { indent, used = 0 }: Position): string {
  if (value instanceof Source) return value.text
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'string') return quoted(value)
  if (value instanceof Uint8Array)
    return `Buffer.from(${quoted(Buffer.from(value).toString('base64'))}, 'base64')`
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = indent + 2
  const parts = Array.isArray(value)
    ? value.map((item) => sourceOf(item, { indent: inner }))
    : Object.entries(value).flatMap(([name, member]) => memberOf(name, member, inner))
  const [open, close, space] = Array.isArray(value) ? ['[', ']', ''] : ['{', '}', ' ']
  if (parts.length === 0) return `${open}${close}`
  const line = `${open}${space}${parts.join(', ')}${space}${close}`
  if (!line.includes('\n') && indent + used + line.length <= maxLineLength) return line
  const before = ' '.repeat(inner)
  return `${open}\n${parts.map((part) => `${before}${part}`).join(',\n')}\n${' '.repeat(indent)}${close}`
}

function memberOf(name: string, member: unknown, indent: number): string[] {
  if (member === undefined) return []
  if (member instanceof Source && member.text === name) return [name]
  const key = keyOf(name)
  return [`${key}: ${sourceOf(member, { indent, used: key.length + 3 })}`]
}
