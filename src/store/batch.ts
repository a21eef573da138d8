/** Creates that are committed together, and their outcomes. */
import type { CreateOutcome, StoredPlant } from './store.ts'
import { PlantRefused, StoreUnavailable } from './store.ts'

/** A create that has no outcome yet. */
export interface Waiting {
  readonly plant: StoredPlant
  /** On the clock of `performance.now()`. */
  readonly deadline: number
  readonly resolve: (outcome: CreateOutcome) => void
  readonly reject: (error: Error) => void
}

/** Never empty. */
export type Batch = readonly [Waiting, ...Waiting[]]

/** @returns the first plant of every id: no other can be stored */
export function distinct(batch: Batch): StoredPlant[] {
  const ids = new Set(batch.map(({ plant }) => plant.id))
  if (ids.size === batch.length) return batch.map(({ plant }) => plant)
  const plants = new Map<bigint, StoredPlant>()
  for (const { plant } of batch) {
    if (!plants.has(plant.id)) plants.set(plant.id, plant)
  }
  return [...plants.values()]
}

/** For a batch of distinct ids, none of which was taken. */
export function resolveCreated(batch: Batch): void {
  for (const { resolve } of batch) resolve('created')
}

/**
 * Decides in arrival order. The first create of an id is compared with the stored plant, later ones with the plant stored
 * by this batch.
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

/** Rejects every create. @returns the cause, for the log */
export function rejectAll(batch: Batch, cause: unknown): unknown {
  const error =
    cause instanceof PlantRefused ? cause : new StoreUnavailable('the store cannot commit now', { cause })
  for (const { reject } of batch) reject(error)
  return cause
}

/** @returns two batches in arrival order; undefined for a lone create */
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
