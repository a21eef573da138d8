import { Mistake } from '@contract-first/cli/command'
import { loadEnvFile, readConfig } from '@contract-first/service/config'
import { StartError } from '@contract-first/service/start-error'
import { type OpenStoreOptions, openStore } from '../../src/open-store.ts'
import { variables } from '../../src/plants/product.ts'
import type { Store } from '../../src/store/store.ts'
import { StoreOpenError } from '../../src/store/store.ts'

/**
 * Opens the store of DATABASE_URL for one piece of work, and closes it.
 * @throws {Mistake} for a wrong DATABASE_URL, and for a store that cannot be opened; the options decide if a missing
 * one is created
 */
export async function withStore<T>(
  work: (store: Store) => Promise<T>,
  options: OpenStoreOptions = { mustExist: true }
): Promise<T> {
  try {
    const { databaseUrl } = readConfig(storeEnvironment(), variables)
    return await workOn(await openStore(databaseUrl, options), work)
  } catch (error) {
    if (error instanceof StartError) throw new Mistake(error.problems)
    throw error instanceof StoreOpenError ? new Mistake([error.message]) : error
  }
}

async function workOn<T>(store: Store, work: (store: Store) => Promise<T>): Promise<T> {
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/**
 * Returns `DATABASE_URL` and the variables of libpq only, also from `.env`, because the commands need no other variable
 * of the server.
 */
function storeEnvironment(): Record<string, string | undefined> {
  loadEnvFile(process.loadEnvFile)
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(DATABASE_URL$|PG)/.test(name)))
}
