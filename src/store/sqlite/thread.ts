import { Worker } from 'node:worker_threads'
import type { Answer, Question, Questions, ThreadData } from './worker.ts'

/** Values of the thread live for one question; without the limit its heap grows by 100 MB between two collections. */
const resourceLimits = { maxYoungGenerationSizeMb: 4 }

type Value<K extends keyof Questions> = ReturnType<Questions[K]>

/** The parent's end of the thread in worker.ts: questions become promises. */
export class SqliteThread {
  readonly #worker: Worker
  /** Open questions in the order in which they were asked, which is the order of the answers. */
  readonly #asked: PromiseWithResolvers<unknown>[] = []
  /** The thread sleeps on it. */
  readonly #questions = new Int32Array(new SharedArrayBuffer(4))
  readonly ended: Promise<void>

  constructor(path: string) {
    const workerData: ThreadData = { path, questions: this.#questions, now: performance.now() }
    this.#worker = new Worker(new URL(import.meta.resolve('#sqlite-thread')), { workerData, resourceLimits })
    this.#worker.on('message', (answer: Answer) => this.#answered(answer))
    let cause: unknown
    this.#worker.on('error', (error) => {
      cause = error
    })
    this.ended = new Promise((resolve) => {
      this.#worker.on('exit', () => resolve(this.#failAll(new Error('the SQLite thread ended', { cause }))))
    })
  }

  ask<K extends keyof Questions>(kind: K, ask: Question<K>['ask']): Promise<Value<K>> {
    const asked = Promise.withResolvers<unknown>()
    this.#worker.postMessage({ kind, ask })
    Atomics.add(this.#questions, 0, 1)
    Atomics.notify(this.#questions, 0)
    this.#asked.push(asked)
    return asked.promise as Promise<Value<K>>
  }

  #answered({ value, error }: Answer): void {
    const asked = this.#asked.shift()
    if (error === undefined) asked?.resolve(value)
    else asked?.reject(error)
  }

  #failAll(error: Error): void {
    for (const { reject } of this.#asked.splice(0)) reject(error)
  }
}
