/** Reads JSON of responses: validated, with its int64 as exact bigints. */
import { type ExactJson, exactJson } from '../../json/exact-json.ts'
import { searchInt64 } from '../../json/restore-int64.ts'
import type { Checker, JsonReading } from '../../model/client-operation.ts'

/** @throws {Error} of the checker */
export function readExactJson(text: string, reading: JsonReading, checker: Checker): unknown {
  const read =
    reading.kind === 'text'
      ? { value: text, exactness: undefined, root: {} }
      : parsedJson(text, reading.place, checker)
  return checkedJson(read, reading, checker)
}

/** @throws {Error} of the checker */
export function parsedJson(text: string, place: string, { problem }: Checker): ExactJson {
  try {
    return exactJson(text, JSON.parse(text))
  } catch (cause) {
    throw problem(place, 'is not valid JSON', cause)
  }
}

/** @throws {Error} of the checker */
export function checkedJson(
  { value, exactness, root }: ExactJson,
  { validate, int64, place }: JsonReading,
  { check, validators, formats }: Checker
): unknown {
  const holder = exactness === undefined ? { '': value } : (root as { '': unknown })
  check(validate, value, place, { exactness, context: { holder, key: '' } })
  if (int64 !== undefined) searchInt64(holder, int64, { validators, ...(formats && { formats }) }, exactness)
  return holder['']
}
