/** Reads JSON of responses: validated, with its int64 as exact bigints. */
import { asRead, exactJson, type ParsedJson } from '../../json/exact-json.ts'
import { searchInt64 } from '../../json/restore-int64.ts'
import type { Checker, JsonReading } from '../../model/client-operation.ts'

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
