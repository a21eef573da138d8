import { Worker } from 'node:worker_threads'
import type { Answer, Question, Questions } from './worker.ts'

/** Values of the thread live for one question; without the limit its heap grows by 100 MB between two collections. */
const resourceLimits = { maxYoungGenerationSizeMb: 4 }

type Value<K extends keyof Questions> = ReturnType<Questions[K]>

/** The parent's end of the thread in worker.ts: questions become promises. */
export class SqliteThread {
  readonly #worker: Worker
  /** Open questions in the order in which they were asked, which is the order of the answers. */
  readonly #asked: PromiseWithResolvers<unknown>[] = []
  readonly ended: Promise<void>

  constructor(path: string) {
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: path,
      resourceLimits
    })
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
