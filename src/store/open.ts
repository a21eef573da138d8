import { resolve } from 'node:path'
import { type BatchStore, StoreOpenError } from './batch-store.ts'
import { GroupCommit, type GroupCommitOptions } from './group-commit.ts'
import { PostgresStore } from './postgres/postgres.ts'
import { parsePostgresUrl } from './postgres/url.ts'
import { SqliteStore } from './sqlite/sqlite.ts'

export { StoreOpenError } from './batch-store.ts'

export interface OpenStoreOptions extends GroupCommitOptions {
  /** Milliseconds to wait for locks of other processes, or for a server, at open. */
  readonly openTimeout?: number
}

const adapters = new Map<string | undefined, (databaseUrl: string, timeout: number) => Promise<BatchStore>>([
  ['sqlite', openSqlite],
  ['postgres', openPostgres],
  ['postgresql', openPostgres]
])

/**
 * The store that the URL names, open and checked.
 * @param databaseUrl `sqlite:PATH`, `postgres://…` or `postgresql://…`
 * @throws {StoreOpenError}
 */
export async function openStore(databaseUrl: string, options: OpenStoreOptions = {}): Promise<GroupCommit> {
  const { openTimeout = 10_000, ...groupCommit } = options
  const open = adapters.get(/^(\w+):/.exec(databaseUrl)?.[1])
  if (!open) throw new StoreOpenError('DATABASE_URL must be sqlite:PATH or postgres://…')
  return new GroupCommit(await open(databaseUrl, openTimeout), groupCommit)
}

async function openSqlite(databaseUrl: string, timeout: number): Promise<SqliteStore> {
  const path = databaseUrl.slice('sqlite:'.length)
  // To SQLite these two are databases that are gone when they are closed.
  if (path === '' || path === ':memory:')
    throw new StoreOpenError('DATABASE_URL sqlite:PATH must name a file')
  return SqliteStore.open(resolve(path), timeout)
}

async function openPostgres(databaseUrl: string): Promise<PostgresStore> {
  return PostgresStore.open(parsePostgresUrl(databaseUrl))
}
