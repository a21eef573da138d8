/** Media types as they are declared: names, parameters, ranges. */
import { framingOf } from '@contract-first/engine/media-types'
import {
  anyItem,
  contentIn,
  dereference,
  type Json,
  type JsonObject,
  nodeIn,
  objectOf,
  own,
  sequenceOf,
  stringOf,
  typesOf
} from '../../compile/documents.ts'
import { made } from '../cases/side.ts'
import type { Spot } from '../schemas/comparison.ts'
import type { Both } from './draft.ts'

/** Returns the media type in lower case, with sorted parameters and without `charset=utf-8`. */
function mediaTypeName(written: string): string {
  const [type = '', ...parameters] = written
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  return [type, ...parameters.filter((parameter) => !/^(charset="?utf-8"?)?$/.test(parameter)).sort()].join(
    ';'
  )
}

/** Returns how a parameter or a header is written: as a media type, or as text by its style. */
export function writtenAs(node: JsonObject): string {
  const [type] = Object.keys(objectOf(own(node, 'content')))
  return type === undefined ? 'text' : mediaTypeName(type)
}

/** Returns whether a range includes the media type: `*` for all, `text/*` for `text/csv`. */
export function isCovered(type: string, range: string): boolean {
  if (type === range || range === '*/*') return true
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1))
}

/** Returns the types within a range that the content declares. */
export const typesWithin = (range: string, content: Content): string[] =>
  range.includes('*') ? [...content.keys()].filter((type) => type !== range && isCovered(type, range)) : []

export type Content = ReadonlyMap<string, MediaType>

export interface MediaType {
  readonly node: JsonObject
  readonly schema: Json
}

export function contentOf(document: JsonObject, owner: JsonObject): Content {
  const entries = Object.entries(objectOf(own(owner, 'content')))
  return new Map(
    entries.map(([written, media]) => {
      const name = mediaTypeName(written)
      const node = objectOf(dereference(document, media))
      return [name, { node, schema: schemaOf(document, name, node) }]
    })
  )
}

/** Returns the schema; a body of bytes is any text, whatever its schema says about the format. */
function schemaOf(document: JsonObject, name: string, node: JsonObject): Json {
  const schema = own(node, 'schema') ?? true
  if (framingOf(name) !== undefined) return listOf(document, name, node) ?? schema
  if (/json|xml|^text\/|^multipart\/|x-www-form-urlencoded/.test(name)) return schema
  const target = objectOf(dereference(document, schema))
  const types = typesOf(target)
  const isText = types.length === 0 || types.includes('string')
  const isBytes =
    own(target, 'format') === 'binary' || stringOf(own(target, 'contentMediaType')) !== undefined
  return isText && (isBytes || Object.keys(target).length === 0) ? true : schema
}

/** Returns the schema of the list of all items; undefined for a text. */
function listOf(document: JsonObject, name: string, node: JsonObject): Json | undefined {
  const sequence = sequenceOf(contentIn(document, name, node))
  if (sequence === undefined && own(node, 'schema') !== undefined) return undefined
  const item = sequence === undefined ? true : nodeIn(document, anyItem(sequence))
  const isData = sequence?.framing === 'events' && sequence.isEvent === undefined
  return made({ type: 'array', items: isData ? eventOf(item) : item }, node)
}

const eventOf = (data: Json): Json => ({ type: 'object', properties: { data }, required: ['data'] })

/** Returns the matching media type: the same, otherwise the narrowest range that includes it. */
export function mediaTypeFor(name: string, content: Content): MediaType | undefined {
  const ranges = [...content.keys()].filter((range) => isCovered(name, range))
  const [best] = ranges.sort((a, b) => b.length - a.length)
  return content.get(content.has(name) ? name : (best ?? ''))
}

/** Returns the place of a body: the media type is left out for JSON, and for the only type like it. */
export function bodyPlace(name: string, { old, now }: Both<Content>): string {
  const alike = new Set([...old.keys(), ...now.keys()].filter(isJson))
  return name === 'application/json' || (isJson(name) && alike.size === 1) ? 'body' : `body(${name})`
}

const isJson = (name: string): boolean => /[/+]json$/.test(name)

/** Returns the place of the schema in the new contract. */
export const schemaSpot = ({ node }: MediaType): Spot => ({
  node,
  key: own(node, 'itemSchema') === undefined ? 'schema' : 'itemSchema'
})
