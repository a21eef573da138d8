/** Texts of a parameter or a header, written and read back (RFC 6570; OpenAPI 3.1.0, section 4.8.12). */
import { isObject, type Json, stringify } from '../../compile/documents.ts'
import { itemSchemas } from '../../evaluate/members.ts'
import { type Case, casesOf } from './cases.ts'
import type { Side } from './side.ts'

export interface Layout {
  /** Stands between the items of a list; undefined where each item has a text of its own. */
  readonly delimiter: string | undefined
  /** True where an item may hold the delimiter, because it is percent-encoded. */
  readonly isEncoded: boolean
}

/** The texts of one value: several for an exploded list. */
export type Texts = readonly [string, ...string[]]

/** Numbers as the grammar of JSON spells them; other texts are read as texts. */
export const numberPattern = '^-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?$'
const spelledNumber = new RegExp(numberPattern)

export const textOf = (value: Json): string => (typeof value === 'string' ? value : stringify(value))

/** Returns the texts; undefined for an object, an empty list, lists in lists, and an item that holds the delimiter. */
export function written(value: Json, { delimiter, isEncoded }: Layout): Texts | undefined {
  const items = Array.isArray(value) ? value : [value]
  if (items.some((item) => isObject(item) || Array.isArray(item))) return undefined
  const [first, ...more] = items.map(textOf)
  if (first === undefined || delimiter === undefined)
    return first === undefined ? undefined : [first, ...more]
  const isSplit = Array.isArray(value) || !isEncoded
  return isSplit && [first, ...more].some((text) => text.includes(delimiter))
    ? undefined
    : [[first, ...more].join(delimiter)]
}

/** Returns the value that a server reads; undefined for several texts of a single value. */
export function read(
  texts: Texts,
  cases: readonly Case[],
  { delimiter }: Layout,
  side: Side
): Json | undefined {
  const [first, ...more] = texts
  const pieces = delimiter === undefined ? texts : first === '' ? [] : first.split(delimiter)
  const list = cases.find(({ type }) => type === 'array')
  if (list !== undefined && (pieces.length > 1 || !isPrimitive(first, cases)))
    return pieces.map((piece, index) => primitive(piece, casesOf(itemSchemas(list.nodes, index), side)))
  return more.length > 0 ? undefined : primitive(first, cases)
}

const has = (cases: readonly Case[], wanted: Case['type']): boolean =>
  cases.some(({ type }) => type === wanted)

const isPrimitive = (text: string, cases: readonly Case[]): boolean =>
  has(cases, 'string') || typeof primitive(text, cases) !== 'string'

/** Reads a number, otherwise a boolean, otherwise null, otherwise the text. */
function primitive(text: string, cases: readonly Case[]): Json {
  const number = spelledNumber.test(text) ? numberOf(text) : undefined
  if (number !== undefined && cases.some((each) => isNumberOf(each, number))) return number
  if (has(cases, 'boolean') && (text === 'true' || text === 'false')) return text === 'true'
  const isNull = has(cases, 'null') && !has(cases, 'string') && (text === 'null' || text === '')
  return isNull ? null : text
}

/** A fraction stays a text where only integers are declared. */
const isNumberOf = ({ type, isInteger }: Case, number: Json): boolean =>
  type === 'number' && (!isInteger || typeof number === 'bigint' || Number.isInteger(number))

function numberOf(text: string): Json {
  const double = Number(text)
  return Number.isSafeInteger(double) || !/^-?\d+$/.test(text) ? double : BigInt(text)
}
