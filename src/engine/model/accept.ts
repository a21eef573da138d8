/** Negotiates the media type of a response (RFC 9110, section 12.5.1). */
import {
  covers,
  includesAll,
  isUtf8Charset,
  type MediaType,
  parseMediaType,
  parseMediaTypes,
  specificity
} from './media-type.ts'

/**
 * Returns the index of the offered type that an Accept header prefers, the first of several equals, and -1 when it
 * accepts none. A header that is absent, empty or malformed accepts every type.
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

/** Returns the offered types that an Accept header accepts, the preferred one first. */
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

/** Drops the parameters after `q`, which belong to Accept, and `charset=utf-8`, because the engine sends UTF-8. */
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

/** Returns the quality of the most specific range that covers the type, or 0. */
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

/** Matches offers that are ranges, too: the response then has some type of that range. */
function matches(range: MediaType, offered: MediaType): boolean {
  return (covers(range.type, offered.type) || covers(offered.type, range.type)) && includesAll(offered, range)
}
