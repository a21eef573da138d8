import type { StoredPlant, StoreReads, StoreRewrites } from './store.ts'

/** Documents that were already stored under ids of a batch; undefined when there were none. */
export type Standing = Map<bigint, string> | undefined

/**
 * Port between group commit and the adapters (sqlite, postgres). An adapter commits batches only; group commit decides
 * the queue, order and time-outs of creates for all adapters.
 */
export interface BatchStore extends StoreReads, StoreRewrites {
  /** Maximum of batches that are committed at the same time. */
  readonly concurrency: number
  /**
   * Stores every plant of the batch whose id is not taken, in one transaction and with one flush.
   * @param batch plants of distinct ids
   * @param timeout time in ms after which the adapter may give up
   * @returns the documents of taken ids; every other plant was stored
   */
  commit(batch: readonly StoredPlant[], timeout: number): Promise<Standing>
  /** Resolves to true when a commit would be likely to succeed now. Never rejects. */
  ready(): Promise<boolean>
  close(): Promise<void>
}

export const minId = -(2n ** 63n)
export const maxId = 2n ** 63n - 1n

/** Error at open. The message is one sentence for the operator and contains no password. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError'
}
