/**
 * Steps that a comparison may take: schemas can name each other so that their meaning takes exponential work. Steps are
 * counted, not timed, so that a report is the same on every machine.
 */
class Exhausted extends Error {}

/** Fewest steps of one message, whatever the others have taken. */
const leastSteps = 20_000

export class Budget {
  /** Steps of the whole comparison; what is left is shared with the messages that follow. */
  #whole = 6_000_000
  #left = leastSteps

  /** @throws {Exhausted} caught by `message` and `place` */
  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new Exhausted()
  }

  /** Runs the comparison of one message, or of a parameter, with a third of the steps left. */
  message<T>(run: () => T, otherwise: T): T {
    const share = leastSteps + Math.floor(this.#whole / 3)
    const { found, used } = this.#limited(share, run, () => otherwise)
    this.#whole = Math.max(0, this.#whole - used)
    return found
  }

  /** Runs the comparison of one place in a message; a sixty-fourth of the steps remains for the places beside it. */
  place<T>(run: () => T, otherwise: () => T): T {
    const left = Math.max(0, this.#left)
    const { found, used } = this.#limited(left - Math.floor(left / 64), run, otherwise)
    this.#left = left - used
    return found
  }

  #limited<T>(share: number, run: () => T, otherwise: () => T): { readonly found: T; readonly used: number } {
    this.#left = share
    const found = caught(run, otherwise)
    return { found, used: share - Math.max(0, this.#left) }
  }
}

function caught<T>(run: () => T, otherwise: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof Exhausted)) throw error
    return otherwise()
  }
}
