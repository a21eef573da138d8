import type { StoredPlant, StoreReads, StoreRewrites } from './store.ts'

/** The documents that were stored before under ids of a batch; undefined when there were none. */
export type Standing = Map<bigint, string> | undefined

/**
 * The port under group commit, which each adapter (sqlite, postgres) implements. An adapter knows batches only: queue,
 * order and time-outs of creates are decided above, once for all adapters.
 */
export interface BatchStore extends StoreReads, StoreRewrites {
  /** Batches that may be committed at the same time. */
  readonly concurrency: number
  /**
   * Stores, in one transaction and with one flush, every plant of the batch whose id is not taken.
   * @param batch plants of distinct ids
   * @param timeout milliseconds after which the adapter may give up
   * @returns an id that is absent was stored now
   */
  commit(batch: readonly StoredPlant[], timeout: number): Promise<Standing>
  /** Resolves to true when a commit would be likely to succeed now. Never rejects. */
  ready(): Promise<boolean>
  close(): Promise<void>
}

export const minId = -(2n ** 63n)
export const maxId = 2n ** 63n - 1n

/** The store cannot be opened. The message is one sentence for the operator and holds no password. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError'
}
