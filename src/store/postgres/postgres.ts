import { setTimeout as sleep } from 'node:timers/promises'
import {
  type BatchStore,
  maxId,
  type NoteChange,
  PlantRefused,
  type Replacement,
  type StoredPlant,
  StoreOpenError
} from '../store.ts'
import { type PostgresClient, PostgresPrimary, type Purpose, problemOf } from './client.ts'
import { isDataRefused, isServerLost, isWorthRetrying, reason, type Work } from './connection.ts'
import {
  awaitReplication,
  BatchInsert,
  ensureSchema,
  readChunk,
  readDocument,
  readNote,
  rewrite
} from './statements.ts'
import type { PostgresTarget } from './url.ts'

const readTimeout = 30_000
const minChunkRows = 16
const maxChunkRows = 2_000

/** Store in a PostgreSQL database, which any number of processes may share. */
export class PostgresStore implements BatchStore {
  readonly concurrency: number
  /** True if this process has created the table of plants. */
  isNew = false
  readonly #primary: PostgresPrimary
  readonly #insert = new BatchInsert()
  /** Rows of the next chunk; few for large documents, because the server reads all of them to find its end. */
  #chunkRows = 64
  /** Client of the current server. All statements share it. */
  #client: PostgresClient | undefined
  /** Search for the primary, which may find the current client again. */
  #search: Promise<PostgresClient> | undefined
  /** Commit that shows if commits end. */
  #proof: Promise<void> | undefined
  /** True before the first commit, and after an error: only a commit can show that the next one would succeed. */
  #isSuspect = true
  #isClosed = false

  /**
   * @param mustExist refuses a database without the table instead of creating it
   * @throws {StoreOpenError}
   */
  static async open(target: PostgresTarget, mustExist = false): Promise<PostgresStore> {
    const store = new PostgresStore(target)
    try {
      await store.#prepare(mustExist)
      return store
    } catch (error) {
      void Promise.allSettled([store.close()])
      throw error instanceof StoreOpenError
        ? error
        : new StoreOpenError(`PostgreSQL ${reason(error)}`, { cause: error })
    }
  }

  private constructor(target: PostgresTarget) {
    this.concurrency = target.poolSize
    this.#primary = new PostgresPrimary(target)
  }

  commit(batch: readonly StoredPlant[], timeout: number): Promise<Map<bigint, string>> {
    // Sorted, because processes that store the same ids in different orders would deadlock.
    const sorted = batch.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const committed = this.#ask((sql) => this.#insert.commit(sql, sorted), timeout, 'write')
    return committed.catch((cause: unknown) => {
      throw isDataRefused(cause) ? new PlantRefused('the database refuses a plant', { cause }) : cause
    })
  }

  get(id: bigint): Promise<string | undefined> {
    return this.#ask((sql) => readDocument(sql, id), readTimeout)
  }

  async page(from: bigint, limit: number): Promise<StoredPlant[]> {
    const page: StoredPlant[] = []
    let last: bigint | undefined
    while (page.length < limit && last !== maxId) {
      const next = last === undefined ? from : last + 1n
      const rows = Math.min(limit - page.length, this.#chunkRows)
      const chunk = await this.#ask((sql) => readChunk(sql, next, rows), readTimeout)
      page.push(...chunk)
      if (chunk.length < rows) {
        this.#chunkRows = Math.max(chunk.length, minChunkRows)
        break
      }
      if (rows === this.#chunkRows) this.#chunkRows = Math.min(rows * 2, maxChunkRows)
      last = chunk.at(-1)?.id
    }
    return page
  }

  note(name: string): Promise<string | undefined> {
    return this.#ask((sql) => readNote(sql, name), readTimeout)
  }

  /** Replaces documents. A retry after a commit whose answer was lost finds its own note, and succeeds. */
  rewrite(replacements: readonly Replacement[], note: NoteChange): Promise<boolean> {
    return this.#ask((sql) => rewrite(sql, replacements, note), readTimeout, 'write')
  }

  async ready(): Promise<boolean> {
    const client = await this.#connected()
    const problem = await problemOf(client).catch(() => 'does not answer')
    if (problem !== undefined || client.silent.length > 0) {
      await this.#findPrimary()
      return false
    }
    if (this.#isSuspect) await this.#prove(client)
    return true
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled([this.#search])
    await this.#client?.close()
  }

  async #prepare(mustExist: boolean): Promise<void> {
    const client = await this.#connected()
    this.isNew = await client.ask((sql) => ensureSchema(sql, mustExist), 'write')
  }

  /** Commits; a later probe awaits the same commit. */
  #prove(client: PostgresClient): Promise<void> {
    this.#proof ??= this.#attempt(awaitReplication, 'write', client).finally(() => (this.#proof = undefined))
    return this.#proof
  }

  /** Retries on the current primary until the time-out. */
  async #ask<T>(work: Work<T>, timeout: number, purpose: Purpose = 'read'): Promise<T> {
    const deadline = performance.now() + timeout
    for (;;) {
      try {
        return await this.#attempt(work, purpose)
      } catch (error) {
        // Random, so that replicas do not retry at the same time.
        const pause = 50 + Math.random() * 200
        if (this.#isClosed || !isWorthRetrying(error) || performance.now() + pause > deadline) throw error
        await sleep(pause)
      }
    }
  }

  async #attempt<T>(work: Work<T>, purpose: Purpose, client?: PostgresClient): Promise<T> {
    const used = client ?? (await this.#connected())
    try {
      const value = await used.ask(work, purpose)
      if (purpose === 'write') this.#isSuspect = false
      return value
    } catch (error) {
      this.#isSuspect = true
      if (isServerLost(error) && used === this.#client) await this.#findPrimary().catch(() => undefined)
      throw error
    }
  }

  #connected(): Promise<PostgresClient> {
    // A page that is read ahead may ask for its next chunk after the store is closed.
    if (this.#isClosed) return Promise.reject(new Error('the store is closed'))
    return this.#client ? Promise.resolve(this.#client) : this.#findPrimary()
  }

  /** Looks for the primary. A lost server fails every statement in flight; each is tried again on the primary. */
  #findPrimary(): Promise<PostgresClient> {
    this.#search ??= this.#replaceClient().finally(() => (this.#search = undefined))
    return this.#search
  }

  async #replaceClient(): Promise<PostgresClient> {
    const lost = this.#client
    try {
      this.#client = await this.#primary.find(lost)
      return this.#client
    } catch (error) {
      this.#client = undefined
      throw error
    } finally {
      if (lost !== this.#client) lost?.destroy()
    }
  }
}
