/** Decodes a raw text by its shape: splits it at the delimiters first, then decodes the pieces. */
import {
  itemShape,
  mayBeArray,
  mayBeObject,
  type ParameterSpec,
  propertyShape,
  type TextShape
} from '../../model/parameter.ts'
import { emptyObject, UndecodableParameter } from './decoded.ts'
import { isPrimitive, primitiveOf } from './primitive.ts'

export type Decode = (raw: string) => string

export interface Layout {
  readonly delimiter: string | RegExp
  readonly decode: Decode
}

/**
 * Decodes a text of one or several pieces. A single piece is a primitive if the shape allows that primitive, otherwise
 * an array or object of one piece; an empty text is then an empty array or object. The members of an exploded object
 * are `name=value`; otherwise names and values alternate.
 */
export function delimitedValue(
  raw: string,
  { shape, explode }: Pick<ParameterSpec, 'shape' | 'explode'>,
  { delimiter, decode }: Layout
): unknown {
  const pieces = raw === '' ? [] : raw.split(delimiter)
  const isSingle = pieces.length < 2 && isPrimitive(decode(raw), shape.types)
  if (mayBeArray(shape) && !isSingle) return arrayOf(pieces, shape, decode)
  if (mayBeObject(shape) && !isSingle)
    return objectOf((explode ? assignments : alternations)(pieces), shape, decode)
  return primitiveOf(decode(raw), shape.types)
}

/** Decodes each piece as an item of the array. */
export function arrayOf(pieces: readonly string[], shape: TextShape, decode: Decode): unknown[] {
  return pieces.map((piece, index) => primitiveOf(decode(piece), itemShape(shape, index).types))
}

/**
 * Returns the only value.
 * @throws {UndecodableParameter} for more than one value
 */
export function onlyOne(values: readonly string[]): string {
  const [value = '', another] = values
  if (another !== undefined) throw new UndecodableParameter('is given more than once')
  return value
}

type Member = readonly [name: string, raw: string]

function objectOf(members: Iterable<Member>, shape: TextShape, decode: Decode): Record<string, unknown> {
  const object = emptyObject()
  for (const [rawName, raw] of members) {
    const name = decode(rawName)
    if (name in object) throw new UndecodableParameter('has a property that is given more than once')
    object[name] = primitiveOf(decode(raw), propertyShape(shape, name).types)
  }
  return object
}

/** Reads `R=100`, `G=200`. */
function* assignments(pieces: readonly string[]): Generator<Member> {
  for (const piece of pieces) {
    const equals = piece.indexOf('=')
    if (equals < 0) throw new UndecodableParameter('must be a list of name=value')
    yield [piece.slice(0, equals), piece.slice(equals + 1)]
  }
}

/** Reads `R`, `100`, `G`, `200`. */
function* alternations(pieces: readonly string[]): Generator<Member> {
  let name: string | undefined
  for (const piece of pieces) {
    if (name !== undefined) yield [name, piece]
    name = name === undefined ? piece : undefined
  }
  if (name !== undefined) throw new UndecodableParameter('must be a list of names and values')
}
