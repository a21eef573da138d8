/** Reads a header of an answer (OpenAPI 3.1.0, section 4.8.21; style simple). */
import { spelledNumber } from '@contract-first/engine/json'
import type { CompiledCode, ResponseHeader } from '@contract-first/engine/model'

/**
 * Returns whether one reading of the text fits the schema: the text alone does not distinguish numbers, lists and
 * strings.
 */
export function isHeaderValid(header: ResponseHeader, text: string, { validators }: CompiledCode): boolean {
  const validator = validators[String(header.validate)]
  if (validator === undefined) return true
  return readings(header, text).some((value) => validator.call(undefined, value))
}

function readings({ json, explode }: ResponseHeader, text: string): readonly unknown[] {
  if (json === true) return jsonReading(text)
  const pieces = text === '' ? [] : text.split(',').map((piece) => piece.trim())
  const pairs = explode === true ? pieces.map(assignment) : alternations(pieces)
  return [
    ...primitives(text),
    pieces,
    pieces.map((piece) => primitives(piece)[0]),
    Object.fromEntries(pairs),
    Object.fromEntries(pairs.map(([name, value]) => [name, primitives(value)[0]]))
  ]
}

function jsonReading(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return []
  }
}

/** Returns the possible readings, the likeliest first. */
function primitives(text: string): readonly unknown[] {
  const number = spelledNumber(text)
  if (number?.kind === 'integer') return [Number(number.value), number.value, text]
  if (number !== undefined) return [number.value, text]
  return text === 'true' || text === 'false' ? [text === 'true', text] : [text]
}

function assignment(piece: string): readonly [string, string] {
  const [name = '', ...rest] = piece.split('=')
  return [name, rest.join('=')]
}

function alternations(pieces: readonly string[]): readonly (readonly [string, string])[] {
  return pieces.flatMap((name, index) => (index % 2 === 0 ? [[name, pieces[index + 1] ?? ''] as const] : []))
}
