/** Writes values of parameters as text, by style (OpenAPI 3.1.0, section 4.8.12; RFC 6570): the inverse of server/parameters. */
import { stringify } from '@contract-first/engine/json'
import type { ParameterSpec } from '@contract-first/engine/model'

/** A value that no request can carry at this place. */
export class Unsendable extends Error {}

type Encode = (text: string) => string
/** Name and value as in `name=value`. */
export type Pair = readonly [name: string, value: string]

const unreadableSegment = /^\.{0,2}$|[/\\\p{Cc}]/u
const headerText = /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/

/** @throws {Unsendable} for text that is not Unicode */
export function percentEncoded(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    throw new Unsendable('a lone surrogate has no bytes in UTF-8')
  }
}

/**
 * @throws {Unsendable} also for texts that clients, proxies and servers normalise: `.`, `..`, slashes, control
 * characters
 */
export function pathText(spec: ParameterSpec, value: unknown): string {
  const texts = spec.json ? [stringify(value)] : textsIn(value)
  if (texts.length === 0 || texts.some((text) => unreadableSegment.test(text)))
    throw new Unsendable('a segment of a path cannot carry this text')
  if (spec.style === 'simple') return lone(spec, value, percentEncoded)
  if (spec.style === 'label') return `.${lone(spec, value, percentEncoded, spec.explode ? '.' : ',')}`
  return pairsOf(spec, value, percentEncoded)
    .map(([name, text]) => `;${name}=${text}`)
    .join('')
}

/** Returns whether a header can carry the text: visible ASCII without space at its ends (RFC 9110, section 5.5). */
export const isHeaderText = (text: string): boolean => headerText.test(text)

/** @throws {Unsendable} for text beyond visible ASCII (RFC 9110, section 5.5) */
export function headerValue(spec: ParameterSpec, value: unknown): string {
  const text = lone(spec, value, String)
  if (!isHeaderText(text)) throw new Unsendable('a header cannot carry this text')
  return text
}

/** Returns the pairs of a query, a cookie or a form. */
export function pairsOf(spec: ParameterSpec, value: unknown, encode: Encode): readonly Pair[] {
  const name = encode(spec.name)
  if (spec.json) return [[name, encode(stringify(value))]]
  if (spec.style === 'deepObject') return deepPairs(spec.name, value, encode)
  if (Array.isArray(value)) {
    const texts = value.map((item) => encode(textOf(item)))
    if (spec.explode) return texts.map((text) => [name, text])
    return texts.length === 0 ? [] : [[name, texts.join(delimiters[spec.style] ?? ',')]]
  }
  const members = membersOf(value)
  if (members === undefined) return [[name, encode(textOf(value))]]
  if (spec.explode) return members.flatMap(([key, member]) => spread(encode(key), member, encode))
  return [[name, members.flatMap(([key, member]) => [encode(key), encode(textOf(member))]).join(',')]]
}

const delimiters: Partial<Record<ParameterSpec['style'], string>> = {
  spaceDelimited: '%20',
  pipeDelimited: '%7C'
}

function spread(name: string, value: unknown, encode: Encode): readonly Pair[] {
  return [value].flat().map((item) => [name, encode(textOf(item))])
}

function deepPairs(name: string, value: unknown, encode: Encode): readonly Pair[] {
  if (Array.isArray(value)) return value.flatMap((item) => deepPairs(name, item, encode))
  const members = membersOf(value)
  if (members === undefined) return [[encode(name), encode(textOf(value))]]
  return members.flatMap(([key, member]) => deepPairs(`${name}[${key}]`, member, encode))
}

function lone(spec: ParameterSpec, value: unknown, encode: Encode, delimiter = ','): string {
  if (spec.json) return encode(stringify(value))
  if (Array.isArray(value)) return value.map((item) => encode(textOf(item))).join(delimiter)
  const members = membersOf(value)
  if (members === undefined) return encode(textOf(value))
  const between = spec.explode ? '=' : delimiter
  return members.map(([key, member]) => `${encode(key)}${between}${encode(textOf(member))}`).join(delimiter)
}

function membersOf(value: unknown): readonly [string, unknown][] | undefined {
  return typeof value === 'object' && value !== null ? Object.entries(value) : undefined
}

const textsIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).map(textOf) : [textOf(value)]

/** @throws {Unsendable} for an array or an object inside of another: no style defines it */
function textOf(value: unknown): string {
  if (typeof value === 'object' && value !== null) throw new Unsendable('no style writes nested values')
  return String(value)
}
