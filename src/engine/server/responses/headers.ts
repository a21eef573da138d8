/** Headers of a handler's response (OpenAPI 3.1.0, section 4.8.17; RFC 9110, section 5). */
import { stringify } from '../../json/exact-values.ts'
import { connectionHeaders, type Response, type ResponseHeader } from '../../model/compiled-contract.ts'
import { isThenable } from '../errors/callbacks.ts'
import type { Checks } from './body.ts'

/** Values by lower-case name; several values only for `set-cookie`. */
export type ResponseHeaders = Map<string, string | string[]>

const token = /^[!#$%&'*+.^_`|~\w-]+$/

/**
 * Checks the headers of a response.
 * @throws {Error} for a header that is malformed, missing or not as declared
 */
export function checkedHeaders(
  given: Readonly<Record<string, unknown>> | undefined,
  response: Response,
  { check }: Checks
): ResponseHeaders {
  const headers: ResponseHeaders = new Map()
  const entries = given ?? {}
  if (!isRecord(entries)) throw new Error('headers is not an object of names and values')
  const values = new Map(Object.entries(entries).map(([name, value]) => [name.toLowerCase(), value]))
  for (const declared of response.headers) {
    const { name, required, validate } = declared
    const value = values.get(name)
    // The server gives most lengths itself (`measured` in body.ts).
    if (value === undefined && required && name !== 'content-length')
      throw new Error(`header ${name} is required`)
    if (value === undefined) continue
    check(validate, value, `header ${name}`)
    values.set(name, serialized(value, declared))
  }
  for (const [name, value] of values) if (value !== undefined) headers.set(name, headerText(name, value))
  return headers
}

/** Returns false for a promise, a list, a `Headers` and a `Map`, which have no entries of their own. */
const isRecord = (given: unknown): boolean =>
  typeof given === 'object' && given !== null && !isThenable(given) && !(Symbol.iterator in given)

/** Serializes objects and JSON (OpenAPI 3.1.0, section 4.8.12.3, style simple). */
function serialized(value: unknown, { name, json, explode }: ResponseHeader): unknown {
  if (json) return asciiJson(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return members.map(([key, member]) => `${key}${explode ? '=' : ','}${lineOf(name, member)}`).join(',')
}

function asciiJson(value: unknown): string {
  const text = stringify(value)
  return text.replaceAll(
    /[^\t\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
}

/** Rejects line breaks, and characters beyond ASCII, which recipients decode differently (RFC 9110, section 5.5). */
function headerText(name: string, value: unknown): string | string[] {
  if (!token.test(name)) throw new Error(`${JSON.stringify(name)} is not a header name`)
  if (connectionHeaders.has(name)) throw new Error(`header ${name} cannot be set by a handler`)
  const texts = [value].flat().map((item) => lineOf(name, item))
  return name === 'set-cookie' ? texts : texts.join(', ')
}

function lineOf(name: string, value: unknown): string {
  if (!['string', 'number', 'bigint', 'boolean'].includes(typeof value))
    throw new Error(`header ${name} is neither a text nor a number`)
  const text = String(value)
  if (/[^\t\x20-\x7e]/.test(text)) throw new Error(`header ${name} has a character that is not allowed`)
  return text
}
