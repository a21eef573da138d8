/** Opens the store of a definition, if it has one. */

import { resultOf } from '@contract-first/engine/errors'
import type { FastifyBaseLogger } from 'fastify'
import type {
  AnyService,
  ServiceStore,
  Setting,
  StoreOptions,
  StoreOrigin,
  StoreOrNone
} from './definition.ts'
import type { Metrics } from './observability/metrics.ts'

interface Opened {
  readonly store: StoreOrNone
  readonly origin?: StoreOrigin | undefined
}

/** @throws {unknown} the errors of the definition's `openStore` */
export async function openStore(
  definition: AnyService,
  { config, log }: Setting,
  metrics: Metrics | undefined
): Promise<Opened> {
  if (definition.openStore === undefined) return { store: undefined }
  const observed = metrics?.watchStore()
  let origin: StoreOrigin | undefined
  const store = await definition.openStore(config.databaseUrl, {
    config,
    log,
    metrics: metrics?.registry,
    onCommit: commitReporter(log, observed?.commit),
    makesFolders: !config.production,
    onOpen: (found) => (origin = found)
  })
  if (store !== undefined && hasQueue(store)) observed?.watchQueue(() => depthOf(store, log))
  if (store?.wal !== undefined) observed?.watchWal(store.wal.bytes, store.wal.checkpoints)
  return { store, origin }
}

/** Returns true for a store that has a number of writes that wait, own or inherited. */
export const hasQueue = (store: ServiceStore): boolean => 'depth' in store

/** Returns the number of writes that wait; NaN, after a line in the log, where the store gives no number. */
export function depthOf(store: ServiceStore, log: FastifyBaseLogger): number {
  const accepts = (value: unknown) => typeof value === 'number'
  return resultOf('store.depth', log, { call: () => store.depth, accepts }) ?? Number.NaN
}

function commitReporter(
  log: FastifyBaseLogger,
  observe: StoreOptions['onCommit'] | undefined
): StoreOptions['onCommit'] {
  return (commit) => {
    observe?.(commit)
    if (commit.error !== undefined)
      log.error({ err: commit.error, creates: commit.size }, 'a batch could not be committed')
  }
}
