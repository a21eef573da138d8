/** Which media type is meant, which of the declared ones it is, and how its bodies are read (RFC 9110, 8.3 and 12.5.1). */
import { type MediaType, parseMediaType, parseMediaTypes } from './media-type.ts'

export { type MediaType, parseMediaType }

export type BodyKind = 'json' | 'text' | 'form' | 'multipart' | 'binary'

const cachedHeaders = 64
const longestCached = 128
const structured = /^application\/(?:x-)?(?:xml|yaml|cbor|msgpack)$|\+(?:xml|yaml|cbor|msgpack)$/

/**
 * The index of the most specific declared type or range (`application/*`, `*` + `/*`) that a Content-Type matches, -1
 * for none. Letter case and parameters are ignored, except that among declared types that differ only in
 * parameters the one whose parameters all match wins.
 */
export function mediaTypeMatcher(declared: readonly string[]): (contentType: string) => number {
  const types = declared.map(parseMediaType)
  const cache = new Map<string, number>()
  return (contentType) => {
    const cached = cache.get(contentType)
    if (cached !== undefined) return cached
    const index = bestMatch(types, contentType)
    if (cache.size >= cachedHeaders) cache.clear()
    if (contentType.length <= longestCached) cache.set(contentType, index)
    return index
  }
}

function bestMatch(declared: readonly (MediaType | undefined)[], contentType: string): number {
  const sent = parseMediaType(contentType)
  if (!sent) return -1
  let best = -1
  let bestRank = -1
  for (const [index, type] of declared.entries()) {
    const rank = type && covers(type.type, sent.type) ? rankOf(type, sent) : -1
    if (rank > bestRank) {
      best = index
      bestRank = rank
    }
  }
  return best
}

/** Exact before `type/*` before `*` + `/*`; then matching parameters, the more the better, then none, then others. */
function rankOf(declared: MediaType, sent: MediaType): number {
  return specificity(declared.type) * 1000 + (includesAll(sent, declared) ? 1 + declared.parameters.size : 0)
}

/**
 * How a body of this type is read; undefined for the structured types that nothing here parses (XML, YAML, CBOR,
 * MessagePack). A range is read as what all of its members can be read as: `text/*` as text, the others as bytes.
 */
export function bodyKind(mediaType: string): BodyKind | undefined {
  const type = parseMediaType(mediaType)?.type ?? ''
  if (type === 'application/json' || type.endsWith('+json')) return 'json'
  if (type === 'application/x-www-form-urlencoded') return 'form'
  if (type.startsWith('text/')) return 'text'
  if (type === 'multipart/form-data' || type === 'multipart/*') return 'multipart'
  return type === '' || structured.test(type) ? undefined : 'binary'
}

/** Whether text in this charset is UTF-8: absent means so, and ASCII is a part of it. */
export function isUtf8Charset(parameters: ReadonlyMap<string, string>): boolean {
  return /^(?:utf-?8|us-ascii)$/i.test(parameters.get('charset') ?? 'utf-8')
}

/**
 * The index of the offered type that an Accept header prefers, the first of several equals; -1 when it accepts none.
 * A header that is absent, empty or malformed accepts everything.
 */
export function negotiate(accept: string | undefined, offered: readonly string[]): number {
  if (accept === undefined || accept === '*/*') return 0
  const ranges = parseRanges(accept)
  if (!ranges) return 0
  let best = -1
  let bestQuality = 0
  for (const [index, text] of offered.entries()) {
    const quality = qualityOf(parseMediaType(text), ranges)
    if (quality > bestQuality) {
      best = index
      bestQuality = quality
    }
  }
  return best
}

/** The offered types that an Accept header accepts, the preferred one first. */
export function ranked(accept: string | undefined, offered: readonly string[]): string[] {
  const left = [...offered]
  const found: string[] = []
  for (let index = 0; left.length > 0 && index >= 0; ) {
    index = negotiate(accept, left)
    if (index >= 0) found.push(...left.splice(index, 1))
  }
  return found
}

interface Range extends MediaType {
  readonly quality: number
}

function parseRanges(accept: string): Range[] | undefined {
  const types = parseMediaTypes(accept) ?? []
  const ranges = types.map(rangeOf)
  return ranges.length === 0 || ranges.some(({ quality }) => Number.isNaN(quality)) ? undefined : ranges
}

/** What follows `q` is an extension of Accept, no parameter of the type. `charset=utf-8` holds for all we send. */
function rangeOf({ type, parameters }: MediaType): Range {
  const names = [...parameters.keys()]
  const weight = parameters.get('q') ?? '1'
  const own = new Map([...parameters].slice(0, parameters.has('q') ? names.indexOf('q') : undefined))
  if (isUtf8Charset(own)) own.delete('charset')
  return {
    type,
    parameters: own,
    quality: /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : Number.NaN
  }
}

/** The quality of the most specific range that covers the type; 0 when none does. */
function qualityOf(offered: MediaType | undefined, ranges: readonly Range[]): number {
  let quality = 0
  let rank = -1
  for (const range of ranges) {
    const applies = offered && matches(range, offered)
    const next = specificity(range.type) * 1000 + range.parameters.size
    if (applies && next > rank) {
      quality = range.quality
      rank = next
    }
  }
  return quality
}

/** An offer may be a range too: the response is then of some type within it. */
function matches(range: MediaType, offered: MediaType): boolean {
  return (covers(range.type, offered.type) || covers(offered.type, range.type)) && includesAll(offered, range)
}

function covers(range: string, type: string): boolean {
  if (range === type || range === '*/*') return true
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1))
}

function specificity(range: string): number {
  if (range === '*/*') return 0
  return range.endsWith('/*') ? 1 : 2
}

function includesAll(whole: MediaType, part: MediaType): boolean {
  return [...part.parameters].every(([name, value]) => whole.parameters.get(name) === value)
}
