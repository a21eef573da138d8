import { statSync } from 'node:fs'
import { probeWithin } from '../batch.ts'
import { pageOf } from '../page.ts'
import {
  type BatchStore,
  type NoteChange,
  type PageRange,
  type Replacement,
  type Standing,
  type StoredPlant,
  StoreOpenError
} from '../store.ts'
import { SqliteThread, sharedBatches } from './thread.ts'

/** Time in ms that a rewrite waits for locks of other processes. */
const rewriteTimeout = 30_000
/** Rows of one message between the threads. */
const maxChunkRows = 500
/** Time in ms that a probe waits for an answer; a thread that waits for a lock does not answer. */
const probeTimeout = 1_000

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
  #isClosed = false

  /**
   * @param timeout time in ms to wait for locks of other processes
   * @param onError called when the thread of the checkpoints ends
   * @throws {StoreOpenError}
   */
  static async open(path: string, timeout: number, onError: (error: Error) => void): Promise<SqliteStore> {
    const store = new SqliteStore(path, onError)
    const thread = store.#started()
    try {
      await thread.ask('open', { timeout })
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
    return this.#started().ask('get', { id })
  }

  page(range: PageRange): Promise<StoredPlant[]> {
    return pageOf(
      range,
      () => maxChunkRows,
      async (from, rows) => {
        const { ids, documents } = await this.#started().ask('page', { from, rows })
        return ids.map((id, index) => ({ id, document: documents[index] as string }))
      }
    )
  }

  note(name: string): Promise<string | undefined> {
    return this.#started().ask('note', { name })
  }

  rewrite(replacements: readonly Replacement[], note: NoteChange): Promise<boolean> {
    return this.#started().ask('rewrite', { replacements, note, timeout: rewriteTimeout })
  }

  async ready(): Promise<boolean> {
    if (!this.#thread) {
      this.#started()
      return false
    }
    const check = this.#thread.ask('check', { timeout: probeTimeout / 2 }).then(
      () => true,
      () => false
    )
    return probeWithin(probeTimeout, check)
  }

  async close(): Promise<void> {
    const thread = this.#started()
    this.#isClosed = true
    await thread.ask('close', {})
    await thread.ended
  }

  #started(): SqliteThread {
    if (this.#thread) return this.#thread
    // A page that is read ahead may ask for its next chunk after the store is closed.
    if (this.#isClosed) throw new Error('the store is closed')
    const thread = new SqliteThread(this.#path, this.#checkpoints, this.#onError)
    thread.ended.then(() => {
      if (this.#thread === thread) this.#thread = undefined
    })
    this.#thread = thread
    return thread
  }
}
