/** Group commit: batches of creates, their outcomes, and the errors of the store. */
import {
  type BatchStore,
  type CreateOutcome,
  maxId,
  minId,
  type NoteChange,
  NotesRefused,
  type PageRange,
  PlantRefused,
  type Replacement,
  type Standing,
  type Store,
  type StoredPlant,
  StoreOverloaded,
  StoreUnavailable,
  within
} from './store.ts'

interface Waiting {
  readonly plant: StoredPlant
  /** Time of `performance.now()`. */
  readonly deadline: number
  readonly resolve: (outcome: CreateOutcome) => void
  readonly reject: (error: Error) => void
}

export interface Commit {
  /** Number of creates in its batch. */
  readonly size: number
  readonly milliseconds: number
  /** Cause of its failure, for the log only; undefined after success. */
  readonly error: unknown
}

/** Creates that are committed together; never empty. */
type Batch = readonly Waiting[]

export interface GroupCommitOptions {
  /** Maximum of creates that wait for a batch. */
  readonly maxWaiting?: number
  /** Maximum of characters in the documents that wait for a batch; a single larger document is accepted. */
  readonly maxWaitingCharacters?: number
  /** Time after which a create is given up, in ms. */
  readonly timeout?: number
  /** Called after each commit; its errors are ignored. */
  readonly onCommit?: (commit: Commit) => void
  /** Monotonic clock in ms. */
  readonly now?: () => number
}

const maxBatch = 1_000
const maxBatchCharacters = 4 * 1024 * 1024
/** Share of the peak that makes a batch, and the minimum: smaller batches cost more than their overlap saves. */
const part = 0.6
const minShare = 16
/** Part of the peak that is left after a batch. */
const memory = 0.95
/** Longest time in ms that a create waits for others to share a batch with. */
const maxDelayMs = 10
/** Time in ms after which a store that does not answer a probe is not ready. */
const probeTimeout = 1_000

/**
 * Group commit: creates that arrive during a commit form the next batch, so that they share one flush. No create waits
 * for a batch to fill: an idle store commits it at once.
 */
export class GroupCommit implements Store {
  readonly wal: BatchStore['wal']
  readonly #store: BatchStore
  readonly #options: Required<GroupCommitOptions>
  #waiting: Waiting[] = []
  #characters = 0
  #committing = 0
  /** Number of creates in the batches that are being committed. */
  #inFlight = 0
  /** Most creates under way at the end of a batch, lately: one count misses those whose clients read answers. */
  #peak = 0
  /** Number of creates that make a batch where batches overlap: others are read and answered during its commit. */
  #share = Number.POSITIVE_INFINITY
  /** Time by which the scheduled batch should start; undefined without one. */
  #due: number | undefined
  #delay: NodeJS.Timeout | undefined
  #closing: Promise<void> | undefined
  #onIdle: (() => void) | undefined

  constructor(store: BatchStore, options: GroupCommitOptions = {}) {
    this.#store = store
    this.wal = store.wal
    this.#options = {
      maxWaiting: 2_048,
      maxWaitingCharacters: 64 * 1024 * 1024,
      timeout: 10_000,
      onCommit: () => {},
      now: () => performance.now(),
      ...options
    }
  }

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

  page({ after, limit }: PageRange): Promise<readonly StoredPlant[]> {
    const from = after === undefined ? minId : after + 1n
    return this.#read(async () => (from > maxId ? [] : this.#store.page(from, limit)))
  }

  note(name: string): Promise<string | undefined> {
    return this.#read(() => this.#store.note(name))
  }

  rewrite(replacements: readonly Replacement[], note: NoteChange): Promise<boolean> {
    return this.#read(() => this.#store.rewrite(replacements, note))
  }

  async ready(): Promise<boolean> {
    if (this.#closing) return false
    const probe = this.#store.ready().catch(() => false)
    return within(probeTimeout, probe, () => false)
  }

  close(): Promise<void> {
    this.#closing ??= this.#drain().then(() => this.#store.close())
    return this.#closing
  }

  /** Runs at once an operation that does not need a batch. */
  async #read<T>(read: () => Promise<T>): Promise<T> {
    if (this.#closing) throw new StoreUnavailable('the store is closing')
    return read().catch(refuseRead)
  }

  #isFull({ document }: StoredPlant): boolean {
    const { maxWaiting, maxWaitingCharacters } = this.#options
    if (this.#waiting.length === 0) return false
    return this.#waiting.length >= maxWaiting || this.#characters + document.length > maxWaitingCharacters
  }

  /**
   * Starts batches after the input of an event-loop turn was read, so that creates that arrive together are committed
   * together. Waits one more turn after several creates, because more are likely. With thousands of busy connections a
   * turn takes seconds: the next create then starts the batch that is due.
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
   * Returns true if a batch is worth its round trip. While others are in flight, it must be about as large as they are,
   * or have a share of all creates; otherwise its creates wait until another batch ends, at most `maxDelayMs`.
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
    return this.#waiting.splice(0, size)
  }

  async #commit(batch: Batch): Promise<void> {
    const began = this.#options.now()
    this.#committing++
    this.#inFlight += batch.length
    const error = await settle(this.#store, batch, this.#options.now)
    this.#peak = Math.max(this.#waiting.length + this.#inFlight, this.#peak * memory)
    if (this.#store.concurrency > 1) this.#share = Math.max(minShare, this.#peak * part)
    this.#committing--
    this.#inFlight -= batch.length
    this.#schedule()
    try {
      this.#options.onCommit({ size: batch.length, milliseconds: this.#options.now() - began, error })
    } catch {
      // The commit has ended, and its creates have their outcomes; nobody waits for this error.
    }
  }

  async #drain(): Promise<void> {
    const { promise: idle, resolve } = Promise.withResolvers<void>()
    this.#onIdle = resolve
    this.#startBatches()
    await idle
  }
}

/** @returns the first plant of each id, because no other one can be stored */
function distinct(batch: Batch): StoredPlant[] {
  const ids = new Set(batch.map(({ plant }) => plant.id))
  if (ids.size === batch.length) return batch.map(({ plant }) => plant)
  const plants = new Map<bigint, StoredPlant>()
  for (const { plant } of batch) {
    if (!plants.has(plant.id)) plants.set(plant.id, plant)
  }
  return [...plants.values()]
}

/**
 * Resolves all creates in the order of their arrival. The first create of an id is compared with the stored plant,
 * later ones with the plant stored by this batch.
 */
function resolveAll(batch: Batch, standing = new Map<bigint, string>()): void {
  for (const { plant, resolve } of batch) {
    const document = standing.get(plant.id)
    if (document === undefined) {
      standing.set(plant.id, plant.document)
      resolve('created')
    } else resolve(document === plant.document ? 'replayed' : 'taken')
  }
}

/** @throws {NotesRefused | StoreUnavailable} the cause of an operation that needs no batch */
function refuseRead(cause: unknown): never {
  throw cause instanceof NotesRefused ? cause : new StoreUnavailable('the store cannot answer now', { cause })
}

/** Time in ms after the deadline in which an adapter may still report a reason; afterwards it counts as hung. */
const graceMs = 1_000

/**
 * Commits the batch and settles its creates. Splits a batch with a refused plant in halves, so that only this plant
 * fails.
 * @param now monotonic clock in ms
 * @returns the cause of a failure
 */
async function settle(store: BatchStore, batch: Batch, now: () => number): Promise<unknown> {
  try {
    const plants = distinct(batch)
    const deadline = Math.min(...batch.map((each) => each.deadline))
    const standing = await inTime(store, plants, deadline - now())
    // Without taken and repeated ids, nothing is compared.
    if (!standing?.size && plants.length === batch.length) for (const { resolve } of batch) resolve('created')
    else resolveAll(batch, standing)
    return undefined
  } catch (cause) {
    const isRefused = cause instanceof PlantRefused
    if (isRefused && batch.length > 1) {
      const middle = Math.ceil(batch.length / 2)
      const failure = await settle(store, batch.slice(0, middle), now)
      return (await settle(store, batch.slice(middle), now)) ?? failure
    }
    const error = isRefused ? cause : new StoreUnavailable('the store cannot commit now', { cause })
    for (const { reject } of batch) reject(error)
    return cause
  }
}

async function inTime(store: BatchStore, plants: readonly StoredPlant[], timeout: number): Promise<Standing> {
  if (timeout <= 0) throw new Error('the store was busy for too long')
  return within(timeout + graceMs, store.commit(plants, timeout), () => {
    throw new Error('the store does not answer')
  })
}
