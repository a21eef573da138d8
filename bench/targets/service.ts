/**
 * The whole service on a store that keeps nothing and answers in the next event-loop turn: a create without a database.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { runMain } from '@contract-first/service'
import manifest from '../../package.json' with { type: 'json' }
import { variables } from '../../src/plants/product.ts'
import { tuneV8 } from '../../src/process.ts'
import { GroupCommit } from '../../src/store/group-commit.ts'
import type { BatchStore } from '../../src/store/store.ts'

const nothing: BatchStore = {
  concurrency: 1,
  commit: async () => {
    await nextTurn()
    return new Map()
  },
  get: async () => undefined,
  page: async () => [],
  note: async () => undefined,
  rewrite: async () => true,
  ready: async () => true,
  close: async () => undefined
}

/** Runs the service with the configuration of the environment; prints its URL. */
export async function runService(): Promise<void> {
  await runMain({
    manifest,
    ...variables,
    contract: async () => (await import('../../generated/contract.ts')).default,
    service: async () => {
      const { start: _, stop: __, ...plantStore } = (await import('../../src/app.ts')).plantStore
      return { ...plantStore, openStore: async () => new GroupCommit(nothing) }
    }
  })
  tuneV8()
}
