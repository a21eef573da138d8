/** Matches a Content-Type with the media types that a contract declares (RFC 9110, section 8.3). */
import { covers, includesAll, type MediaType, parseMediaType, specificity } from './media-type.ts'

/**
 * Returns a function that finds the index of the most specific declared type or range (`application/*`, `*` + `/*`)
 * that a Content-Type matches, or -1. Letter case and parameters are ignored, except that among declared types that
 * differ only in parameters the one whose parameters all match wins.
 */
export function mediaTypeMatcher(declared: readonly string[]): (contentType: string) => number {
  const types = declared.map(parseMediaType)
  return (contentType) => bestMatch(types, contentType)
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

/** Ranks exact types before `type/*` before `*` + `/*`; then most matching parameters, no parameters, other ones. */
function rankOf(declared: MediaType, sent: MediaType): number {
  return specificity(declared.type) * 1000 + (includesAll(sent, declared) ? 1 + declared.parameters.size : 0)
}

const maxCached = 64
const maxCachedLength = 128

/**
 * Caches a function of a header's text. Long texts are not cached, and a full cache is cleared: otherwise a client that
 * varies its headers could exhaust the memory. Most clients send the text of the last request, which takes no hash.
 */
export function cachedByText<T>(compute: (text: string) => T): (text: string) => T {
  const cache = new Map<string, T>()
  let last: { readonly text: string; readonly value: T } | undefined
  return (text) => {
    if (last?.text === text) return last.value
    const cached = cache.get(text)
    const value = cached ?? compute(text)
    if (text.length <= maxCachedLength) {
      if (cached === undefined && cache.size >= maxCached) cache.clear()
      cache.set(text, value)
      last = { text, value }
    }
    return value
  }
}
