import { variables } from '../../src/plants/product.ts'
import { readConfig } from '../../src/service/config/config.ts'
import { type OpenStoreOptions, openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { Mistake, storeEnvironment } from './command.ts'

/**
 * Opens the store of DATABASE_URL for one piece of work, and closes it.
 * @throws {Mistake} for a wrong DATABASE_URL; a store that does not exist is not created, unless the options say so
 */
export async function withStore<T>(
  work: (store: Store) => Promise<T>,
  options: OpenStoreOptions = { mustExist: true }
): Promise<T> {
  const read = readConfig(storeEnvironment(), variables)
  if ('problems' in read) throw new Mistake(read.problems)
  const store = await openStore(read.config.databaseUrl, options)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
