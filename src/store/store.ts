/**
 * The store port: what the service needs of a store, and nothing of how it is done.
 * Adapters (sqlite, postgres) know neither each other nor HTTP.
 */

/** A plant as it is stored: its id, and its declared properties as one JSON text. */
export interface StoredPlant {
  /** int64, exact: −2^63 to 2^63−1. */
  readonly id: bigint
  /** One JSON object without `id`. */
  readonly document: string
}

/**
 * `created`: stored now. `replayed`: the same text was stored before. `taken`: another text has this id; nothing changed.
 * Each of the first two means durable: committed and flushed.
 */
export type CreateOutcome = 'created' | 'replayed' | 'taken'

export interface PageRange {
  /** The page begins after this id; undefined: with the smallest. */
  readonly after?: bigint | undefined
  /** Plants that the page has at most. */
  readonly limit: number
}

/** The reads of a store. Each sees every create that was acknowledged before. */
export interface StoreReads {
  /** @returns the document of the plant; undefined when there is no such plant */
  get(id: bigint): Promise<string | undefined>
  /** @returns plants in id order; fewer than `limit` when they are large, none only after the last */
  page(range: PageRange): Promise<readonly StoredPlant[]>
}

/** A change of one stored document. */
export interface Replacement {
  readonly id: bigint
  readonly before: string
  readonly after: string
}

/** A small text that the store keeps beside the plants, under a name. */
export interface NoteChange {
  readonly name: string
  /** Undefined: there is no such note. */
  readonly before: string | undefined
  /** A text that the note had never before. */
  readonly after: string
}

/** The part of a store by which stored documents are checked and changed. */
export interface StoreRewrites {
  /** @returns the text of the note; undefined when there is none */
  note(name: string): Promise<string | undefined>
  /**
   * Replaces documents and changes a note, all in one transaction and durably, or nothing of it.
   * @returns false when the note or one of the documents is not as it was before; then nothing changed
   */
  rewrite(replacements: readonly Replacement[], note: NoteChange): Promise<boolean>
}

/** Reads and rewrites reject with {StoreUnavailable} when the store cannot answer now. */
export interface Store extends StoreReads, StoreRewrites {
  /** Creates that wait to be committed. */
  readonly depth: number
  /**
   * Stores the plant unless its id is taken.
   * @throws {StoreOverloaded} at once, when the queue is full; nothing was stored
   * @throws {StoreUnavailable} when it could not be committed in time; a retry is safe
   * @throws {PlantRefused} when the database refuses this plant; it would refuse a retry, too
   */
  create(plant: StoredPlant): Promise<CreateOutcome>
  /** Iterates over all plants in id order, in constant memory, while creates go on. */
  export(): AsyncIterable<StoredPlant>
  /** Resolves to true when a create would be likely to succeed now. Never rejects. */
  ready(): Promise<boolean>
  /** Commits the accepted creates, then closes files, threads and connections. */
  close(): Promise<void>
}

/** More creates are waiting than the store may hold. */
export class StoreOverloaded extends Error {
  override readonly name = 'StoreOverloaded'
}

/** The store cannot answer now: disk full, lock held, connection lost. The cause is for the log only. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** The database refuses one plant of a batch: a constraint, or a partition that is missing. The cause is for the log only. */
export class PlantRefused extends Error {
  override readonly name = 'PlantRefused'
}
