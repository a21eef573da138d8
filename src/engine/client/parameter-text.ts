/** Writes values of parameters as text, by style (OpenAPI 3.1.0, section 4.8.12; RFC 6570): the inverse of server/parameters. */
import type { FieldSpec, ParameterSpec } from '../model/parameter.ts'
import { exactStringify } from '../runtime/serializers.ts'

/** A value that no request can carry at this place. The message is the predicate to the place. */
export class Unsendable extends Error {}

type Encode = (text: string) => string
/** Name and value as in `name=value`. */
export type Pair = readonly [name: string, value: string]

const headerCharacters = /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/

/** @throws {Unsendable} for text that is not Unicode */
export function percentEncoded(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    throw new Unsendable('is not Unicode')
  }
}

const forbidden = () => new Unsendable('has a forbidden character')

/**
 * Leaves reserved characters as they are (`allowReserved`), except those that end or split a query, and a plus, which many
 * servers read as a space.
 */
const reservedKept: Encode = (text) =>
  percentEncoded(text).replace(/%(?:2F|3A|3B|3D|3F|40|24|5B|5D)/g, decodeURIComponent)

/** Leaves a cookie as it is (OpenAPI 3.2.0, section 4.12.7). */
const cookieText: Encode = (text) => {
  if (/;|^ | $/.test(text)) throw forbidden()
  return text
}

/** Returns the encoding of a parameter. */
const encodingOf = ({ style, allowReserved }: ParameterSpec): Encode =>
  style === 'cookie' ? cookieText : allowReserved === true ? reservedKept : percentEncoded

/** @throws {Unsendable} */
export function pathText(spec: ParameterSpec, value: unknown): string {
  if (spec.style === 'simple' || spec.json) return lone(spec, value, percentEncoded)
  if (spec.style === 'label') return `.${lone(spec, value, percentEncoded, spec.explode ? '.' : ',')}`
  return pairsOf(spec, value)
    .map(([name, text]) => `;${name}=${text}`)
    .join('')
}

/**
 * Returns the start of a path with an encoded value behind it.
 * @param end literal text behind the value
 * @throws {Unsendable} for a segment that is empty, or that a URL parser removes (WHATWG URL, section 4.4)
 */
export function withPathValue(start: string, value: string, end: string): string {
  const path = start + value
  const segment = path.slice(path.lastIndexOf('/') + 1) + end.replace(/[/?#].*$/s, '')
  if (/^(?:\.|%2e){0,2}$/i.test(segment)) throw new Unsendable('cannot be a path segment')
  return path
}

/** Returns whether a header can carry the text: visible ASCII without space at its ends (RFC 9110, section 5.5). */
export const isHeaderText = (text: string): boolean => headerCharacters.test(text)

/** @throws {Unsendable} for text beyond visible ASCII (RFC 9110, section 5.5) */
export function headerText(spec: ParameterSpec, value: unknown): string {
  const text = lone(spec, value, String)
  if (!isHeaderText(text)) throw forbidden()
  return text
}

/** Returns the pairs of a query, a cookie or a form; their texts are encoded. */
export function pairsOf(spec: FieldSpec, value: unknown): readonly Pair[] {
  const encode = encodingOf(spec)
  const encodeName = spec.style === 'cookie' ? encode : percentEncoded
  // The name of a cookie is not decoded (RFC 6265, section 5.4); only one that would break the header is encoded.
  const isKept = spec.in === 'cookie' && /^[!-:<>-~]+$/.test(spec.name)
  const name = isKept ? spec.name : encodeName(spec.name)
  if (spec.json) return [[name, encode(exactStringify(value))]]
  if (spec.jsonItems && Array.isArray(value))
    return value.map((item) => [name, encode(exactStringify(item))] as const)
  if (spec.style === 'deepObject') return deepPairs(spec.name, value, encode)
  if (Array.isArray(value)) {
    const texts = value.map((item) => encode(primitiveText(item)))
    if (spec.explode) return texts.map((text) => [name, text])
    return texts.length === 0 ? [] : [[name, joined(texts, delimiters[spec.style])]]
  }
  const members = membersOf(value)
  if (members === undefined) return [[name, encode(primitiveText(value))]]
  if (spec.explode) return members.flatMap(([key, member]) => spread(encodeName(key), member, encode))
  const flat = members.flatMap(([key, member]) => [encode(key), encode(primitiveText(member))])
  return [[name, joined(flat, delimiters[spec.style])]]
}

const delimiters: Partial<Record<ParameterSpec['style'], string>> = {
  spaceDelimited: '%20',
  pipeDelimited: '%7C'
}

/** @throws {Unsendable} for a text that the recipient would split */
function joined(texts: readonly string[], delimiter = ','): string {
  if (texts.some((text) => text.includes(delimiter))) throw new Unsendable('has its delimiter')
  return texts.join(delimiter)
}

function spread(name: string, value: unknown, encode: Encode): readonly Pair[] {
  return [value].flat().map((item) => [name, encode(primitiveText(item))])
}

function deepPairs(name: string, value: unknown, encode: Encode): readonly Pair[] {
  if (Array.isArray(value)) return value.flatMap((item) => deepPairs(name, item, encode))
  const members = membersOf(value)
  if (members === undefined) return [[percentEncoded(name), encode(primitiveText(value))]]
  return members.flatMap(([key, member]) => deepPairs(`${name}[${key}]`, member, encode))
}

function lone(spec: ParameterSpec, value: unknown, encode: Encode, delimiter = ','): string {
  if (spec.json) return encode(exactStringify(value))
  if (Array.isArray(value))
    return joined(
      value.map((item) => encode(primitiveText(item))),
      delimiter
    )
  const members = membersOf(value)
  if (members === undefined) return encode(primitiveText(value))
  const flat = members.flatMap(([key, member]) => {
    const pair = [encode(key), encode(primitiveText(member))]
    return spec.explode ? pair.join('=') : pair
  })
  return joined(flat, delimiter)
}

function membersOf(value: unknown): readonly [string, unknown][] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).filter(([, member]) => member !== undefined)
}

/** @throws {Unsendable} for an array or an object inside of another: no style defines it */
function primitiveText(value: unknown): string {
  if (typeof value === 'object' && value !== null) throw new Unsendable('has nested values')
  return String(value)
}
