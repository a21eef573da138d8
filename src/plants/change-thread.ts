/** The parent's end of the thread in change-worker.ts. */
import { Worker } from 'node:worker_threads'
import type { StoredPlant } from '../store/store.ts'
import type { ChangeAnswer, ChangeQuestion } from './change-worker.ts'

/** Plants cannot be changed. The message names the plant, if it is one, and the reason. */
export class ChangeError extends Error {
  override readonly name = 'ChangeError'
}

/** Milliseconds that the change of one plant may take; to load the module may take ten times as long. */
const maxMs = 5_000

const maxCloseMs = 500

/** Runs the default export of a module on plants, one question after the other. */
export class ChangeThread {
  readonly #worker: Worker
  readonly #begun = new Int32Array(new SharedArrayBuffer(4))
  readonly #maxMs: number
  readonly #exited: Promise<unknown>
  readonly #ended: Promise<string>
  #queue: Promise<unknown> = Promise.resolve()

  /** @param file absolute path of the module */
  constructor(file: string, options: { maxMs?: number } = {}) {
    this.#maxMs = options.maxMs ?? maxMs
    this.#worker = new Worker(new URL('./change-worker.ts', import.meta.url), {
      workerData: { file, begun: this.#begun }
    })
    this.#exited = new Promise((resolve) => this.#worker.once('exit', resolve))
    this.#ended = new Promise((resolve) => {
      this.#worker.on('error', (error) => resolve(`the change function ended its thread: ${String(error)}`))
      this.#worker.on('exit', () => resolve('the change function ended its thread'))
    })
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
    const answered = new Promise<ChangeAnswer>((resolve) => this.#worker.once('message', resolve))
    this.#worker.postMessage(question)
    const hung = this.#watch(limit)
    const ended = this.#ended.then((reason) => this.#stopped(reason))
    const { documents, reason } = await Promise.race([answered, ended, hung.reason]).finally(hung.end)
    if (reason === undefined) return documents
    const plant = plants[documents.length]
    throw new ChangeError(plant === undefined ? reason : `plant ${plant.id}: ${reason}`)
  }

  /** A thread that stopped had begun one plant more than it has changed. */
  #stopped(reason: string): ChangeAnswer {
    return { documents: Array(Math.max(0, Number(this.#begun[0]) - 1)).fill(''), reason }
  }

  /** Resolves when one plant takes longer than it may. */
  #watch(limit: number): { readonly reason: Promise<ChangeAnswer>; readonly end: () => void } {
    const { promise, resolve } = Promise.withResolvers<ChangeAnswer>()
    let last = -1
    const timer = setInterval(() => {
      if (this.#begun[0] === last)
        resolve(this.#stopped(`the change function did not return within ${limit / 1_000} s`))
      last = Number(this.#begun[0])
    }, limit)
    return { reason: promise, end: () => clearInterval(timer) }
  }
}
