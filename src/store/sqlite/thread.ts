import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Standing, StoredPlant } from '../store.ts'
import { SharedBatch } from './shared-batch.ts'
import type { Answer, Question, Questions, ThreadData } from './worker.ts'

/** Limits of the thread. Its values live for one request; without the limit its heap grows by 100 MB. */
const resourceLimits = { maxYoungGenerationSizeMb: 4 }
/** Bytes for about 1,000 plants. A batch that is larger, or finds no free shared memory, gets memory of its own. */
const batchBytes = 256 * 1024
/** Number of shared batches: one that is committed, and one that is ready. */
export const sharedBatches = 2
/** Commits after which checkpoints get a thread: most stores need none. */
const maxCommitsAlone = 256

type Value<K extends keyof Questions> = ReturnType<Questions[K]>

export class SqliteThread {
  readonly #worker: Worker
  /** Open requests in their order, which is the order of the answers. */
  readonly #asked: PromiseWithResolvers<unknown>[] = []
  /** Number of requests, on which the thread sleeps, and for each shared batch the number of its request. */
  readonly #questions = new Int32Array(new SharedArrayBuffer(4 * (1 + sharedBatches))).fill(-1, 1)
  readonly #batches = Array.from(
    { length: sharedBatches },
    () => new SharedBatch(new SharedArrayBuffer(batchBytes))
  )
  /** Request of each shared batch, until it is answered. */
  readonly #posted = new Array<PromiseWithResolvers<unknown> | undefined>(sharedBatches).fill(undefined)
  readonly #startCheckpointer: () => Worker
  #checkpointer: Worker | undefined
  #commits = 0
  readonly ended: Promise<void>

  /** @param onError called when the thread of the checkpoints ends by itself; commits then make them */
  constructor(path: string, checkpoints: Int32Array, onError: (error: Error) => void) {
    const workerData: ThreadData = {
      path,
      checkpoints,
      questions: this.#questions,
      memories: this.#batches.map(({ memory }) => memory),
      now: performance.now()
    }
    // In dist/ it is JavaScript, beside this module as well.
    const start = (file: string) => new Worker(new URL(file, import.meta.url), { workerData, resourceLimits })
    this.#startCheckpointer = () => start(`./checkpointer${extname(import.meta.url)}`).on('error', onError)
    this.#worker = start(`./worker${extname(import.meta.url)}`)
    this.#worker.on('message', (answer: Answer) => this.#answered(answer))
    let cause: unknown
    this.#worker.on('error', (error) => {
      cause = error
    })
    this.ended = new Promise((resolve) => {
      this.#worker.on('exit', async () => {
        await this.#checkpointer?.terminate()
        resolve(this.#failAll(new Error('the SQLite thread ended', { cause })))
      })
    })
  }

  ask<K extends keyof Questions>(kind: K, ask: Question<K>['ask']): Promise<Value<K>> {
    this.#worker.postMessage({ kind, ask })
    return this.#enqueue().promise as Promise<Value<K>>
  }

  /** @param deadline time on the clock of this thread */
  commit(batch: readonly StoredPlant[], deadline: number): Promise<Standing> {
    if (this.#commits++ === maxCommitsAlone) this.#checkpointer = this.#startCheckpointer()
    const size = SharedBatch.sizeOf(batch)
    const free = this.#posted.indexOf(undefined)
    if (free < 0 || size > batchBytes) return this.#commitApart(batch, deadline, size)
    this.#batches[free]?.write(batch, deadline)
    this.#questions[1 + free] = Atomics.load(this.#questions, 0)
    const asked = this.#enqueue()
    this.#posted[free] = asked
    return asked.promise as Promise<Standing>
  }

  #commitApart(batch: readonly StoredPlant[], deadline: number, size: number) {
    const apart = new SharedBatch(new SharedArrayBuffer(size))
    apart.write(batch, deadline)
    return this.ask('commit', { memory: apart.memory })
  }

  #enqueue(): PromiseWithResolvers<unknown> {
    const asked = Promise.withResolvers<unknown>()
    this.#asked.push(asked)
    Atomics.add(this.#questions, 0, 1)
    Atomics.notify(this.#questions, 0)
    return asked
  }

  #answered(answer: Answer): void {
    const asked = this.#asked.shift()
    const posted = this.#posted.indexOf(asked)
    if (asked !== undefined && posted >= 0) this.#posted[posted] = undefined
    if (answer?.error === undefined) asked?.resolve(answer?.value)
    else asked?.reject(answer.error)
  }

  #failAll(error: Error): void {
    for (const { reject } of this.#asked.splice(0)) reject(error)
  }
}
