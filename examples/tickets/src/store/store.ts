/** The database of this service: opened at the start, closed after the last answer. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { EventEmitter } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type ServiceStore, StartError, type StoreOptions } from '@contract-first/service'
import { type Dialect, Kysely, sql } from 'kysely'
import type { Schemas } from '../../generated/types.ts'
import { migrate, type Tables } from './migrations.ts'
import { NodeSqliteDialect } from './node-sqlite.ts'

/** What handlers get. */
export interface Store extends ServiceStore {
  /** The running transaction, outside of one the database: asked for at each query. */
  readonly db: Kysely<Tables>
  /** Runs `work` and all its queries in a transaction; rolls back where it throws. Others wait: there is one connection. */
  transaction<T>(work: () => Promise<T>): Promise<T>
  /** Emits `change` with each change of a ticket, when it is committed. */
  readonly events: EventEmitter
  /** Publishes a change when the running transaction is committed, and returns the ticket. */
  publish(event: Change['event'], data: Change['data']): Change['data']
}

export type Change = Schemas['TicketEvent']

/** @param url DATABASE_URL, such as sqlite:data/tickets.db */
export async function openStore(url: string, options: Pick<StoreOptions, 'makesFolders'>): Promise<Store> {
  const db = new Kysely<Tables>({ dialect: await openSqlite(url, options) })
  await migrate(db)
  const running = new AsyncLocalStorage<{ db: Kysely<Tables>; changes: Change[] }>()
  const events = new EventEmitter().setMaxListeners(0)
  return {
    get db() {
      return running.getStore()?.db ?? db
    },
    async transaction(work) {
      const changes: Change[] = []
      const done = await db.transaction().execute((it) => running.run({ db: it, changes }, work))
      for (const change of changes) events.emit('change', change)
      return done
    },
    events,
    publish(event, data) {
      const { changes } = running.getStore() ?? {}
      if (changes?.push({ event, data }) === undefined) events.emit('change', { event, data })
      return data
    },
    depth: 0,
    ready: () =>
      sql`SELECT 1`.execute(db).then(
        () => true,
        () => false
      ),
    close: () => db.destroy()
  }
}

async function openSqlite(
  url: string,
  { makesFolders }: Pick<StoreOptions, 'makesFolders'>
): Promise<Dialect> {
  const [, path] = /^sqlite:(.+)$/.exec(url) ?? []
  if (path === undefined) throw new StartError(['DATABASE_URL names no SQLite file; expected sqlite:PATH'])
  if (makesFolders) await mkdir(dirname(path), { recursive: true })
  try {
    return new NodeSqliteDialect(path)
  } catch (error) {
    throw new StartError([`DATABASE_URL names ${path}, which cannot be opened: ${Object(error).message}`])
  }
}
