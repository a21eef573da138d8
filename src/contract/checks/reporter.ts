/** Collects the problems that the checks find. */
import type { Origin } from '../model/origin.ts'

type Report = (message: string, place: Origin) => void

export interface Reporter {
  /** Reports that the contract breaks OpenAPI, or cannot be served as written. */
  readonly error: Report
  /** Reports a part without effect; the contract is served. */
  readonly warn: Report
  /** Returns the place of an object of the document, or of a member of it. */
  readonly at: (node: unknown, ...keys: string[]) => Origin
}

/** Yields each item that has the key of an earlier one, with that one. */
export function* repeated<T>(
  items: Iterable<T>,
  keyOf: (item: T) => string | undefined
): Generator<readonly [item: T, earlier: T]> {
  const seen = new Map<string, T>()
  for (const item of items) {
    const key = keyOf(item)
    if (key === undefined) continue
    const earlier = seen.get(key)
    if (earlier === undefined) seen.set(key, item)
    else yield [item, earlier]
  }
}
