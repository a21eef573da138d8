/** `name=value` pairs as they travel in queries, cookies and path segments. Names are decoded, values are still raw. */
import { UndecodableParameter } from './decoded.ts'

export type Pairs = ReadonlyMap<string, readonly string[]>

/** Throws UndecodableParameter for malformed percent-encoding and for what is not UTF-8. */
export function percentDecode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    throw new UndecodableParameter('has malformed percent-encoding')
  }
}

/** As percentDecode; in a query a plus is a space, as HTML forms and every browser have it. */
export function formDecode(text: string): string {
  return percentDecode(text.includes('+') ? text.replaceAll('+', ' ') : text)
}

/** What cookies hold is up to who set them: a text that is not percent-encoded is taken as it is. */
export function cookieDecode(text: string): string {
  try {
    return percentDecode(text)
  } catch {
    return text
  }
}

/** Pairs whose name cannot be decoded are left out, which `malformed` tells. */
export function pairsOf(text: string, separator: string, decode: (raw: string) => string) {
  const pairs = new Map<string, string[]>()
  let malformed = false
  for (const part of text.split(separator)) {
    const equals = part.indexOf('=')
    const name = decodeName(equals < 0 ? part : part.slice(0, equals), decode)
    if (name === undefined) malformed = true
    else if (part !== '') add(pairs, name, equals < 0 ? '' : part.slice(equals + 1))
  }
  return { pairs, malformed }
}

/** The Cookie header (RFC 6265, section 4.2.1); quotes around a value are not part of it. */
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
