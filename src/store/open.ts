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
}

type Open = (databaseUrl: string, timeout: number | undefined) => Promise<BatchStore>

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
  const { openTimeout, ...groupCommit } = options
  const open = adapters.get(/^(\w+):/.exec(databaseUrl)?.[1])
  if (!open) throw new StoreOpenError('DATABASE_URL must be sqlite:PATH or postgres://…')
  return new GroupCommit(await open(databaseUrl, openTimeout), groupCommit)
}

async function openSqlite(databaseUrl: string, timeout = 10_000): Promise<BatchStore> {
  const path = databaseUrl.slice('sqlite:'.length)
  // SQLite discards databases of these two names when they are closed.
  if (path === '' || path === ':memory:')
    throw new StoreOpenError('DATABASE_URL sqlite:PATH must name a file')
  return SqliteStore.open(resolve(path), timeout)
}

async function openPostgres(databaseUrl: string, timeout: number | undefined): Promise<BatchStore> {
  return PostgresStore.open(parsePostgresUrl(databaseUrl), timeout)
}
