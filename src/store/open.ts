import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { GroupCommit, type GroupCommitOptions } from './group-commit.ts'
import { type BatchStore, type Store, StoreOpenError } from './store.ts'

export interface OpenStoreOptions extends GroupCommitOptions {
  /**
   * Time in ms to wait at open for locks of other processes, or for a server. Default: 10 seconds for a file; for a
   * server the `connect_timeout` of each host.
   */
  readonly openTimeout?: number
  /** Refuses a file or a table that is missing instead of creating it. */
  readonly mustExist?: boolean
  /** Makes a missing folder of a file; false: refuses the file. */
  readonly makesFolders?: boolean
  readonly onOpen?: (origin: StoreOrigin) => void
  readonly log?: { readonly warn: (fields: object, message: string) => void }
}

/** Place of the data, without a password. */
interface StoreOrigin {
  readonly kind: 'sqlite' | 'postgres'
  readonly location: string
  readonly isNew: boolean
}

/** Opens one kind of store, and loads its code on call, because the code of the other kind would delay the start. */
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
  { openTimeout = 10_000, mustExist = false, makesFolders = true, onOpen, log }: OpenStoreOptions
): Promise<BatchStore> {
  const name = databaseUrl.slice('sqlite:'.length)
  // SQLite discards databases of these names when they are closed.
  if (name === '' || name === ':memory:')
    throw new StoreOpenError('DATABASE_URL sqlite:PATH must name a file')
  const path = resolve(name)
  const isNew = !existsSync(path)
  if (mustExist && isNew) throw new StoreOpenError(`${path} does not exist`)
  if (!makesFolders && !existsSync(dirname(path)))
    throw new StoreOpenError(`the folder ${dirname(path)} does not exist: make it, or mount its volume`)
  const { SqliteStore } = await import('./sqlite/sqlite.ts')
  const store = await SqliteStore.open(path, openTimeout, (err) =>
    log?.warn({ err }, 'the thread of checkpoints ended: until the next start, commits make them')
  )
  onOpen?.({ kind: 'sqlite', location: path, isNew })
  return store
}

async function openPostgres(
  databaseUrl: string,
  { openTimeout, mustExist, onOpen }: OpenStoreOptions
): Promise<BatchStore> {
  const [{ PostgresStore }, { parsePostgresUrl }] = await Promise.all([
    import('./postgres/postgres.ts'),
    import('./postgres/url.ts')
  ])
  const target = parsePostgresUrl(databaseUrl)
  const store = await PostgresStore.open(target, openTimeout, mustExist)
  const location = target.hosts.map(({ host, port }) => `${host}:${port}`).join(',')
  onOpen?.({ kind: 'postgres', location, isNew: store.isNew })
  return store
}
