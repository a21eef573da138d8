import type { StoredPlant } from './store.ts'

/**
 * The port under group commit: what an adapter (sqlite, postgres) does for it. An adapter knows batches only;
 * who waits for what, in which order, and for how long is decided above, once for all adapters.
 */
export interface BatchStore {
  /** How many batches may be committed at the same time. */
  readonly concurrency: number
  /**
   * Stores, in one transaction and with one flush, every plant of the batch whose id is not taken.
   * @param batch plants of distinct ids
   * @param timeout milliseconds; what can not be committed in that time may be given up
   * @returns the documents that stood before under ids of the batch; an id that is not in it was stored now
   */
  commit(batch: readonly StoredPlant[], timeout: number): Promise<Map<bigint, string>>
  export(): AsyncIterable<StoredPlant>
  /** Whether a commit would be likely to succeed now. Never throws. */
  ready(): Promise<boolean>
  close(): Promise<void>
}

export const smallestId = -(2n ** 63n)
export const largestId = 2n ** 63n - 1n

/** The store can not be opened. The message is one sentence for the operator and holds no password. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError'
}
