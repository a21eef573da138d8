import { statSync } from 'node:fs'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import {
  type BatchStore,
  type NoteChange,
  type Replacement,
  type Standing,
  type StoredPlant,
  StoreOpenError
} from '../store.ts'
import { SharedBatch } from './shared-batch.ts'
import type { Answer, Question, Requests, ThreadData } from './worker.ts'

/** Rows of one message between the threads. */
const maxRows = 1_000

/**
 * Store in a SQLite file, which a thread owns. A thread that dies fails its open requests and is replaced: the file is
 * the whole state, and opening it recovers from its log.
 */
export class SqliteStore implements BatchStore {
  /** Maximum of batches in the thread: while SQLite flushes one, the next is prepared. */
  readonly concurrency = sharedBatches
  readonly #checkpoints = new Int32Array(new SharedArrayBuffer(8))
  readonly wal = {
    bytes: () => statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    checkpoints: () => Atomics.load(this.#checkpoints, 1)
  }
  readonly #path: string
  readonly #onError: (error: Error) => void
  #thread: SqliteThread | undefined

  /**
   * @param onError called when the thread of the checkpoints ends
   * @throws {StoreOpenError}
   */
  static async open(path: string, onError: (error: Error) => void): Promise<SqliteStore> {
    const store = new SqliteStore(path, onError)
    const thread = store.#started()
    try {
      await thread.ask('open')
      return store
    } catch (error) {
      await store.close()
      throw new StoreOpenError((error as Error).message, { cause: error })
    }
  }

  private constructor(path: string, onError: (error: Error) => void) {
    this.#path = path
    this.#onError = onError
  }

  async commit(batch: readonly StoredPlant[], timeout: number): Promise<Standing> {
    return this.#started().commit(batch, performance.now() + timeout)
  }

  get(id: bigint): Promise<string | undefined> {
    return this.#started().ask('get', id)
  }

  async page(from: bigint, limit: number): Promise<StoredPlant[]> {
    const rows = Math.min(limit, maxRows)
    const { ids, documents } = await this.#started().ask('page', from, rows)
    return ids.map((id, index) => ({ id, document: documents[index] as string }))
  }

  note(name: string): Promise<string | undefined> {
    return this.#started().ask('note', name)
  }

  rewrite(replacements: readonly Replacement[], note: NoteChange): Promise<boolean> {
    return this.#started().ask('rewrite', replacements, note)
  }

  async ready(): Promise<boolean> {
    await this.#started().ask('check')
    return true
  }

  async close(): Promise<void> {
    const thread = this.#started()
    await thread.ask('close')
    await thread.ended
  }

  #started(): SqliteThread {
    if (this.#thread) return this.#thread
    const onEnd = () => {
      this.#thread = undefined
    }
    this.#thread = new SqliteThread(this.#path, this.#checkpoints, this.#onError, onEnd)
    return this.#thread
  }
}

/** Limits of the thread. Its values live for one request; without the limit its heap grows by 100 MB. */
const resourceLimits = { maxYoungGenerationSizeMb: 4 }
/** Bytes for about 1,000 plants. A batch that is larger, or finds no free shared memory, gets memory of its own. */
const batchBytes = 256 * 1024
/** Number of shared batches: one that is committed, and one that is ready. */
const sharedBatches = 2
/** Commits after which checkpoints get a thread: most stores need none. */
const maxCommitsAlone = 256

class SqliteThread {
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

  /**
   * @param onError called when the thread of the checkpoints ends by itself; commits then make them
   * @param onEnd called with the end of the open requests: a later one would get no answer
   */
  constructor(path: string, checkpoints: Int32Array, onError: (error: Error) => void, onEnd: () => void) {
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
        onEnd()
        resolve(this.#failAll(new Error('the SQLite thread ended', { cause })))
      })
    })
  }

  ask<K extends keyof Requests>(
    kind: K,
    ...given: Parameters<Requests[K]>
  ): Promise<ReturnType<Requests[K]>> {
    this.#worker.postMessage({ kind, given } satisfies Question)
    return this.#enqueue().promise as Promise<ReturnType<Requests[K]>>
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
    return this.ask('commit', apart.memory)
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
