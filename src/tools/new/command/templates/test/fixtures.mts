/**
 * Tells the tests of this service what only you know: data, credentials, and values of requests. They make the rest from
 * the contract.
 */
import type { Credentials, Fixtures } from '@contract-first/compiler/smoke-test'
import type { CoverageBounds } from '@contract-first/engine/coverage'
import type { ContractClient, SecurityHandlers } from '../generated/types.ts'
import type { Store } from '../src/store/store.ts'

/** Fills the empty database of the test, such as `await store.db.insertInto('items').values({ id: 1 }).execute()`. */
export async function seed(_store: Store): Promise<void> {}

/** Variables of the environment that the service needs. */
export const environment: Readonly<Record<string, string>> = {}

/** A credential for each security scheme that src/security.ts accepts. */
export const credentials: Credentials<SecurityHandlers> = {
  // {{credentials}}
}

/** Values of requests by operation, such as `getItem: { params: { id: 1 } }` for one that `seed` has made. */
export const fixtures: Fixtures<ContractClient> = {}

/** Least share of the contract that the test has to see, in percent; raise it as you write handlers. */
export const bounds: CoverageBounds = { operations: 0, statuses: 0, mediaTypes: 0, parameters: 0 }
