/** Opens the service for a test, without a port, and calls it by the client of its contract. */
import { createClient, injectFetch } from '@contract-first/engine/client'
import { contractCoverage } from '@contract-first/engine/coverage'
import type { Contract } from '@contract-first/engine/server'
import { buildApp } from '@contract-first/service'
import contract from '../generated/contract.ts'
import service from '../src/app.ts'
import { openStore } from '../src/store/store.ts'
import { credentials, environment, seed } from './fixtures.ts'

const { operations }: Pick<Contract, 'operations'> = contract
const scopes = operations.flatMap(({ security }) => security.flat().flatMap((each) => each.scopes))

/** Accepts the tokens of fixtures.ts; they carry every scope of the contract. */
const authenticate = (token: string) =>
  Object.values<unknown>(credentials).includes(token) ? { id: 'test', scopes, claims: {} } : undefined

/** Returns the service as production runs it, on a new database in memory that `seed` of fixtures.ts fills. */
export async function openService() {
  const store = await openStore('sqlite::memory:', { makesFolders: false })
  await seed(store)
  const coverage = contractCoverage(contract)
  const app = await buildApp(service, { store, environment, authenticate, coverage, onDefect: console.error })
  const fetch = injectFetch(app)
  return {
    store,
    app,
    /** Sends anything; the client sends only what the contract allows. */
    fetch,
    client: createClient(contract, { fetch, security: credentials }),
    /** What the requests have seen of the contract. */
    coverage,
    close: async () => {
      await app.close()
      await store.close()
    }
  }
}
