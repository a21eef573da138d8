import type postgres from 'postgres'
import { StoreOpenError } from '../batch-store.ts'
import { isMadeMeanwhile } from './sql-errors.ts'

/**
 * `json` keeps every text as it was written; `jsonb` would not. The operator may have made the table, partitioned by hash
 * of id.
 */
const wanted = 'document json, id bigint'

/** Creates the table unless it exists. Any number of replicas may do so at the same time. */
export async function ensureSchema(sql: postgres.Sql): Promise<void> {
  const columns = (await columnsOf(sql)) || (await make(sql))
  if (columns !== wanted)
    throw new StoreOpenError('the table plants in this database is not the one of this program')
}

async function columnsOf(sql: postgres.Sql): Promise<string> {
  const rows = await sql<{ column: string }[]>`
    select column_name || ' ' || data_type as column from information_schema.columns
    where table_schema = current_schema() and table_name = 'plants' order by column_name`
  return rows.map(({ column }) => column).join(', ')
}

async function make(sql: postgres.Sql): Promise<string> {
  try {
    await sql`create table if not exists plants (id bigint primary key, document json not null)`
  } catch (error) {
    // "if not exists" is not atomic in PostgreSQL: one of two concurrent statements may fail on keys of the catalogue.
    if (!isMadeMeanwhile(error)) throw error
  }
  return columnsOf(sql)
}
