import { type Batch, distinct, halves, rejectAll, resolveAll, resolveCreated } from './batch.ts'
import type { BatchStore, Standing } from './batch-store.ts'
import { PlantRefused, type StoredPlant } from './store.ts'

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
  const { promise, resolve, reject } = Promise.withResolvers<Standing>()
  const timer = setTimeout(() => reject(new Error('the store does not answer')), timeout + graceMs)
  store.commit(plants, timeout).then(resolve, reject)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
  }
}
