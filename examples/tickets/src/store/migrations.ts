/**
 * The tables of the database, and the migrations that make them. The start runs those that a database has not seen, in
 * the order of their names. A migration that has run where it counts is never edited: add the next one.
 */
import { type Generated, type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Schemas } from '../../generated/types.ts'

type Ticket = Schemas['Ticket']

/** The tables as queries see them, after the last migration. */
export interface Tables {
  readonly customers: { id: string; email: string; salt: Uint8Array; hash: Uint8Array }
  readonly sessions: { digest: string; customer: string; expires: number }
  readonly tickets: Omit<Ticket, 'id' | 'assignee'> & { id: Generated<number>; assignee: string | null }
  readonly attachments: { id: Generated<number>; ticket: number; name: string; content: Uint8Array }
}

const migrations: Record<string, Migration> = {
  '001-customers': {
    async up(db: Kysely<unknown>) {
      await sql`CREATE TABLE customers (id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE COLLATE NOCASE,
        salt BLOB NOT NULL, hash BLOB NOT NULL) STRICT`.execute(db)
      await sql`CREATE TABLE sessions (digest TEXT PRIMARY KEY, customer TEXT NOT NULL REFERENCES customers,
        expires INTEGER NOT NULL) STRICT`.execute(db)
    }
  },
  '002-tickets': {
    async up(db: Kysely<unknown>) {
      await sql`CREATE TABLE tickets (id INTEGER PRIMARY KEY AUTOINCREMENT, customer TEXT NOT NULL REFERENCES customers,
        status TEXT NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL, priority TEXT NOT NULL, assignee TEXT,
        created TEXT NOT NULL) STRICT`.execute(db)
      await sql`CREATE INDEX tickets_of_customer ON tickets (customer, id)`.execute(db)
      await sql`CREATE TABLE attachments (id INTEGER PRIMARY KEY AUTOINCREMENT, ticket INTEGER NOT NULL REFERENCES tickets,
        name TEXT NOT NULL, content BLOB NOT NULL) STRICT`.execute(db)
    }
  }
}

/** Runs the missing migrations in one transaction: all or none. */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}
