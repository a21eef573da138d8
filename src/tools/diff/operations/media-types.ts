/** Media types as they are declared: names, parameters, ranges; and the schema of what has them. */
import {
  type Content,
  make,
  type Origin,
  partsOf,
  type Schema,
  type Sequence,
  target
} from '@contract-first/contract'
import { framingOf } from '@contract-first/engine/media-types'
import type { Both, Schemas } from './difference.ts'

/** Returns the media type in lower case, with sorted parameters and without `charset=utf-8`. */
export function mediaTypeName(written: string): string {
  const name = written.trim().toLowerCase()
  if (!name.includes(';')) return name
  const [type = '', ...parameters] = name.split(';').map((part) => part.trim())
  const further = parameters.filter((parameter) => !/^(charset="?utf-8"?)?$/.test(parameter))
  return [type, ...further.sort()].join(';')
}

/** Returns how a parameter or a header is written: as a media type, or as text by its style. */
export const writtenAs = (content: Content | undefined): string =>
  content === undefined ? 'text' : mediaTypeName(content.mediaType)

/** Returns true for a media type within a range: `*` for all, `text/*` for `text/csv`. */
export const isCovered = (type: string, range: string): boolean =>
  type === range || range === '*/*' || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)))

/** Contents by name. */
type Contents = ReadonlyMap<string, Content>

export const contentsOf = (contents: readonly Content[] = []): Contents =>
  new Map(contents.map((content) => [mediaTypeName(content.mediaType), content]))

/** Returns the types within a range that are declared. */
export const typesWithin = (range: string, contents: Contents): string[] =>
  range.includes('*') ? [...contents.keys()].filter((type) => type !== range && isCovered(type, range)) : []

/** Returns the matching content: the same, otherwise that of the narrowest range that includes it. */
export function contentFor(name: string, contents: Contents): Content | undefined {
  const ranges = [...contents.keys()].filter((range) => isCovered(name, range))
  const [best] = ranges.sort((a, b) => b.length - a.length)
  return contents.get(name) ?? contents.get(best ?? '')
}

/** Returns the schema; a sequence is a list of its items, and bytes are any text, whatever their format. */
export function schemasOf(content: Content): Schemas {
  const { kind, schema, item, sequence, mediaType } = content
  if (sequence !== undefined)
    return [listOf(sequence.item, sequence.framing === 'events' ? eventOf(sequence) : sequence.item)]
  if (item !== undefined) return [listOf(item, item), ...(schema === undefined ? [] : [schema])]
  if (schema === undefined)
    return framingOf(mediaType) === undefined ? [] : [make({ types: new Set(['array'] as const) }, content)]
  return kind === 'bytes' && isAnyBytes(schema) ? [] : [schema]
}

const lists = new WeakMap<Schema, Schema>()

/** Returns the same list for the same schema of an item. */
function listOf(item: Schema, items: Schema): Schema {
  const known = lists.get(item) ?? make({ types: new Set(['array'] as const), items }, item)
  lists.set(item, known)
  return known
}

/** Returns the schema of an event whose data is read: JSON in a text is what it holds. */
function eventOf({ item, isEvent }: Sequence): Schema {
  const event = isEvent
    ? target(item)
    : make({ types: new Set(['object'] as const), required: new Set(['data']) }, item)
  const data = isEvent ? event.properties?.get('data') : item
  const { content } = data ?? item
  const isJsonText = isEvent && content !== undefined && isJson(content.mediaType ?? '')
  const read = isJsonText ? (content.schema ?? make({}, item)) : data
  return read === undefined ? event : { ...event, properties: new Map(event.properties).set('data', read) }
}

function isAnyBytes(schema: Schema): boolean {
  const parts = partsOf(schema)
  const isText = parts.every(({ types }) => types === undefined || types.has('string'))
  const isBytes = parts.some(({ format, content }) => format === 'binary' || content?.mediaType !== undefined)
  return isText && isBytes
}

/** Returns the place of a body: the media type is left out for JSON, and for the only type like it. */
export function bodyPlace(name: string, { old, now }: Both<Contents>): string {
  const alike = new Set([...old.keys(), ...now.keys()].filter(isJson))
  return name === 'application/json' || (isJson(name) && alike.size === 1) ? 'body' : `body(${name})`
}

const isJson = (name: string): boolean => /[/+]json$/.test(name)

export const schemaOrigin = ({ item, origin }: Content): Origin =>
  origin.at(item === undefined ? 'schema' : 'itemSchema')
