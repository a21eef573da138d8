/** Asks the iterator of a handler for one item at a time, and calls its `return` at most once. */
import { type ErrorLog, isThenable, notify } from '../errors/callbacks.ts'

/** Iterable of items that a handler returns. */
export type Sequence = Partial<AsyncIterable<unknown> & Iterable<unknown>>

/** Receives what the iterator gives. */
export interface ItemReader {
  readonly onItem: (value: unknown) => void
  readonly onDone: () => void
  readonly onError: (error: unknown) => void
}

export class ItemCursor {
  readonly #iterator: Iterator<unknown> | AsyncIterator<unknown>
  readonly #log: ErrorLog
  /** Undefined when the cursor is closed: a promise of the iterator that never settles then holds no request. */
  #reader: ItemReader | undefined
  #isAsked = false

  /** @throws {unknown} what the iterable throws */
  constructor(sequence: Sequence, reader: ItemReader, log: ErrorLog) {
    const iterator = sequence[Symbol.asyncIterator]?.() ?? sequence[Symbol.iterator]?.()
    if (typeof iterator?.next !== 'function') throw new TypeError('the iterable has no iterator')
    this.#iterator = iterator
    this.#reader = reader
    this.#log = log
  }

  /** True while the iterator owes the result of `next`. */
  get isAsked(): boolean {
    return this.#isAsked
  }

  ask(): void {
    if (this.#isAsked || this.#reader === undefined) return
    this.#isAsked = true
    const result = this.#next()
    if (isThenable(result))
      result.then(
        (value) => this.#take(value),
        (error: unknown) => this.#fail(error)
      )
    else if (result !== undefined) this.#take(result)
  }

  /** @returns what `return` of the iterator has returned; undefined if it has ended by itself */
  close(): unknown {
    if (this.#reader === undefined) return undefined
    this.#reader = undefined
    let returned: unknown
    notify('return() of the body of a response', this.#log, () => {
      returned = this.#iterator.return?.()
      return returned
    })
    return returned
  }

  #next(): IteratorResult<unknown> | PromiseLike<IteratorResult<unknown>> | undefined {
    try {
      return this.#iterator.next()
    } catch (error) {
      this.#fail(error)
      return undefined
    }
  }

  #take(result: IteratorResult<unknown>): void {
    this.#isAsked = false
    const reader = this.#reader
    if (reader === undefined) return
    const { done, value } = Object(result)
    if (!done) reader.onItem(value)
    else {
      this.#reader = undefined
      reader.onDone()
    }
  }

  #fail(error: unknown): void {
    this.#isAsked = false
    const reader = this.#reader
    this.#reader = undefined
    reader?.onError(error)
  }
}
