import { Worker } from 'node:worker_threads'
import type { Answer, Question, Questions } from './sqlite-worker.ts'

/** What the thread makes lives for one question only; left alone, its heap would grow by 100 MB before it is swept. */
const resourceLimits = { maxYoungGenerationSizeMb: 4 }

type Value<K extends keyof Questions> = ReturnType<Questions[K]>

/** This end of the thread in sqlite-worker.ts: questions become promises. */
export class SqliteThread {
  readonly #worker: Worker
  readonly #asked = new Map<number, PromiseWithResolvers<unknown>>()
  readonly ended: Promise<void>
  #count = 0

  constructor(path: string) {
    this.#worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url), {
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
    const number = this.#count++
    this.#asked.set(number, asked)
    this.#worker.postMessage({ number, kind, ask })
    return asked.promise as Promise<Value<K>>
  }

  #answered({ number, value, error }: Answer): void {
    const asked = this.#asked.get(number)
    this.#asked.delete(number)
    if (error === undefined) asked?.resolve(value)
    else asked?.reject(error)
  }

  #failAll(error: Error): void {
    for (const { reject } of this.#asked.values()) reject(error)
    this.#asked.clear()
  }
}
