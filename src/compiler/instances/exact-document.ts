/** Reads the text of a bundled document. */
import type { Json, JsonObject } from '../compile/document/json-value.ts'

type Reviver = (key: string, value: Json, context: { readonly source?: string }) => Json
const parse = JSON.parse as (text: string, reviver: Reviver) => Json

/** Parses a document (`openApiJson`): an integer that a double cannot hold becomes a bigint. */
export function exactDocument(text: string): JsonObject {
  return parse(text, (_key, value, { source = '' }) =>
    Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value
  ) as JsonObject
}
