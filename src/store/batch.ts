/** Creates that are committed together, and what becomes of each. */
import type { CreateOutcome, StoredPlant } from './store.ts'
import { StoreUnavailable } from './store.ts'

/** A create that has no outcome yet. */
export interface Waiting {
  readonly plant: StoredPlant
  /** Of `performance.now()`. */
  readonly deadline: number
  readonly resolve: (outcome: CreateOutcome) => void
  readonly reject: (error: Error) => void
}

/** Never empty. */
export type Batch = readonly [Waiting, ...Waiting[]]

/** The first plant of every id: it alone can be stored. */
export function distinct(batch: Batch): StoredPlant[] {
  const plants = new Map<bigint, StoredPlant>()
  for (const { plant } of batch) {
    if (!plants.has(plant.id)) plants.set(plant.id, plant)
  }
  return [...plants.values()]
}

/** In arrival order: the first create of an id meets what stood before, the others meet what stands since. */
export function settle(batch: Batch, standing: Map<bigint, string>): void {
  for (const { plant, resolve } of batch) {
    const document = standing.get(plant.id)
    if (document === undefined) {
      standing.set(plant.id, plant.document)
      resolve('created')
    } else resolve(document === plant.document ? 'replayed' : 'taken')
  }
}

/** @returns the cause, for the log */
export function fail(batch: Batch, cause: unknown): unknown {
  const error = new StoreUnavailable('the store can not commit now', { cause })
  for (const { reject } of batch) reject(error)
  return cause
}
