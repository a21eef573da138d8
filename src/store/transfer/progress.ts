import type { Transferred } from './ndjson.ts'

/** Milliseconds between two looks at a terminal. */
const interval = 100
/** To the start of the line, and clear it (ECMA-48: CR, EL). */
const clearLine = '\r\x1b[K'

/** One line on a terminal, written over and over; without a terminal nothing. */
export class Progress {
  readonly #write: ((text: string) => void) | undefined
  readonly #size: number | undefined
  readonly #started = performance.now()
  #shown = 0

  /** @param size bytes that there are in all, where it is known */
  constructor(write?: (text: string) => void, size?: number) {
    this.#write = write
    this.#size = size
  }

  readonly show = (transferred: Transferred): void => {
    if (!this.#write || performance.now() - this.#shown < interval) return
    this.#shown = performance.now()
    this.#write(`${clearLine}${this.summary(transferred.plants)}${this.#left(transferred.bytes)}`)
  }

  clear(): void {
    this.#write?.(clearLine)
  }

  summary(plants: number): string {
    const rate = Math.round(plants / Math.max(0.001, this.#seconds))
    return `${plants.toLocaleString('en')} ${plants === 1 ? 'plant' : 'plants'}, ${rate.toLocaleString('en')} a second`
  }

  get #seconds(): number {
    return (performance.now() - this.#started) / 1_000
  }

  #left(bytes: number): string {
    if (this.#size === undefined || bytes === 0) return ''
    return `, ${Math.ceil((this.#seconds / bytes) * Math.max(0, this.#size - bytes))} s left`
  }
}
