import type postgres from 'postgres'
import { StoreOpenError } from '../store.ts'
import { isForbidden, isMadeMeanwhile } from './sql-errors.ts'

/**
 * Required columns. `json` keeps every text as written, which `jsonb` does not. The operator may have created the
 * table, partitioned by hash of id.
 */
const wanted = 'document json, id bigint'

const notes = 'name text, text text'

/**
 * Creates the tables unless they exist. Any number of replicas may do so at the same time.
 * @returns true when there was no table of plants
 */
export async function ensureSchema(sql: postgres.Sql, mustExist: boolean): Promise<boolean> {
  await requireUtf8(sql)
  const found = await columnsOf(sql, 'plants')
  if (mustExist && found === '') throw new StoreOpenError('this database has no table plants')
  const columns = found || (await makePlants(sql))
  if (columns !== wanted)
    throw new StoreOpenError('the table plants in this database is not the one of this program')
  const noted = (await columnsOf(sql, 'plants_notes')) || (await makeNotes(sql))
  if (noted !== notes)
    throw new StoreOpenError('the table plants_notes in this database is not the one of this program')
  return found === ''
}

/** Requires UTF8: other encodings refuse some characters, and SQL_ASCII checks none. */
async function requireUtf8(sql: postgres.Sql): Promise<void> {
  const [row] = await sql<{ encoding: string }[]>`select current_setting('server_encoding') as encoding`
  if (row?.encoding !== 'UTF8')
    throw new StoreOpenError(
      `the encoding of this database is ${row?.encoding}; it must be UTF8: create database … encoding 'UTF8' template template0`
    )
}

/** @returns names and types; empty when the table does not exist */
async function columnsOf(sql: postgres.Sql, table: string): Promise<string> {
  const rows = await sql<{ column: string }[]>`
    select column_name || ' ' || data_type as column from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} order by column_name`
  return rows.map(({ column }) => column).join(', ')
}

async function makePlants(sql: postgres.Sql): Promise<string> {
  const statement = sql`create table if not exists plants (id bigint primary key, document json not null)`
  await statement.catch(ignoreMadeMeanwhile)
  return columnsOf(sql, 'plants')
}

/** Creates the table of notes if the role may. Without it, checks store no result and plants cannot be changed. */
async function makeNotes(sql: postgres.Sql): Promise<string> {
  const statement = sql`create table if not exists plants_notes (name text primary key, text text not null)`
  try {
    await statement.catch(ignoreMadeMeanwhile)
  } catch (error) {
    if (isForbidden(error)) return notes
    throw error
  }
  return columnsOf(sql, 'plants_notes')
}

/** Ignores the error of a concurrent "if not exists", which is not atomic in PostgreSQL. */
function ignoreMadeMeanwhile(error: unknown): void {
  if (!isMadeMeanwhile(error)) throw error
}
