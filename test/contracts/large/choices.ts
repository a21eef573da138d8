/** Repeatable choices: the same seed always gives the same sequence, on every machine. */
import { createHash } from 'node:crypto'

export class Choices {
  readonly #seed: string
  #count = 0

  constructor(seed: string) {
    this.#seed = seed
  }

  /** @returns an integer from 0 up to but not including the limit */
  below(limit: number): number {
    const digest = createHash('sha256')
      .update(`${this.#seed}/${this.#count++}`)
      .digest()
    return digest.readUInt32BE() % limit
  }

  /** @returns some entries of the list, in the order of the list */
  some<T>(list: readonly T[], count: number): T[] {
    const left = [...list.keys()]
    const taken = Array.from({ length: Math.min(count, list.length) }, () =>
      left.splice(this.below(left.length), 1)
    )
    const kept = new Set(taken.flat())
    return list.filter((_, index) => kept.has(index))
  }
}
