/** Starts the service in this process, as production builds it, with a SQLite store and a TCP socket. */
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { buildApp } from '../../../src/app.ts'
import { openStore } from '../../../src/open-store.ts'
import { variables } from '../../../src/plants/product.ts'
import { readConfig } from '../../../src/service/config/config.ts'
import { createTokenVerifier, digestOf } from '../../../src/service/credentials/tokens.ts'
import { createLog } from '../../../src/service/observability/log.ts'
import type { Store } from '../../../src/store/store.ts'
import { token } from './row.ts'

export interface Listening {
  readonly app: FastifyInstance
  readonly port: number
  readonly store: Store
  /** Returns the whole log. */
  readonly log: () => string
}

export async function listening(
  t: Test,
  environment: Readonly<Record<string, string>> = {}
): Promise<Listening> {
  const databaseUrl = `sqlite:${join(t.testdir(), 'plants.db')}`
  const config = readConfig({ AUTH_TOKENS: token, DATABASE_URL: databaseUrl, ...environment }, variables)
  const store = await openStore(databaseUrl)
  const lines: string[] = []
  const app = await buildApp({
    config,
    store,
    authenticate: createTokenVerifier([{ digest: digestOf(token), scopes: [] }]),
    log: createLog('trace', { write: (line) => void lines.push(line) })
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(async () => {
    app.server.closeAllConnections()
    await app.close()
    await store.close()
  })
  return { app, port: Number(new URL(address).port), store, log: () => lines.join('') }
}
