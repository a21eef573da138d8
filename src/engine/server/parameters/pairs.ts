/** Splits queries, cookies and path segments into `name=value` pairs. Decodes names, not values. */
import { UndecodableParameter } from './decoded.ts'

export type Pairs = ReadonlyMap<string, readonly string[]>

/** @throws {UndecodableParameter} for malformed percent-encoding, and for bytes that are not UTF-8 */
export function percentDecode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    throw new UndecodableParameter('has malformed percent-encoding')
  }
}

/** Decodes percent-encoding, and a plus to a space, as in HTML forms (WHATWG URL, section 5.1). */
export function formDecode(text: string): string {
  return percentDecode(text.includes('+') ? text.replaceAll('+', ' ') : text)
}

/** Decodes a cookie. Keeps malformed percent-encoding as it is, because other services set cookies, too. */
export function cookieDecode(text: string): string {
  try {
    return percentDecode(text)
  } catch {
    return text
  }
}

/** Omits pairs whose name cannot be decoded, and reports them by `isMalformed`. */
export function pairsOf(
  text: string,
  separator: string,
  decode: (raw: string) => string
): { pairs: Pairs; isMalformed: boolean } {
  const pairs = new Map<string, string[]>()
  let isMalformed = false
  for (const part of text.split(separator)) {
    const equals = part.indexOf('=')
    const name = decodeName(equals < 0 ? part : part.slice(0, equals), decode)
    if (name === undefined) isMalformed = true
    else if (part !== '') add(pairs, name, equals < 0 ? '' : part.slice(equals + 1))
  }
  return { pairs, isMalformed }
}

/** Splits a Cookie header (RFC 6265, section 4.2.1); quotes around a value do not belong to it. */
export function cookiePairs(header: string, separator: RegExp): Pairs {
  const pairs = new Map<string, string[]>()
  for (const part of header.split(separator)) {
    const equals = part.indexOf('=')
    const value = part.slice(equals + 1).trim()
    const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"')
    if (equals > 0) add(pairs, part.slice(0, equals).trim(), isQuoted ? value.slice(1, -1) : value)
  }
  return pairs
}

function decodeName(text: string, decode: (text: string) => string): string | undefined {
  try {
    return decode(text)
  } catch {
    return undefined
  }
}

function add(pairs: Map<string, string[]>, name: string, value: string): void {
  const values = pairs.get(name)
  if (values) values.push(value)
  else pairs.set(name, [value])
}
