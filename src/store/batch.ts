/** Batches of creates, their outcomes, and the errors of the store. */
import type { CreateOutcome, StoredPlant } from './store.ts'
import { NotesRefused, PlantRefused, StoreUnavailable } from './store.ts'

/** Create without an outcome yet. */
export interface Waiting {
  readonly plant: StoredPlant
  /** Time of `performance.now()`. */
  readonly deadline: number
  readonly resolve: (outcome: CreateOutcome) => void
  readonly reject: (error: Error) => void
}

/** Commit that has ended. */
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
export function distinct(batch: Batch): StoredPlant[] {
  const ids = new Set(batch.map(({ plant }) => plant.id))
  if (ids.size === batch.length) return batch.map(({ plant }) => plant)
  const plants = new Map<bigint, StoredPlant>()
  for (const { plant } of batch) {
    if (!plants.has(plant.id)) plants.set(plant.id, plant)
  }
  return [...plants.values()]
}

/** Resolves a batch of distinct ids, none of which was taken. */
export function resolveCreated(batch: Batch): void {
  for (const { resolve } of batch) resolve('created')
}

/**
 * Resolves all creates in the order of their arrival. The first create of an id is compared with the stored plant,
 * later ones with the plant stored by this batch.
 */
export function resolveAll(batch: Batch, standing = new Map<bigint, string>()): void {
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
export function rejectAll(batch: Batch, cause: unknown): unknown {
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
export function halves(batch: Batch): readonly [Batch, Batch] | undefined {
  const middle = Math.ceil(batch.length / 2)
  const [first, ...others] = batch.slice(middle)
  return first === undefined
    ? undefined
    : [
        [batch[0], ...batch.slice(1, middle)],
        [first, ...others]
      ]
}
