/** Enforces `contentEncoding` (JSON Schema Validation, section 8.3; RFC 2045, section 6; RFC 4648). */
import { type JsonObject, own, stringOf } from '../document/json-value.ts'
import { constrain } from './discriminator.ts'

/** The constraint of each encoding on its texts. Encodings that change nothing have no constraint. */
const constraints: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ['base64', { format: 'byte' }],
  ['base64url', { pattern: '^[A-Za-z0-9_-]*={0,2}$' }],
  ['base32', { pattern: '^[A-Z2-7]*={0,6}$' }],
  ['base16', { pattern: '^(?:[0-9A-Fa-f]{2})*$' }],
  ['7bit', {}],
  ['8bit', {}],
  ['binary', {}]
])

const encodingOf = (node: JsonObject): string | undefined =>
  stringOf(own(node, 'contentEncoding'))?.toLowerCase()

export function isEncodingKnown(node: JsonObject): boolean {
  return constraints.has(String(encodingOf(node)))
}

/** @param node the schema as written */
export function encodedText(node: JsonObject, schema: JsonObject): JsonObject {
  const constraint = constraints.get(encodingOf(node) ?? '') ?? {}
  return Object.keys(constraint).length === 0 ? schema : constrain(schema, constraint)
}
