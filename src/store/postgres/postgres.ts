import { setTimeout as sleep } from 'node:timers/promises'
import { type BatchStore, largestId, StoreOpenError, smallestId } from '../batch-store.ts'
import type { StoredPlant } from '../store.ts'
import type { PostgresClient } from './client.ts'
import { isPrimary, PostgresPrimary } from './primary.ts'
import { ensureSchema } from './schema.ts'
import { isServerLost, isWorthRetrying, reason } from './sql-errors.ts'
import { commitBatch, pageRows, readPage, type Work } from './statements.ts'
import type { PostgresTarget } from './url.ts'

const probeTimeout = 1_000
const exportTimeout = 30_000

/** Plants in one PostgreSQL database, which any number of processes share. */
export class PostgresStore implements BatchStore {
  readonly concurrency: number
  readonly #primary: PostgresPrimary
  /** The server in use, or the search for it, which all that need it share. */
  #client: Promise<PostgresClient> | undefined

  /** @throws {StoreOpenError} */
  static async open(target: PostgresTarget): Promise<PostgresStore> {
    const store = new PostgresStore(target)
    try {
      const client = await store.#connected()
      await client.ask(ensureSchema)
      return store
    } catch (error) {
      await store.close()
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
    // In one order everywhere, so that processes that store the same ids wait for, and never dead-lock, each other.
    const sorted = batch.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    return this.#ask((sql) => commitBatch(sql, sorted), timeout)
  }

  /** Page by page: no cursor and no snapshot are held, so it survives a fail-over and disturbs nothing. */
  async *export(): AsyncIterable<StoredPlant> {
    let from: bigint | undefined = smallestId
    let rows = 64
    while (from !== undefined) {
      const start: bigint = from
      const page: StoredPlant[] = await this.#ask((sql) => readPage(sql, start, rows), exportTimeout)
      yield* page
      // Few rows at a time where documents are heavy: the server reads them all to find where the page ends.
      rows = Math.min(pageRows, Math.max(page.length, 8) * 2)
      const last: bigint = page.at(-1)?.id ?? largestId
      from = last === largestId ? undefined : last + 1n
    }
  }

  async ready(): Promise<boolean> {
    const { promise: tooLate, resolve } = Promise.withResolvers<false>()
    const timer = setTimeout(resolve, probeTimeout, false)
    const probe = this.#probe().catch(() => false)
    return Promise.race([probe, tooLate]).finally(() => clearTimeout(timer))
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined)
    await client?.close()
  }

  async #probe(): Promise<boolean> {
    const client = await this.#connected()
    const usable = await isPrimary(client).catch(() => false)
    if (!usable) this.#lose(client)
    return usable
  }

  /** Tries again, on the primary of that moment, while the time allows. */
  async #ask<T>(work: Work<T>, timeout: number): Promise<T> {
    const deadline = performance.now() + timeout
    for (;;) {
      try {
        return await this.#attempt(work)
      } catch (error) {
        // Not all replicas at the same moment.
        const pause = 50 + Math.random() * 200
        if (!isWorthRetrying(error) || performance.now() + pause > deadline) throw error
        await sleep(pause)
      }
    }
  }

  async #attempt<T>(work: Work<T>): Promise<T> {
    const client = await this.#connected()
    try {
      return await client.ask(work)
    } catch (error) {
      if (isServerLost(error)) this.#lose(client)
      throw error
    }
  }

  #connected(): Promise<PostgresClient> {
    if (this.#client) return this.#client
    const search = this.#primary.find()
    this.#client = search
    search.catch(() => {
      if (this.#client === search) this.#client = undefined
    })
    return search
  }

  /** All that was under way on this server fails, too, and looks for the primary again. */
  #lose(client: PostgresClient): void {
    if (client.isDestroyed) return
    client.destroy()
    this.#client = undefined
  }
}
