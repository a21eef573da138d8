/** Chooses by the media type how a body is read. */
import { parseMediaType } from './media-type.ts'

export type BodyKind = 'json' | 'text' | 'form' | 'multipart' | 'binary'

const structured = /^application\/(?:x-)?(?:xml|yaml|cbor|msgpack)$|\+(?:xml|yaml|cbor|msgpack)$/

/**
 * Returns undefined for the structured types that the engine does not parse (XML, YAML, CBOR, MessagePack).
 * A range has the kind that suits all of its members: `text/*` is text, every other range is bytes.
 */
export function bodyKind(mediaType: string): BodyKind | undefined {
  const type = parseMediaType(mediaType)?.type ?? ''
  if (type === 'application/json' || type.endsWith('+json')) return 'json'
  if (type === 'application/x-www-form-urlencoded') return 'form'
  if (type.startsWith('text/')) return 'text'
  if (type === 'multipart/form-data' || type === 'multipart/*') return 'multipart'
  return type === '' || structured.test(type) ? undefined : 'binary'
}

/** Accepts UTF-8, its subset ASCII, and no charset at all. */
export function isUtf8Charset(parameters: ReadonlyMap<string, string>): boolean {
  return /^(?:utf-?8|us-ascii)$/i.test(parameters.get('charset') ?? 'utf-8')
}
