/** Example of a request body, in the media type that is easiest to type. */
import { isNode, type Node, type ReadNode } from './examples.ts'

export interface ExampleBody {
  readonly mediaType: string
  readonly value: unknown
  /** Multipart: the fields that are files, and the media type of each field that has one. */
  readonly partTypes: Readonly<Record<string, PartType>>
}

export interface PartType {
  readonly isFile: boolean
  readonly mediaType: string | undefined
}

const preferred = [/json/, /x-www-form-urlencoded/, /multipart/, /^text/]

/** @returns `missing` for a required body without a value, undefined where no body is sent */
export function exampleBody(
  { content, required }: Node,
  valueIn: (holder: Node) => unknown,
  read: ReadNode
): ExampleBody | 'missing' | undefined {
  const declared = Object.entries(read(content)).map(
    ([mediaType, holder]) => [mediaType, read(holder)] as const
  )
  const ranked = declared.toSorted(([one], [other]) => rankOf(one) - rankOf(other))
  for (const [range, holder] of ranked) {
    const value = valueIn(holder)
    const mediaType = typeOf(range)
    if (isWritable(mediaType, value)) return { mediaType, value, partTypes: partTypesOf(holder, read) }
  }
  return required === true ? 'missing' : undefined
}

function rankOf(mediaType: string): number {
  const rank = preferred.findIndex((pattern) => pattern.test(mediaType))
  return rank === -1 ? preferred.length : rank
}

/** Returns a media type within a range. */
const typeOf = (range: string): string =>
  range
    .replace(/^\*\/\*/, 'application/octet-stream')
    .replace(/^text\/\*/, 'text/plain')
    .replace(/\/\*/, '/png')

/** Returns true if curl can send the value: fields of forms, and bodies other than JSON and forms, must be texts. */
function isWritable(mediaType: string, value: unknown): boolean {
  if (/json/.test(mediaType)) return value !== undefined
  // curl writes multipart/form-data only.
  if (/^multipart/.test(mediaType)) return hasFields(value) && mediaType.startsWith('multipart/form-data')
  if (/x-www-form-urlencoded/.test(mediaType))
    return hasFields(value) && Object.values(Object(value)).every((each) => typeof each !== 'object')
  return typeof value === 'string'
}

/** Returns true if there is a field; without one curl would send no body. */
const hasFields = (value: unknown): boolean => isNode(value) && Object.keys(value).length > 0

function partTypesOf({ schema, encoding }: Node, read: ReadNode): ExampleBody['partTypes'] {
  const { properties } = read(schema)
  const types = Object.entries(read(properties)).map(([name, property]) => {
    const { contentType } = read(read(encoding)[name])
    return [name, partType(read(property), contentType, read)] as const
  })
  return Object.fromEntries(types)
}

function partType(
  { type, format, contentMediaType, items, ...rest }: Node,
  declared: unknown,
  read: ReadNode
): PartType {
  if (type === 'array') return partType(read(items), declared, read)
  const named = declared ?? contentMediaType
  const [first] = String(named ?? '').split(',')
  const isUntyped = type === undefined && Object.keys(rest).every((key) => key === 'description')
  return {
    isFile: format === 'binary' || contentMediaType !== undefined || isUntyped,
    mediaType: named === undefined ? undefined : typeOf(String(first).trim())
  }
}
