import type postgres from 'postgres'
import type { StoredPlant } from '../store.ts'

export type Work<T> = (sql: postgres.Sql) => Promise<T>

const maxChunkBytes = 1024 * 1024

/** Stores a batch by one statement, which is one transaction. A second one reads the plants whose ids were taken. */
export async function commitBatch(
  sql: postgres.Sql,
  batch: readonly StoredPlant[]
): Promise<Map<bigint, string>> {
  const [single] = batch
  if (single !== undefined && batch.length === 1)
    return (await insertOne(sql, single)) ? new Map() : findStanding(sql, batch)
  const ids = idArray(batch)
  const stored = await insertMany(sql, ids, batch)
  if (`{${stored}}` === ids) return new Map()
  const storedIds = new Set(stored.split(','))
  const others = batch.filter(({ id }) => !storedIds.has(String(id)))
  return findStanding(sql, others)
}

/**
 * Stores a lone plant: without the arrays of a batch it costs the database half.
 * @returns true when it was stored
 */
async function insertOne(sql: postgres.Sql, { id, document }: StoredPlant): Promise<boolean> {
  const { count } = await sql`
    insert into plants (id, document) values (${String(id)}::bigint, ${document}::text::json)
    on conflict (id) do nothing`
  return count === 1
}

/**
 * Returns one row for all ids, because a row for each costs more than the insert.
 * @param ids of the batch, as an array literal
 * @returns the ids that were stored, between commas, usually in the order of the batch
 */
async function insertMany(sql: postgres.Sql, ids: string, batch: readonly StoredPlant[]): Promise<string> {
  const [row] = await sql<{ ids: string | null }[]>`
    with stored as (
      insert into plants (id, document)
      select id, document
      from unnest(${ids}::bigint[], ${textArray(batch.map(({ document }) => document))}::json[]) as plant (id, document)
      on conflict (id) do nothing
      returning id)
    select string_agg(id::text, ',') as ids from stored`
  return row?.ids ?? ''
}

/** Runs as a statement of its own: its snapshot is younger than the transactions that the insert waited for. */
async function findStanding(sql: postgres.Sql, batch: readonly StoredPlant[]): Promise<Map<bigint, string>> {
  const rows = await sql<{ id: string; document: string }[]>`
    select id, document::text as document from plants where id = any(${idArray(batch)}::bigint[])`
  const standing = new Map(rows.map(({ id, document }) => [BigInt(id), document]))
  if (standing.size < batch.length) throw new Error('plants that stood in the way are gone')
  return standing
}

export async function readDocument(sql: postgres.Sql, id: bigint): Promise<string | undefined> {
  const [row] = await sql<{ document: string }[]>`
    select document::text as document from plants where id = ${String(id)}::bigint`
  return row?.document
}

/** @returns the plants from this id on: fewer than `rows` when they are large, at least one where there is one */
export async function readChunk(sql: postgres.Sql, from: bigint, rows: number): Promise<StoredPlant[]> {
  const page = await sql<{ id: string; document: string }[]>`
    select id, document from (
      select id, document, sum(octet_length(document)) over (order by id) - octet_length(document) as before
      from (select id, document::text as document from plants where id >= ${String(from)}::bigint order by id limit ${rows}) as rows
    ) as page where before < ${maxChunkBytes} order by id`
  return page.map(({ id, document }) => ({ id: BigInt(id), document }))
}

/** Writes a PostgreSQL array literal; `postgres` would infer the type of the array from its first element. */
function idArray(batch: readonly StoredPlant[]): string {
  return `{${batch.map(({ id }) => id).join(',')}}`
}

/** JSON and PostgreSQL quote text alike that has no control characters and no lone surrogates; our documents escape both. */
export function textArray(documents: readonly string[]): string {
  return `{${JSON.stringify(documents).slice(1, -1)}}`
}
