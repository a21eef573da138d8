/** Minimum time between two updates of the line, in ms. */
const minIntervalMs = 100
/** Control sequence that clears the line (ECMA-48: CR, EL). */
const clearLine = '\r\x1b[K'

export interface ProgressOptions {
  /** Singular and plural of the things that are counted. */
  readonly nouns: readonly [one: string, many: string]
  /** Writes to a terminal; absent without one. */
  readonly write?: ((text: string) => void) | undefined
  /** Total of bytes or things, if known. */
  readonly size?: number | undefined
  /** Monotonic clock in ms. */
  readonly now?: () => number
}

export class Progress {
  readonly #options: ProgressOptions
  readonly #now: () => number
  readonly #started: number
  /** Time of the last update. */
  #shown = Number.NEGATIVE_INFINITY

  constructor(options: ProgressOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
    this.#started = this.#now()
  }

  /**
   * Updates the line.
   * @param done the part of `size` that is done
   */
  show(count: number, done: number): void {
    const { write } = this.#options
    if (!write || this.#now() - this.#shown < minIntervalMs) return
    this.#shown = this.#now()
    write(`${clearLine}${this.summary(count)}${this.#left(done)}`)
  }

  clear(): void {
    this.#options.write?.(clearLine)
  }

  /** @returns `1,234 things, 99 a second` */
  summary(count: number): string {
    const rate = Math.round(count / Math.max(0.001, this.#seconds))
    const noun = this.#options.nouns[count === 1 ? 0 : 1]
    return `${count.toLocaleString('en')} ${noun}, ${rate.toLocaleString('en')} a second`
  }

  get #seconds(): number {
    return (this.#now() - this.#started) / 1_000
  }

  #left(done: number): string {
    const { size } = this.#options
    if (size === undefined || done === 0) return ''
    return `, ${Math.ceil((this.#seconds / done) * Math.max(0, size - done))} s left`
  }
}
