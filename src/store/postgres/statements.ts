import type postgres from 'postgres'
import type { StoredPlant } from '../store.ts'
import type { Work } from './connection.ts'
import { isKeyTaken, isUnavailable } from './sql-errors.ts'

const maxChunkBytes = 1024 * 1024

/** Number of batches after one with a taken id, in which more taken ids are expected. */
const waryBatches = 1_000

/** Stores each batch by one statement, which is one transaction. A second statement reads the plants of taken ids. */
export class BatchInsert {
  readonly #standing = new StandingPlants()
  #wary = 0

  /** @returns the plants whose ids were taken */
  async commit(sql: postgres.Sql, batch: readonly StoredPlant[]): Promise<Map<bigint, string>> {
    const [single] = batch
    if (single !== undefined && batch.length === 1)
      return (await insertOne(sql, single)) ? new Map() : this.#standing.find(sql, batch)
    const arrays = { ids: idArray(batch), documents: textArray(batch.map(({ document }) => document)) }
    if (await this.#insertAll(sql, arrays)) return new Map()
    const stored = new Set(await insertFree(sql, arrays))
    const others = batch.filter(({ id }) => !stored.has(String(id)))
    return others.length === 0 ? new Map() : this.#standing.find(sql, others)
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
      if (!isKeyTaken(error)) throw error
      this.#wary = waryBatches
      return false
    }
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
function idArray(batch: readonly StoredPlant[]): string {
  return `{${batch.map(({ id }) => id).join(',')}}`
}

/** Writes a text array as JSON. PostgreSQL reads it alike: documents have no control characters or lone surrogates. */
export function textArray(documents: readonly string[]): string {
  return `{${JSON.stringify(documents).slice(1, -1)}}`
}

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

/** Reads plants that a create must be compared with. */
class StandingPlants {
  #select = selects[0]

  /**
   * Resolves when a synchronous standby has what was read. The snapshot is younger than the transactions that the
   * insert waited for.
   */
  async find(sql: postgres.Sql, batch: readonly StoredPlant[]): Promise<Map<bigint, string>> {
    const rows = await this.#read(sql, idArray(batch))
    const standing = new Map(rows.map(({ id, document }) => [BigInt(id), document]))
    if (standing.size < batch.length) throw new Error('plants with taken ids are gone')
    return standing
  }

  async #read(sql: postgres.Sql, ids: string): Promise<Rows> {
    try {
      return await this.#select(sql, ids)
    } catch (error) {
      if (this.#select !== selects[0] || !isUnavailable(error)) throw error
      this.#select = selects[1]
      return this.#select(sql, ids)
    }
  }
}

/** Waits until a synchronous standby has everything that was committed before. */
export const awaitReplication: Work<void> = async (sql) => {
  await sql`select pg_logical_emit_message(true, 'plants', '')`.catch((error: unknown) => {
    if (!isUnavailable(error)) throw error
  })
}
