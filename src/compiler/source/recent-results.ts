/** Results of steps that take long, by the texts that they are made of: an edit repeats only the steps that it concerns. */
import { createHash } from 'node:crypto'

/** As many as a compilation has. */
const maxResults = 8

export class RecentResults<Result> {
  readonly #results = new Map<string, Result>()

  /** @param inputs all that the result depends on */
  of(inputs: Iterable<string>, make: () => Result): Result {
    const hash = createHash('sha256')
    for (const input of inputs) hash.update(`${input.length} `).update(input)
    const key = hash.digest('base64')
    const result = this.#results.get(key) ?? make()
    this.#results.delete(key)
    this.#results.set(key, result)
    // What fails for another reason than its input, such as a bundler that was killed, is made again.
    if (result instanceof Promise) result.catch(() => this.#results.delete(key))
    const [oldest = ''] = this.#results.keys()
    if (this.#results.size > maxResults) this.#results.delete(oldest)
    return result
  }
}
