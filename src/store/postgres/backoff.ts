const minMs = 50
const maxMs = 2_000

/** Back-off between attempts that fail: 50 ms, doubled by each failure up to 2 s, less a random part of up to a half. */
export class Backoff {
  #failures = 0
  #until = 0

  get isOver(): boolean {
    return performance.now() >= this.#until
  }

  failed(): void {
    this.#until = performance.now() + backoffMs(this.#failures++)
  }

  succeeded(): void {
    this.#failures = 0
    this.#until = 0
  }
}

/**
 * @param failures number of failures before this one
 * @param random number from 0 to 1, so that replicas do not try at the same time
 */
export function backoffMs(failures: number, random = Math.random()): number {
  return Math.min(maxMs, minMs * 2 ** failures) * (1 - random / 2)
}
