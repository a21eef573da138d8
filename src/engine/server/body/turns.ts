/** Event-loop turns of those who read bodies: one after the other, so that many of them delay no other request. */

/** Bytes, and what costs as much, that a reader takes in one turn. */
const maxPerTurn = 65_536

const waiting: (() => void)[] = []

/** Resolves in a later event-loop turn, which no other reader has, in the order of the calls. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(wakeFirst)
  })
}

function wakeFirst(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(wakeFirst)
}

/** Work of one reader since its last turn. */
export class Pace {
  #spent = 0

  /** @returns true when the reader must wait for its next turn */
  isSpent(work: number): boolean {
    this.#spent += work
    if (this.#spent < maxPerTurn) return false
    this.#spent = 0
    return true
  }
}
