import type postgres from 'postgres'
import type { StoredPlant } from '../store.ts'
import { idArray } from './arrays.ts'
import type { Work } from './connection.ts'
import { isUnavailable } from './sql-errors.ts'

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
export class StandingPlants {
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
