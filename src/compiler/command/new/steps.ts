/** Names each step of a long command when it begins, and how long it takes. */

export class Steps {
  readonly #write: (line: string) => unknown
  readonly #timer: NodeJS.Timeout
  #step = ''
  #began = 0

  /** @param intervalMs time without a line, after which the step is named again */
  constructor(write: (line: string) => unknown, intervalMs = 10_000) {
    this.#write = write
    this.#timer = setInterval(this.#remind, intervalMs)
  }

  readonly begin = (step: string): void => {
    this.#step = step
    this.#began = performance.now()
    this.#write(`${step}\n`)
    this.#timer.refresh()
  }

  readonly end = (): void => clearInterval(this.#timer)

  readonly #remind = (): void => {
    const seconds = Math.round((performance.now() - this.#began) / 1000)
    this.#write(`${this.#step}, for ${seconds} s\n`)
  }
}
