/** Reads JSON and headers of responses: validated, with their int64 as exact bigints. */
import { asRead, exactJson, type ParsedJson } from '../../json/exact-json.ts'
import { searchInt64 } from '../../json/restore-int64.ts'
import type { Checker, JsonReading } from '../../model/client-operation.ts'
import type { ResponseHeader } from '../../model/compiled-contract.ts'
import type { TextShape } from '../../model/parameter.ts'
import { delimitedValue } from '../../server/parameters/delimited.ts'

/** @throws {Error} of the checker */
export function readExactJson(text: string, reading: JsonReading, checker: Checker): unknown {
  const { kind, place } = reading
  return checkedJson(kind === 'text' ? asRead(text) : parsedJson(text, place, checker), reading, checker)
}

/** @throws {Error} of the checker */
export function parsedJson(text: string, place: string, { problem }: Checker): ParsedJson {
  try {
    return exactJson(text, JSON.parse(text))
  } catch (cause) {
    throw problem(place, 'is not valid JSON', cause)
  }
}

/** @throws {Error} of the checker */
export function checkedJson(
  parsed: ParsedJson,
  { validate, int64, place }: JsonReading,
  { check, validators, formats }: Checker
): unknown {
  check(validate, parsed.value, place)
  return searchInt64(parsed, int64, { validators, ...(formats && { formats }) })
}

/**
 * Reads a header that is a number, a list, an object or JSON (OpenAPI 3.1.0, section 4.8.21, style simple).
 * @param cookies lines of `set-cookie`, whose dates hold commas
 * @throws {Error} of the checker
 */
export function headerValue(
  header: ResponseHeader,
  text: string,
  checker: Checker,
  cookies: readonly string[]
): unknown {
  const { name, shape, explode, json } = header
  const place = `headers/${name}`
  if (json) return readExactJson(text, { ...header, place }, checker)
  let value: unknown
  try {
    const form = { shape: shape as TextShape, explode: explode === true }
    value = delimitedValue(text, form, { delimiter: ',', decode: (piece) => piece.trim() })
  } catch (error) {
    throw checker.problem(place, (error as Error).message)
  }
  const lines = name === 'set-cookie' && Array.isArray(value) ? cookies : value
  return checkedJson(asRead(lines), { ...header, place }, checker)
}
