const maxCached = 64
const maxCachedLength = 128

/**
 * Caches a function of a header's text. Long texts are not cached, and a full cache is cleared: otherwise a client that
 * varies its headers could exhaust the memory.
 */
export function cachedByText<T>(compute: (text: string) => T): (text: string) => T {
  const cache = new Map<string, T>()
  return (text) => {
    const cached = cache.get(text)
    if (cached !== undefined) return cached
    const computed = compute(text)
    if (cache.size >= maxCached) cache.clear()
    if (text.length <= maxCachedLength) cache.set(text, computed)
    return computed
  }
}
