/** Parent side of the thread in change-worker.ts. */
import { Worker } from 'node:worker_threads'
import type { StoredPlant } from '../store/store.ts'
import type { ChangeAnswer, ChangeQuestion } from './change-worker.ts'

/** Error of a change. The message names the plant, if there is one, and the reason. */
export class ChangeError extends Error {
  override readonly name = 'ChangeError'
}

/** Longest time for the change of one plant, in ms; loading the module may take ten times as long. */
const maxMs = 5_000

const maxCloseMs = 500

export class ChangeThread {
  readonly #worker: Worker
  readonly #begun = new Int32Array(new SharedArrayBuffer(4))
  readonly #maxMs: number
  readonly #exited: Promise<unknown>
  /** Reason for which the thread has ended. */
  #reason: string | undefined
  #end: (reason: string) => void = () => {}
  #queue: Promise<unknown> = Promise.resolve()

  constructor(file: string, options: { maxMs?: number } = {}) {
    this.#maxMs = options.maxMs ?? maxMs
    this.#worker = new Worker(new URL('./change-worker.ts', import.meta.url), {
      workerData: { file, begun: this.#begun }
    })
    this.#exited = new Promise((resolve) => this.#worker.once('exit', resolve))
    this.#worker.on('error', (error) => this.#ended(`the change function ended its thread: ${String(error)}`))
    this.#worker.on('exit', () => this.#ended('the change function ended its thread'))
  }

  /**
   * Changes and validates plants.
   * @returns their documents
   * @throws {ChangeError} for the first plant that cannot be changed
   */
  change(plants: readonly StoredPlant[]): Promise<readonly string[]> {
    return this.#enqueue(plants, this.#maxMs)
  }

  /** @throws {ChangeError} when the module cannot be loaded */
  async load(): Promise<void> {
    await this.#enqueue([], 10 * this.#maxMs)
  }

  /** Lets the thread end by itself, unless the user's module keeps it busy. */
  async close(): Promise<void> {
    this.#worker.postMessage(undefined)
    const timer = setTimeout(() => this.#worker.terminate(), maxCloseMs)
    await this.#exited.finally(() => clearTimeout(timer))
  }

  #enqueue(plants: readonly StoredPlant[], limit: number): Promise<readonly string[]> {
    const answer = this.#queue.then(() => this.#ask(plants, limit))
    this.#queue = answer.catch(() => undefined)
    return answer
  }

  async #ask(plants: readonly StoredPlant[], limit: number): Promise<readonly string[]> {
    this.#begun[0] = 0
    const question: ChangeQuestion = { plants }
    const { promise, resolve } = Promise.withResolvers<ChangeAnswer>()
    this.#worker.once('message', resolve)
    this.#worker.postMessage(question)
    // Every promise is settled: a reaction to a pending one would keep all answers in memory.
    this.#end = (reason) => resolve(this.#stopped(reason))
    if (this.#reason !== undefined) this.#end(this.#reason)
    const timer = this.#watch(limit)
    const { documents, reason } = await promise.finally(() => clearInterval(timer))
    if (reason === undefined) return documents
    const plant = plants[documents.length]
    throw new ChangeError(plant === undefined ? reason : `plant ${plant.id}: ${reason}`)
  }

  #ended(reason: string): void {
    this.#reason ??= reason
    this.#end(this.#reason)
  }

  /** Returns the answer of a stopped thread, which has begun one plant more than it has changed. */
  #stopped(reason: string): ChangeAnswer {
    return { documents: Array(Math.max(0, Number(this.#begun[0]) - 1)).fill(''), reason }
  }

  /** Ends the call when one plant takes too long. */
  #watch(limit: number): NodeJS.Timeout {
    let last = -1
    return setInterval(() => {
      if (this.#begun[0] === last) this.#end(`the change function did not return within ${limit / 1_000} s`)
      last = Number(this.#begun[0])
    }, limit)
  }
}
