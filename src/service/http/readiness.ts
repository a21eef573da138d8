/** Asks the store of a project if it is ready. */
import { setTimeout as sleep } from 'node:timers/promises'
import { logSafely } from '@contract-first/engine/errors'
import type { FastifyBaseLogger } from 'fastify'
import type { StoreOrNone } from '../definition.ts'

/** Longest time in ms for an answer of the store: health checks of orchestrators wait a few seconds. */
const maxAnswerMs = 2_000

/**
 * Returns a function that resolves to true if the store is ready. An error and an answer that is late count as false; a
 * question without an answer is not asked again.
 */
export function storeReadiness(
  store: StoreOrNone,
  log: FastifyBaseLogger | undefined,
  maxMs = maxAnswerMs
): () => Promise<boolean> {
  if (store === undefined) return async () => true
  let asked: Promise<boolean> | undefined
  return async () => {
    asked ??= isReady(store, log).finally(() => {
      asked = undefined
    })
    return Promise.race([asked, sleep(maxMs, false, { ref: false })])
  }
}

async function isReady(
  store: NonNullable<StoreOrNone>,
  log: FastifyBaseLogger | undefined
): Promise<boolean> {
  try {
    return (await store.ready()) === true
  } catch (err) {
    if (log !== undefined) logSafely(log, 'error', { err, callback: 'store.ready' }, 'store.ready failed')
    return false
  }
}
