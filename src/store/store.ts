/**
 * The store port: what the service needs of a store, and nothing of how it is done.
 * Adapters (sqlite, postgres) know neither each other nor HTTP.
 */

/** A plant as it is stored: its id, and its declared fields as one JSON text made by the contract's serializer. */
export interface StoredPlant {
  /** int64, exact: −2^63 to 2^63−1. */
  readonly id: bigint
  /** One JSON object without `id`; equal plants have equal texts. */
  readonly document: string
}

/**
 * `created`: stored now. `replayed`: the same plant was stored before. `taken`: another plant has this id; nothing changed.
 * Either of the first two means durable: committed and flushed.
 */
export type CreateOutcome = 'created' | 'replayed' | 'taken'

export interface Store {
  /**
   * Stores the plant unless its id is taken.
   * @throws {StoreOverloaded} at once, when the queue is full; nothing was stored
   * @throws {StoreUnavailable} when it could not be committed in time; a retry is safe
   */
  create(plant: StoredPlant): Promise<CreateOutcome>
  /** All plants in id order, in constant memory, while creates go on. */
  export(): AsyncIterable<StoredPlant>
  /** Whether a create would be likely to succeed now. Never throws. */
  ready(): Promise<boolean>
  /** Commits what was accepted, then lets go of files, threads and connections. */
  close(): Promise<void>
}

/** More creates are waiting than the store may hold. */
export class StoreOverloaded extends Error {
  override readonly name = 'StoreOverloaded'
}

/** The store can not commit now: disk full, lock held, connection lost. The cause is for the log only. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}
