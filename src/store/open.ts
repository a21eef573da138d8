import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type BatchStore, StoreOpenError } from './batch-store.ts'
import { GroupCommit, type GroupCommitOptions } from './group-commit.ts'
import { PostgresStore } from './postgres/postgres.ts'
import { parsePostgresUrl } from './postgres/url.ts'
import { SqliteStore } from './sqlite/sqlite.ts'
import type { Store } from './store.ts'

export { StoreOpenError } from './batch-store.ts'

export interface OpenStoreOptions extends GroupCommitOptions {
  /**
   * Milliseconds to wait at open for locks of other processes, or for a server.
   * Default: 10 seconds for a file; for a server the `connect_timeout` of each host.
   */
  readonly openTimeout?: number
  /** Refuses a file that is missing instead of creating it. */
  readonly mustExist?: boolean
}

type Open = (databaseUrl: string, options: OpenStoreOptions) => Promise<BatchStore>

const adapters: ReadonlyMap<string | undefined, Open> = new Map([
  ['sqlite', openSqlite],
  ['postgres', openPostgres],
  ['postgresql', openPostgres]
])

/**
 * Opens and checks the store that the URL names.
 * @param databaseUrl `sqlite:PATH`, `postgres://…` or `postgresql://…`
 * @throws {StoreOpenError}
 */
export async function openStore(databaseUrl: string, options: OpenStoreOptions = {}): Promise<Store> {
  const open = adapters.get(/^(\w+):/.exec(databaseUrl)?.[1])
  if (!open) throw new StoreOpenError('DATABASE_URL must be sqlite:PATH or postgres://…')
  return new GroupCommit(await open(databaseUrl, options), options)
}

async function openSqlite(
  databaseUrl: string,
  { openTimeout = 10_000, mustExist }: OpenStoreOptions
): Promise<BatchStore> {
  const path = databaseUrl.slice('sqlite:'.length)
  // SQLite discards databases of these two names when they are closed.
  if (path === '' || path === ':memory:')
    throw new StoreOpenError('DATABASE_URL sqlite:PATH must name a file')
  if (mustExist === true && !existsSync(path)) throw new StoreOpenError(`${resolve(path)} does not exist`)
  return SqliteStore.open(resolve(path), openTimeout)
}

async function openPostgres(databaseUrl: string, { openTimeout }: OpenStoreOptions): Promise<BatchStore> {
  return PostgresStore.open(parsePostgresUrl(databaseUrl), openTimeout)
}
