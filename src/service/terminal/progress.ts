/** Milliseconds between two lines that a person can read. */
const minIntervalMs = 100
/** To the start of the line, and clear it (ECMA-48: CR, EL). */
const clearLine = '\r\x1b[K'

export interface ProgressOptions {
  /** Singular and plural of the things that are counted. */
  readonly nouns: readonly [one: string, many: string]
  /** Writes to a terminal; without one nothing is shown. */
  readonly write?: ((text: string) => void) | undefined
  /** All bytes, or all things, that there are to do, where that is known. */
  readonly size?: number | undefined
  /** Returns milliseconds that never go back. */
  readonly now?: () => number
}

/** One line on a terminal, written over and over. */
export class Progress {
  readonly #options: ProgressOptions
  readonly #now: () => number
  readonly #started: number
  /** The time of the last line. */
  #shown = Number.NEGATIVE_INFINITY

  constructor(options: ProgressOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
    this.#started = this.#now()
  }

  /** @param done how much of the size is done */
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
