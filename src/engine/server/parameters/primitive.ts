import { spelledNumber } from '../../json/decimal.ts'
import type { PrimitiveType } from '../../model/parameter.ts'

/**
 * Decodes a primitive value by its declared types: a number, otherwise a boolean, otherwise null, otherwise the text
 * itself, which the validator refuses where no string is declared. `null` and the empty text are null only where no
 * string is declared.
 */
export function primitiveOf(text: string, types: readonly PrimitiveType[]): unknown {
  const number = numberOf(text, types)
  if (number !== undefined) return number
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  const isNull = types.includes('null') && !types.includes('string') && (text === 'null' || text === '')
  return isNull ? null : text
}

/** Returns true if the text spells a value of one of the types. */
export function isPrimitive(text: string, types: readonly PrimitiveType[]): boolean {
  return types.includes('string') || typeof primitiveOf(text, types) !== 'string'
}

function numberOf(text: string, types: readonly PrimitiveType[]): bigint | number | undefined {
  const anyNumber = types.includes('number')
  const anyInteger = types.includes('integer')
  const int64 = types.includes('int64')
  const spelled = anyNumber || anyInteger || int64 ? spelledNumber(text) : undefined
  if (spelled === undefined) return undefined
  if (spelled.kind === 'integer' && int64) return spelled.value
  if (spelled.kind === 'integer' && anyInteger) return exactNumber(spelled.value)
  return anyNumber ? finite(Number(text)) : undefined
}

/** Returns a bigint where a double would round, so that the validator gets the exact number. */
export function exactNumber(integer: bigint): bigint | number {
  const double = Number(integer)
  return Number.isFinite(double) && BigInt(double) === integer ? double : integer
}

function finite(double: number): number | undefined {
  return Number.isFinite(double) ? double : undefined
}
