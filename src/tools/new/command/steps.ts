/** Names each step of a long command when it begins, with its time when it ends. */

export class Steps {
  readonly #write: (text: string) => unknown
  readonly #timer: NodeJS.Timeout
  #began: number | undefined

  /** @param intervalMs time after which the time so far is written */
  constructor(write: (text: string) => unknown, intervalMs = 10_000) {
    this.#write = write
    this.#timer = setInterval(() => this.#write(` … ${this.#seconds(0)}`), intervalMs)
  }

  readonly begin = (step: string): void => {
    this.#finish()
    this.#began = performance.now()
    this.#write(step)
    this.#timer.refresh()
  }

  readonly end = (): void => {
    this.#finish()
    clearInterval(this.#timer)
  }

  #finish(): void {
    if (this.#began !== undefined) this.#write(`: ${this.#seconds(1)}\n`)
    this.#began = undefined
  }

  #seconds(digits: number): string {
    return `${((performance.now() - (this.#began ?? performance.now())) / 1000).toFixed(digits)} s`
  }
}
