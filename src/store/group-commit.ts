import type { Batch, Waiting } from './batch.ts'
import type { BatchStore } from './batch-store.ts'
import { everyPlant } from './every-plant.ts'
import { settle } from './settle.ts'
import type { CreateOutcome, NoteChange, PageRange, Replacement, Store, StoredPlant } from './store.ts'
import { StoreOverloaded, StoreUnavailable } from './store.ts'

/** A commit that has ended. */
export interface Commit {
  /** Creates of its batch. */
  readonly size: number
  readonly milliseconds: number
  /** The cause of its failure, for the log only; undefined after success. */
  readonly error: unknown
}

export interface GroupCommitOptions {
  /** Creates that may wait for a batch. */
  readonly maxWaiting?: number
  /** Characters of documents that may wait for a batch; a lone larger one still passes. */
  readonly maxWaitingCharacters?: number
  /** Milliseconds from the call until a create is given up. */
  readonly timeout?: number
  readonly onCommit?: (commit: Commit) => void
  /** Returns milliseconds that never go back. */
  readonly now?: () => number
}

const maxBatch = 1_000
const maxBatchCharacters = 4 * 1024 * 1024
/** Part of the creates under way that starts at once, and its least number: smaller batches cost more than their overlap saves. */
const part = 0.6
const minShare = 16
/** Milliseconds that a create waits for others to share a batch with. */
const maxDelayMs = 10

/**
 * Group commit: creates that arrive while a batch is being committed form the next one, so that they share one flush.
 * No create waits for a batch to fill: one that finds the store idle is committed at once.
 */
export class GroupCommit implements Store {
  readonly #store: BatchStore
  readonly #options: Required<GroupCommitOptions>
  #waiting: Waiting[] = []
  #characters = 0
  #committing = 0
  /** Creates in the batches that are being committed. */
  #inFlight = 0
  /**
   * The share of the creates that were under way when a batch ended. So many start at once, where batches overlap: the
   * database commits them while the others are read and answered.
   */
  #share = Number.POSITIVE_INFINITY
  /** The time by which the scheduled batch should begin; undefined without one. */
  #due: number | undefined
  #delay: NodeJS.Timeout | undefined
  #closing: Promise<void> | undefined
  #onIdle: (() => void) | undefined

  constructor(store: BatchStore, options: GroupCommitOptions = {}) {
    this.#store = store
    this.#options = {
      maxWaiting: 2_048,
      maxWaitingCharacters: 64 * 1024 * 1024,
      timeout: 10_000,
      onCommit: () => {},
      now: () => performance.now(),
      ...options
    }
  }

  /** Creates that wait for a batch. */
  get depth(): number {
    return this.#waiting.length
  }

  create(plant: StoredPlant): Promise<CreateOutcome> {
    if (this.#closing) return Promise.reject(new StoreUnavailable('the store is closing'))
    const now = this.#options.now()
    if (this.#due !== undefined && now > this.#due) this.#startBatches()
    if (this.#isFull(plant)) return Promise.reject(new StoreOverloaded('too many creates are waiting'))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ plant, deadline: now + this.#options.timeout, resolve, reject })
      this.#characters += plant.document.length
      if (this.#waiting.length >= this.#share) this.#startBatches()
      else this.#schedule()
    })
  }

  get(id: bigint): Promise<string | undefined> {
    return this.#read(() => this.#store.get(id))
  }

  page(range: PageRange): Promise<readonly StoredPlant[]> {
    return this.#read(() => this.#store.page(range))
  }

  note(name: string): Promise<string | undefined> {
    return this.#read(() => this.#store.note(name))
  }

  rewrite(replacements: readonly Replacement[], note: NoteChange): Promise<boolean> {
    return this.#read(() => this.#store.rewrite(replacements, note))
  }

  export(): AsyncIterable<StoredPlant> {
    return everyPlant(this)
  }

  async ready(): Promise<boolean> {
    return !this.#closing && (await this.#store.ready())
  }

  close(): Promise<void> {
    this.#closing ??= this.#drain().then(() => this.#store.close())
    return this.#closing
  }

  /** Passes on at once whatever need not wait for a batch. */
  async #read<T>(read: () => Promise<T>): Promise<T> {
    if (this.#closing) throw new StoreUnavailable('the store is closing')
    return read().catch((cause: unknown) => {
      throw new StoreUnavailable('the store cannot answer now', { cause })
    })
  }

  #isFull({ document }: StoredPlant): boolean {
    const { maxWaiting, maxWaitingCharacters } = this.#options
    if (this.#waiting.length === 0) return false
    return this.#waiting.length >= maxWaiting || this.#characters + document.length > maxWaitingCharacters
  }

  /**
   * Runs once per event-loop turn, after its input was read: creates that arrived together are committed together. After
   * several arrived, the next turn is likely to bring more. With thousands of busy connections a turn takes seconds: then
   * the next create starts the batch that is due.
   */
  #schedule(): void {
    if (this.#due !== undefined || this.#committing >= this.#store.concurrency) return
    this.#due = this.#options.now() + maxDelayMs
    setImmediate(() => {
      if (this.#waiting.length > 1) setImmediate(() => this.#startBatches())
      else this.#startBatches()
    })
  }

  #startBatches(): void {
    this.#due = undefined
    clearTimeout(this.#delay)
    while (this.#isWorthBatch()) void this.#commit(this.#takeBatch())
    if (this.#waiting.length > 0 && this.#committing < this.#store.concurrency)
      this.#delay = setTimeout(() => this.#startBatches(), maxDelayMs)
    if (this.#waiting.length === 0 && this.#committing === 0) this.#onIdle?.()
  }

  /**
   * Beside other batches in flight, a batch is worth its round trip when it is about as large as they are, or a share of all.
   * Until then its creates wait until one of the others ends, or for `maxDelayMs` when those hang.
   */
  #isWorthBatch(): boolean {
    const [oldest] = this.#waiting
    if (oldest === undefined || this.#committing >= this.#store.concurrency) return false
    if (this.#committing === 0) return true
    const waited = this.#options.timeout - (oldest.deadline - this.#options.now())
    const enough = Math.min(this.#share, this.#inFlight / this.#committing)
    return this.#waiting.length >= enough || waited >= maxDelayMs
  }

  #takeBatch(): Batch {
    let size = 0
    let characters = 0
    for (const { plant } of this.#waiting) {
      if (size > 0 && (size === maxBatch || characters + plant.document.length > maxBatchCharacters)) break
      size++
      characters += plant.document.length
    }
    this.#characters -= characters
    return this.#waiting.splice(0, size) as [Waiting, ...Waiting[]]
  }

  async #commit(batch: Batch): Promise<void> {
    const began = this.#options.now()
    this.#committing++
    this.#inFlight += batch.length
    const error = await settle(this.#store, batch, this.#options.now)
    if (this.#store.concurrency > 1)
      this.#share = Math.max(minShare, (this.#waiting.length + this.#inFlight) * part)
    this.#committing--
    this.#inFlight -= batch.length
    this.#options.onCommit({ size: batch.length, milliseconds: this.#options.now() - began, error })
    this.#schedule()
  }

  async #drain(): Promise<void> {
    const { promise: idle, resolve } = Promise.withResolvers<void>()
    this.#onIdle = resolve
    this.#startBatches()
    await idle
  }
}
