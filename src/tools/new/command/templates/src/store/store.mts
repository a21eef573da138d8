/** The database of this service: opened at the start, closed after the last answer. */
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type ServiceStore, StartError } from '@contract-first/service'
import { type Dialect, Kysely, sql } from 'kysely'
import { migrate, type Tables } from './migrations.ts'
import { NodeSqliteDialect } from './node-sqlite.ts'

/** What handlers get. */
export interface Store extends ServiceStore {
  readonly db: Kysely<Tables>
}

interface Options {
  /** Makes the folder of a new file; not in production, where a missing folder is an unmounted volume. */
  readonly makesFolders?: boolean
}

/** @param url DATABASE_URL, such as sqlite:data/{{name}}.db */
export async function openStore(url: string, { makesFolders = true }: Options = {}): Promise<Store> {
  const db = new Kysely<Tables>({ dialect: await openSqlite(url, makesFolders) })
  await migrate(db)
  return {
    db,
    ready: () =>
      sql`SELECT 1`.execute(db).then(
        () => true,
        () => false
      ),
    close: () => db.destroy()
  }
}

async function openSqlite(url: string, makesFolders: boolean): Promise<Dialect> {
  const [, path] = /^sqlite:(.+)$/.exec(url) ?? []
  if (path === undefined) throw new StartError(['DATABASE_URL names no SQLite file; expected sqlite:PATH'])
  if (makesFolders) await mkdir(dirname(path), { recursive: true })
  try {
    return new NodeSqliteDialect(path)
  } catch (error) {
    throw new StartError([`DATABASE_URL names ${path}, which cannot be opened: ${Object(error).message}`])
  }
}
