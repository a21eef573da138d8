/** Port of the store, and what its adapters (sqlite, postgres) share. They depend neither on each other nor on HTTP. */

/** Stored form of a plant: its id, and its declared properties as one JSON text. */
export interface StoredPlant {
  /** Exact int64: −2^63 to 2^63−1. */
  readonly id: bigint
  /** JSON object without `id`. */
  readonly document: string
}

/**
 * `created`: stored now. `replayed`: the same text was stored before. `taken`: another text has this id; nothing
 * changed. After the first two the plant is durable: committed and flushed.
 */
export type CreateOutcome = 'created' | 'replayed' | 'taken'

export interface PageRange {
  /** Id after which the page begins; undefined: with the smallest. */
  readonly after?: bigint | undefined
  /** Maximum of plants in the page. */
  readonly limit: number
}

export interface Replacement {
  readonly id: bigint
  readonly before: string
  readonly after: string
}

/** Change of a note, a small text that the store keeps beside the plants under a name. */
export interface NoteChange {
  readonly name: string
  /** Expected text; undefined: the note does not exist. */
  readonly before: string | undefined
  /** New text, which the note never had before. */
  readonly after: string
}

/** Statements that need no batch. A read sees every create that was acknowledged before. */
interface Statements {
  /** @returns the document of the plant; undefined when there is no such plant */
  get(id: bigint): Promise<string | undefined>
  /** @returns the text of the note; undefined when there is none */
  note(name: string): Promise<string | undefined>
  /**
   * Replaces documents and changes a note, durably and in one transaction.
   * @returns false when the note or a document differs from its expected text; nothing is changed then
   * @throws {NotesRefused}
   */
  rewrite(replacements: readonly Replacement[], note: NoteChange): Promise<boolean>
}

/** Store of plants. Reads and rewrites reject with {StoreUnavailable} when the store cannot answer now. */
export interface Store extends Statements, Pick<BatchStore, 'wal'> {
  /** Number of creates that wait. */
  readonly depth: number
  /**
   * Stores the plant unless its id is taken.
   * @throws {StoreOverloaded} at once, when the queue is full; nothing is stored
   * @throws {StoreUnavailable} when it could not be committed in time; a retry is safe
   * @throws {PlantRefused} when the database refuses this plant, which it would do again
   */
  create(plant: StoredPlant): Promise<CreateOutcome>
  /** @returns plants in id order; fewer than `limit` when they are many or large, none only after the last */
  page(range: PageRange): Promise<readonly StoredPlant[]>
  /** Resolves to true when a create would probably succeed now. Never rejects. */
  ready(): Promise<boolean>
  /** Commits the accepted creates, then closes files, threads and connections. */
  close(): Promise<void>
}

/** Error for a create when the queue is full. */
export class StoreOverloaded extends Error {
  override readonly name = 'StoreOverloaded'
}

/** Error for a store that cannot answer now: disk full, lock held, connection lost. The cause is for the log only. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** Error for a plant that the database refuses: a constraint, a missing partition. The cause is for the log only. */
export class PlantRefused extends Error {
  override readonly name = 'PlantRefused'
}

/** Error for a note in a store that keeps none, because the role of the database may not create or use their table. */
export class NotesRefused extends Error {
  override readonly name = 'NotesRefused'
}

/** Documents that were already stored under ids of a batch; undefined when there were none. */
export type Standing = Map<bigint, string> | undefined

/**
 * Port between group commit and the adapters (sqlite, postgres). An adapter commits batches only; group commit decides
 * the queue, order and time-outs of creates for all adapters.
 */
export interface BatchStore extends Statements {
  /** Maximum of batches that are committed at the same time. */
  readonly concurrency: number
  /** Size and checkpoints of a write-ahead log, for metrics. */
  readonly wal?: { readonly bytes: () => number; readonly checkpoints: () => number } | undefined
  /**
   * Stores every plant of the batch whose id is not taken, in one transaction and with one flush.
   * @param batch plants of distinct ids
   * @param timeout time in ms after which the adapter may give up
   * @returns the documents of taken ids; every other plant was stored
   */
  commit(batch: readonly StoredPlant[], timeout: number): Promise<Standing>
  /** @returns at most `limit` plants from this id on, in id order; none only after the last */
  page(from: bigint, limit: number): Promise<readonly StoredPlant[]>
  /** Resolves to true when a commit would be likely to succeed now. May reject, or not answer in time. */
  ready(): Promise<boolean>
  close(): Promise<void>
}

/** Error at open. The message is one sentence for the operator and contains no password. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError'
}

export const minId = -(2n ** 63n)
export const maxId = 2n ** 63n - 1n

/** Plants of one page, where all are read. */
const pageSize = 1_000

/** Iterates over pages of all plants in id order. Reads one page ahead; holds no lock, cursor or snapshot. */
export async function* everyPage(store: Store, after?: bigint): AsyncGenerator<readonly StoredPlant[]> {
  let reading = store.page({ after, limit: pageSize })
  for (;;) {
    const page = await reading
    const last = page.at(-1)
    if (last === undefined) return
    reading = store.page({ after: last.id, limit: pageSize })
    // A caller that ends the iteration early does not await it.
    void Promise.allSettled([reading])
    yield page
  }
}

/** Returns the result of the work, or of `late` when the work takes longer. */
export function within<T>(ms: number, work: Promise<T>, late: () => T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  return Promise.race([work, promise.then(late)]).finally(() => clearTimeout(timer))
}
