/** Batches of creates, their outcomes, and the errors of the store. */
import {
  type BatchStore,
  type CreateOutcome,
  NotesRefused,
  PlantRefused,
  type Standing,
  type StoredPlant,
  StoreUnavailable
} from './store.ts'

export interface Waiting {
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
export type Batch = readonly [Waiting, ...Waiting[]]

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

/** Resolves a batch of distinct ids, none of which was taken. */
function resolveCreated(batch: Batch): void {
  for (const { resolve } of batch) resolve('created')
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

/**
 * Rejects every create.
 * @returns the cause, for the log
 */
function rejectAll(batch: Batch, cause: unknown): unknown {
  const error =
    cause instanceof PlantRefused ? cause : new StoreUnavailable('the store cannot commit now', { cause })
  for (const { reject } of batch) reject(error)
  return cause
}

/** @throws {NotesRefused | StoreUnavailable} the cause of an operation that needs no batch */
export function refuseRead(cause: unknown): never {
  throw cause instanceof NotesRefused ? cause : new StoreUnavailable('the store cannot answer now', { cause })
}

/** @returns two batches in arrival order; undefined for a single create */
function halves(batch: Batch): readonly [Batch, Batch] | undefined {
  const middle = Math.ceil(batch.length / 2)
  const [first, ...others] = batch.slice(middle)
  return first === undefined
    ? undefined
    : [
        [batch[0], ...batch.slice(1, middle)],
        [first, ...others]
      ]
}

/** Time in ms after the deadline in which an adapter may still report a reason; afterwards it counts as hung. */
const graceMs = 1_000

/**
 * Commits the batch and settles its creates. Splits a batch with a refused plant in halves, so that only this plant
 * fails.
 * @param now monotonic clock in ms
 * @returns the cause of a failure
 */
export async function settle(store: BatchStore, batch: Batch, now: () => number): Promise<unknown> {
  try {
    const plants = distinct(batch)
    const standing = await inTime(store, plants, batch[0].deadline - now())
    if (!standing?.size && plants.length === batch.length) resolveCreated(batch)
    else resolveAll(batch, standing)
    return undefined
  } catch (cause) {
    const [first, second] = (cause instanceof PlantRefused && halves(batch)) || []
    if (first === undefined || second === undefined) return rejectAll(batch, cause)
    const failure = await settle(store, first, now)
    return (await settle(store, second, now)) ?? failure
  }
}

async function inTime(store: BatchStore, plants: readonly StoredPlant[], timeout: number): Promise<Standing> {
  if (timeout <= 0) throw new Error('the store was busy for too long')
  return within(timeout + graceMs, store.commit(plants, timeout), () => {
    throw new Error('the store does not answer')
  })
}

/** Returns the result of the work, or of `late` when the work takes longer. */
export function within<T>(ms: number, work: Promise<T>, late: () => T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  return Promise.race([work, promise.then(late)]).finally(() => clearTimeout(timer))
}

/** Returns the result of a probe; false when it takes longer. */
export const probeWithin = (ms: number, probe: Promise<boolean>): Promise<boolean> =>
  within(ms, probe, () => false)
