/** Opens the store that DATABASE_URL names. */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { StoreOrigin } from '@contract-first/service'
import { GroupCommit, type GroupCommitOptions } from './store/group-commit.ts'
import { type BatchStore, type Store, StoreOpenError } from './store/store.ts'

export interface OpenStoreOptions extends GroupCommitOptions {
  /** Refuses a file or a table that is missing instead of creating it. */
  readonly mustExist?: boolean
  /** Makes a missing folder of a file; false: refuses the file. */
  readonly makesFolders?: boolean
  readonly onOpen?: (origin: StoreOrigin) => void
  readonly log?: { readonly warn: (fields: object, message: string) => void }
}

/**
 * Opens and checks the store that the URL names. Loads the code of its kind only, because that of the other kind would
 * delay the start.
 * @param databaseUrl `sqlite:PATH`, `postgres://…` or `postgresql://…`
 * @throws {StoreOpenError}
 */
export async function openStore(databaseUrl: string, options: OpenStoreOptions = {}): Promise<Store> {
  if (databaseUrl.startsWith('sqlite:'))
    return new GroupCommit(await openSqlite(databaseUrl.slice('sqlite:'.length), options), options)
  if (/^postgres(ql)?:/.test(databaseUrl))
    return new GroupCommit(await openPostgres(databaseUrl, options), options)
  throw new StoreOpenError('DATABASE_URL must be sqlite:PATH or postgres://…')
}

async function openSqlite(
  name: string,
  { mustExist = false, makesFolders = true, onOpen, log }: OpenStoreOptions
): Promise<BatchStore> {
  // SQLite discards databases of these names when they are closed.
  if (name === '' || name === ':memory:')
    throw new StoreOpenError('DATABASE_URL sqlite:PATH must name a file')
  const path = resolve(name)
  const isNew = !existsSync(path)
  if (mustExist && isNew) throw new StoreOpenError(`${path} does not exist`)
  if (!makesFolders && !existsSync(dirname(path)))
    throw new StoreOpenError(`the folder ${dirname(path)} does not exist: make it, or mount its volume`)
  const { SqliteStore } = await import('./store/sqlite/sqlite.ts')
  const store = await SqliteStore.open(path, (err) =>
    log?.warn({ err }, 'the thread of checkpoints ended: until the next start, commits make them')
  )
  onOpen?.({ kind: 'sqlite', location: path, isNew })
  return store
}

async function openPostgres(
  databaseUrl: string,
  { mustExist, onOpen }: OpenStoreOptions
): Promise<BatchStore> {
  const [{ PostgresStore }, { parsePostgresUrl }] = await Promise.all([
    import('./store/postgres/postgres.ts'),
    import('./store/postgres/url.ts')
  ])
  const target = parsePostgresUrl(databaseUrl)
  const store = await PostgresStore.open(target, mustExist)
  const location = target.hosts.map(({ host, port }) => `${host}:${port}`).join(',')
  onOpen?.({ kind: 'postgres', location, isNew: store.isNew })
  return store
}
