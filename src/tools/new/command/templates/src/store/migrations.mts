/**
 * The tables of the database, and the migrations that make them. The start runs those that a database has not seen, in
 * the order of their names. A migration that has run where it counts is never edited: add the next one.
 */
import { StartError } from '@contract-first/service'
import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'

/** The tables as queries see them, after the last migration. */
export interface Tables {
  // readonly items: { readonly id: Generated<number>; readonly name: string }
}

const migrations: Record<string, Migration> = {
  // '001-items': {
  //   async up(db: Kysely<unknown>) {
  //     const items = db.schema.createTable('items').addColumn('id', 'integer', (id) => id.primaryKey())
  //     await items.addColumn('name', 'text', (name) => name.notNull()).execute()
  //   }
  // }
}

/**
 * Runs the missing migrations in one transaction: all or none.
 * @throws {StartError} when the database has run a migration that is not here
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  const [, reason] = /^Error: corrupted migrations: (.+)$/.exec(String(error)) ?? []
  if (reason !== undefined)
    throw new StartError([`the database does not fit src/store/migrations.ts: ${reason}. ${remedy}`])
  if (error) throw error
}

const remedy =
  'Where its data may go, delete it or name another one in DATABASE_URL; otherwise put the migration back, and add the next one'
