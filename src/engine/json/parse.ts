/** Parses JSON texts (RFC 8259) that come from a client. */
import { scan } from 'secure-json-parse'
import { exactJson, type ParsedJson, type ReadNumber } from './exact-json.ts'

const suspectKey = /__proto__|constructor|\\u00/

/** Malformed JSON. The message is a predicate without the client's text: `is not valid JSON: it ends too early`. */
export class MalformedJson extends Error {}

/**
 * @param read see `exactJson`
 * @throws {MalformedJson}
 */
export function parseExactJson(text: string, read?: ReadNumber): ParsedJson {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new MalformedJson(`is not valid JSON${reason(cause)}`, { cause })
  }
  if (typeof value === 'object' && value !== null && suspectKey.test(text)) refusePoison(value)
  return exactJson(text, value, read)
}

/** Refuses `__proto__` and `constructor.prototype` by the scan that Fastify uses, which is iterative. */
function refusePoison(value: object): void {
  try {
    scan(value, { protoAction: 'error', constructorAction: 'error' })
  } catch (cause) {
    throw new MalformedJson('has a forbidden property name', { cause })
  }
}

/** Returns V8's reason without the text of the client, which V8 quotes around an unexpected token. */
function reason(cause: unknown): string {
  const message = String(cause)
  const placed = /^SyntaxError: (.+) in JSON at position \d+ \((line \d+ column \d+)\)$/.exec(message)
  if (placed) return `: ${placed[1]} at ${placed[2]}`
  if (message === 'SyntaxError: Unexpected end of JSON input') return ': it ends too early'
  const token = /^SyntaxError: Unexpected token '([!-~])'/.exec(message)
  return token ? `: unexpected character ${token[1]}` : ''
}
