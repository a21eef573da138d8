/** Results that this process has made for the last contracts: an edit of one makes anew only what depends on it. */
import { createHash } from 'node:crypto'

/** Keeps results of pure functions by all that they depend on; of two generations, the older one is dropped. */
export class Memo<Result> {
  readonly #max: number
  #last = new Map<string, Result>()
  #current = new Map<string, Result>()

  /** @param max number of results in a generation */
  constructor(max: number) {
    this.#max = max
  }

  /** @param key all that the result depends on */
  get(key: string, make: () => Result): Result {
    const digest = digestOf(key)
    const known = this.#current.get(digest) ?? this.#last.get(digest) ?? make()
    if (this.#current.size === this.#max) {
      this.#last = this.#current
      this.#current = new Map()
    }
    this.#current.set(digest, known)
    return known
  }
}

/** Returns 128 bits of the SHA-256 of a text, in signs of identifiers: base64url (RFC 4648, section 5) with `$` for `-`. */
export const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 22).replaceAll('-', '$')
