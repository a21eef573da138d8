/** The whole service on a store that keeps nothing and answers in the next event-loop turn: all of a create but the database. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { plantStore } from '../../src/app.ts'
import { defaults } from '../../src/plants/product.ts'
import { readConfig } from '../../src/service/config/config.ts'
import { createLog, jsonLines } from '../../src/service/observability/log.ts'
import { startService } from '../../src/service/run.ts'
import type { BatchStore } from '../../src/store/batch-store.ts'
import { GroupCommit } from '../../src/store/group-commit.ts'

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

/** @returns its URL */
export async function serveService(token: string): Promise<string> {
  const environment = { PORT: '0', AUTH_TOKENS: token, LOG_LEVEL: 'warn' }
  const read = readConfig(environment, defaults)
  if ('problems' in read) throw new Error(read.problems.join('; '))
  const { background: _, ...definition } = plantStore
  const service = { ...definition, openStore: async () => new GroupCommit(nothing) }
  const { url } = await startService(service, read.config, createLog('warn', jsonLines(1)))
  return url
}
