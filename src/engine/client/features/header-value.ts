/** Reads headers of responses that are numbers, lists, objects or JSON (OpenAPI 3.1.0, section 4.8.21, style simple). */
import { asRead } from '../../json/exact-json.ts'
import type { Checker } from '../../model/client-operation.ts'
import type { ResponseHeader } from '../../model/compiled-contract.ts'
import type { TextShape } from '../../model/parameter.ts'
import { delimitedValue } from '../../server/parameters/delimited.ts'
import { checkedJson, readExactJson } from './exact-json.ts'

/**
 * @param cookies lines of `set-cookie`, whose dates hold commas
 * @throws {Error} of the checker
 */
export function headerValue(
  header: ResponseHeader,
  text: string,
  checker: Checker,
  cookies: readonly string[]
): unknown {
  const { name, json } = header
  const place = `headers/${name}`
  if (json) return readExactJson(text, { ...header, place }, checker)
  const value = decoded(header, text, checker)
  const lines = name === 'set-cookie' && Array.isArray(value) ? cookies : value
  return checkedJson(asRead(lines), { ...header, place }, checker)
}

function decoded({ name, shape, explode }: ResponseHeader, text: string, { problem }: Checker): unknown {
  try {
    return delimitedValue(
      text,
      { shape: shape as TextShape, explode: explode === true },
      { delimiter: ',', decode: (piece) => piece.trim() }
    )
  } catch (error) {
    throw problem(`headers/${name}`, (error as Error).message)
  }
}
