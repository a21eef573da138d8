import type postgres from 'postgres'
import {
  type NoteChange,
  NotesRefused,
  type Replacement,
  type StoredPlant,
  StoreOpenError
} from '../store.ts'
import { codeOf, type Work } from './connection.ts'

const maxChunkBytes = 1024 * 1024

// Codes of PostgreSQL: https://www.postgresql.org/docs/18/errcodes-appendix.html

const keyTaken = /^23505$/
/** A table that another replica has created at the same time. */
const madeMeanwhile = /^(23505|42P07|42710|40...)$/
/** No privilege, such as that of creating a table. */
const forbidden = /^42501$/
const tableMissing = /^42P01$/
const divisionByZero = /^22012$/
/** A function or clause that the server does not have, or refuses to the role. */
const unavailable = /^(42883|42501|42601|0A...)$/

/** Number of batches after one with a taken id, in which more taken ids are expected. */
const waryBatches = 1_000

type Rows = { id: string; document: string }[]
type Select = (sql: postgres.Sql, ids: string) => Promise<Rows>

/**
 * Selects by which a row is read and its replication waited for. A plain select shows rows that no standby has after a
 * restart, or after a wait that was cancelled. The message gives the transaction a commit record, for which it waits like an
 * insert. It costs less than the lock, which also requires the right to update.
 */
const selects: readonly [Select, Select] = [
  (sql, ids) => sql<Rows>`
    select id, document::text as document, (select pg_logical_emit_message(true, 'plants', '')) as message
    from plants where id = any(${ids}::bigint[])`,
  (sql, ids) => sql<Rows>`
    select id, document::text as document from plants where id = any(${ids}::bigint[]) for key share`
]

/** Stores each batch by one statement, which is one transaction. A second statement reads the plants of taken ids. */
export class BatchInsert {
  #select = selects[0]
  #wary = 0

  /** @returns the plants whose ids were taken */
  async commit(sql: postgres.Sql, batch: readonly StoredPlant[]): Promise<Map<bigint, string>> {
    const [single] = batch
    if (single !== undefined && batch.length === 1)
      return (await insertOne(sql, single)) ? new Map() : this.#standing(sql, batch)
    const arrays = { ids: idArray(batch), documents: textArray(batch.map(({ document }) => document)) }
    if (await this.#insertAll(sql, arrays)) return new Map()
    const stored = new Set(await insertFree(sql, arrays))
    const others = batch.filter(({ id }) => !stored.has(String(id)))
    return others.length === 0 ? new Map() : this.#standing(sql, others)
  }

  /**
   * Inserts without `on conflict`, which would cost the database 25 % more. A taken id refuses the whole insert, and
   * leaves dead rows and a log line in PostgreSQL; the next batches therefore do not try it.
   * @returns false when nothing was stored
   */
  async #insertAll(sql: postgres.Sql, arrays: Arrays): Promise<boolean> {
    if (this.#wary > 0) {
      this.#wary--
      return false
    }
    try {
      await insertArrays(sql, arrays)
      return true
    } catch (error) {
      if (!keyTaken.test(codeOf(error))) throw error
      this.#wary = waryBatches
      return false
    }
  }

  /**
   * Reads the plants that creates must be compared with. Resolves when a synchronous standby has what was read. The
   * snapshot is younger than the transactions that the insert waited for.
   */
  async #standing(sql: postgres.Sql, batch: readonly StoredPlant[]): Promise<Map<bigint, string>> {
    const ids = idArray(batch)
    const rows = await this.#select(sql, ids).catch((error: unknown) => {
      if (this.#select !== selects[0] || !unavailable.test(codeOf(error))) throw error
      this.#select = selects[1]
      return this.#select(sql, ids)
    })
    const standing = new Map(rows.map(({ id, document }) => [BigInt(id), document]))
    if (standing.size < batch.length) throw new Error('plants with taken ids are gone')
    return standing
  }
}

/** Array literals of PostgreSQL, in the order of the batch. */
interface Arrays {
  readonly ids: string
  readonly documents: string
}

/**
 * Stores a single plant, at half the cost of a batch with arrays.
 * @returns true when it was stored
 */
async function insertOne(sql: postgres.Sql, { id, document }: StoredPlant): Promise<boolean> {
  const { count } = await sql`
    insert into plants (id, document) values (${String(id)}::bigint, ${document}::text::json)
    on conflict (id) do nothing`
  return count === 1
}

/**
 * Stores the plants whose ids are not taken. Selects one row for all ids, because a row for each would cost more than
 * the insert.
 * @returns the ids that were stored
 */
async function insertFree(sql: postgres.Sql, arrays: Arrays): Promise<string[]> {
  const [row] = await sql<{ ids: string | null }[]>`
    with stored as (${insertArrays(sql, arrays)} on conflict (id) do nothing returning id)
    select string_agg(id::text, ',') as ids from stored`
  return row?.ids?.split(',') ?? []
}

/** Builds an insert that can be extended by `on conflict`. */
function insertArrays(sql: postgres.Sql, { ids, documents }: Arrays) {
  return sql`
    insert into plants (id, document)
    select id, document from unnest(${ids}::bigint[], ${documents}::json[]) as plant (id, document)`
}

export async function readDocument(sql: postgres.Sql, id: bigint): Promise<string | undefined> {
  const [row] = await sql<{ document: string }[]>`
    select document::text as document from plants where id = ${String(id)}::bigint`
  return row?.document
}

/** @returns the plants from this id on: fewer than `rows` when they are large, but at least one if there is one */
export async function readChunk(sql: postgres.Sql, from: bigint, rows: number): Promise<StoredPlant[]> {
  const page = await sql<{ id: string; document: string }[]>`
    select id, document from (
      select id, document, sum(octet_length(document)) over (order by id) - octet_length(document) as before
      from (select id, document::text as document from plants where id >= ${String(from)}::bigint order by id limit ${rows}) as rows
    ) as page where before < ${maxChunkBytes} order by id`
  return page.map(({ id, document }) => ({ id: BigInt(id), document }))
}

/** Writes an array literal of PostgreSQL; `postgres` would infer the type of the array from its first element. */
function idArray(rows: readonly { readonly id: bigint }[]): string {
  return `{${rows.map(({ id }) => id).join(',')}}`
}

/** Writes a text array as JSON. PostgreSQL reads it alike: documents have no control characters or lone surrogates. */
function textArray(documents: readonly string[]): string {
  return `{${JSON.stringify(documents).slice(1, -1)}}`
}

/** Waits until a synchronous standby has everything that was committed before. */
export const awaitReplication: Work<void> = async (sql) => {
  await sql`select pg_logical_emit_message(true, 'plants', '')`.catch((error: unknown) => {
    if (!unavailable.test(codeOf(error))) throw error
  })
}

const refusal =
  'the role of the database may not create or use the table plants_notes: grant it select, insert and update'

/** Returns true for a role that has no table of notes. */
const isRefused = (error: unknown): boolean =>
  tableMissing.test(codeOf(error)) || forbidden.test(codeOf(error))

/** @returns undefined when there is no such note, or no table of notes for this role */
export async function readNote(sql: postgres.Sql, name: string): Promise<string | undefined> {
  try {
    const [row] = await sql<{ text: string }[]>`select text from plants_notes where name = ${name}`
    return row?.text
  } catch (error) {
    if (isRefused(error)) return undefined
    throw error
  }
}

/**
 * Changes the note and the documents by one statement, which is one transaction.
 * @returns false when nothing was changed
 * @throws {NotesRefused}
 */
export async function rewrite(
  sql: postgres.Sql,
  replacements: readonly Replacement[],
  { name, before, after }: NoteChange
): Promise<boolean> {
  const noted =
    before === undefined
      ? sql`insert into plants_notes (name, text) values (${name}, ${after}) on conflict do nothing returning 1`
      : sql`update plants_notes set text = ${after} where name = ${name} and text = ${before} returning 1`
  try {
    const { count } = await (replacements.length === 0 ? noted : replace(sql, replacements, noted))
    if (count === 1) return true
  } catch (error) {
    if (isRefused(error)) throw new NotesRefused(refusal, { cause: error })
    if (!divisionByZero.test(codeOf(error))) throw error
  }
  return isWritten(sql, name, after)
}

/** Builds a statement that a division by zero rolls back when the note or a document has another text. */
function replace(sql: postgres.Sql, replacements: readonly Replacement[], noted: postgres.Fragment) {
  return sql`
    with noted as (${noted}), changed as (
      update plants set document = change.after::json
      from noted, unnest(
        ${idArray(replacements)}::bigint[],
        ${textArray(replacements.map(({ before }) => before))}::text[],
        ${textArray(replacements.map(({ after }) => after))}::text[]) as change (id, before, after)
      where plants.id = change.id and plants.document::text = change.before returning 1)
    select 1 / ((select count(*) from noted) = 1 and (select count(*) from changed) = ${replacements.length})::int`
}

/** Locks the note that it finds, so that its replication is waited for. */
async function isWritten(sql: postgres.Sql, name: string, text: string): Promise<boolean> {
  const rows = await sql`
    select 1 from plants_notes where name = ${name} and text = ${text} for no key update`
  return rows.length > 0
}

interface Table {
  readonly name: string
  readonly definition: string
  /** Required columns. The operator may have created the table, for example partitioned by hash of id. */
  readonly columns: string
}

/** `json` keeps every text as written, which `jsonb` does not. */
const plants: Table = {
  name: 'plants',
  definition: 'id bigint primary key, document json not null',
  columns: 'document json, id bigint'
}

const notes: Table = {
  name: 'plants_notes',
  definition: 'name text primary key, text text not null',
  columns: 'name text, text text'
}

/**
 * Creates the tables unless they exist. Any number of replicas may do so at the same time.
 * @returns true when there was no table of plants
 */
export async function ensureSchema(sql: postgres.Sql, mustExist: boolean): Promise<boolean> {
  await requireUtf8(sql)
  const found = await columnsOf(sql, plants)
  if (mustExist && found === '') throw new StoreOpenError('this database has no table plants')
  await ensureTable(sql, plants, found)
  // Without notes, checks store no result and plants cannot be changed.
  await ensureTable(sql, notes, await columnsOf(sql, notes)).catch((error: unknown) => {
    if (!forbidden.test(codeOf(error))) throw error
  })
  return found === ''
}

/** @param found columns that the table has; empty for one that is missing */
async function ensureTable(sql: postgres.Sql, table: Table, found: string): Promise<void> {
  if (found === '')
    await sql
      .unsafe(`create table if not exists ${table.name} (${table.definition})`)
      .catch(ignoreMadeMeanwhile)
  if ((found || (await columnsOf(sql, table))) !== table.columns)
    throw new StoreOpenError(`the table ${table.name} in this database is not the one of this program`)
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
async function columnsOf(sql: postgres.Sql, { name }: Table): Promise<string> {
  const rows = await sql<{ column: string }[]>`
    select column_name || ' ' || data_type as column from information_schema.columns
    where table_schema = current_schema() and table_name = ${name} order by column_name`
  return rows.map(({ column }) => column).join(', ')
}

/** Ignores the error of a concurrent "if not exists", which is not atomic in PostgreSQL. */
function ignoreMadeMeanwhile(error: unknown): void {
  if (!madeMeanwhile.test(codeOf(error))) throw error
}
