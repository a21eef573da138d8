/** Texts of the items that an iterator gives in one event-loop turn: one write for all of them costs a fifth. */
import { nextTick } from 'node:process'

/** Bounds of what is asked for ahead of the connection. Items of an iterable that is not async nest their calls. */
const [maxCharacters, maxItems] = [16_384, 64]

export class ItemBatch {
  #text = ''
  #count = 0
  readonly #send: (text: string) => void

  /** @param send is called when the iterator waits, and by `flush` */
  constructor(send: (text: string) => void) {
    this.#send = send
  }

  /** @returns true if there is room for another item */
  add(text: string): boolean {
    // Ticks come after all promises that are settled.
    if (this.#count === 0) nextTick(() => this.flush())
    this.#text += text
    this.#count += 1
    return this.#text.length < maxCharacters && this.#count < maxItems
  }

  flush(): void {
    const text = this.#text
    this.drop()
    if (text !== '') this.#send(text)
  }

  drop(): void {
    this.#text = ''
    this.#count = 0
  }
}
