/**
 * Tells the tests of this service what only you know: data, credentials, and values of requests. They make the rest from
 * the contract.
 */
import { randomUUID } from 'node:crypto'
import type { Credentials, Fixtures } from '@contract-first/compiler/smoke-test'
import type { CoverageBounds } from '@contract-first/engine/coverage'
import type { ContractClient, SecurityHandlers } from '../generated/types.ts'
import { passwordHash, sessionDigest } from '../src/passwords.ts'
import type { Store } from '../src/store/store.ts'
import { insertTicket } from '../src/store/tickets.ts'

const [id, email, password] = [randomUUID(), 'first@example.com', 'correct horse battery']

/** Fills the empty database of the test: a customer with a session, an open ticket with a file, and a closed one. */
export async function seed(store: Store): Promise<void> {
  const salt = new Uint8Array(16)
  const customer = { id, email, salt, hash: await passwordHash(password, salt) }
  await store.db.insertInto('customers').values(customer).execute()
  const session = { digest: sessionDigest('session-of-first'), customer: id, expires: Date.now() + 600_000 }
  await store.db.insertInto('sessions').values(session).execute()
  for (const title of ['open', 'closed']) await insertTicket(store, id, { title, text: '' })
  await store.db.updateTable('tickets').set({ status: 'closed' }).where('id', '=', 2).execute()
  await store.db.insertInto('attachments').values({ ticket: 1, name: 'a', content: salt }).execute()
}

/** Variables of the environment that the service needs. */
export const environment: Readonly<Record<string, string>> = {
  TRUST_PROXY: 'true',
  WEBHOOK_SECRET: 'a secret of the mail service, of 32 characters or more',
  AUTH_TOKENS_FILE: `${import.meta.dirname}/tokens`
}

/** A credential for each security scheme that src/security.ts accepts. */
export const credentials: Credentials<SecurityHandlers> = { session: 'session-of-first', agent: 'all' }

/** Values of requests by operation, such as `getItem: { params: { id: 1 } }` for one that `seed` has made. */
export const fixtures: Fixtures<ContractClient> = {
  registerCustomer: { body: { email: 'second@example.com', password } },
  logIn: { body: { email, password } },
  getTicket: { params: { id: 1 } },
  changeTicket: { params: { id: 1 }, body: { title: 'changed' } },
  deleteTicket: { params: { id: 2 } },
  attachFile: { params: { id: 1 } },
  downloadFile: { params: { id: 1, attachment: 1 } }
}

/** Least share of the contract that the test has to see, in percent; raise it as you write handlers. */
export const bounds: CoverageBounds = { operations: 100, statuses: 0, mediaTypes: 0, parameters: 0 }
