import type postgres from 'postgres'
import type { NoteChange, Replacement } from '../store.ts'
import { isConnectionCut, isTableMissing } from './sql-errors.ts'
import { textArray } from './statements.ts'

/** @returns undefined where the role may not create the table of notes, too */
export async function readNote(sql: postgres.Sql, name: string): Promise<string | undefined> {
  try {
    const [row] = await sql<{ text: string }[]>`select text from plants_notes where name = ${name}`
    return row?.text
  } catch (error) {
    if (isTableMissing(error)) return undefined
    throw error
  }
}

/** Thrown to roll back. */
class Stale extends Error {}

/** @returns false when something is not as it was before; then nothing changed */
export async function rewrite(
  sql: postgres.Sql,
  replacements: readonly Replacement[],
  note: NoteChange
): Promise<boolean> {
  try {
    await sql.begin((transaction) => change(transaction, replacements, note).catch(pendingIfCut))
    return true
  } catch (error) {
    if (error instanceof Stale) return false
    throw error
  }
}

async function change(
  sql: postgres.TransactionSql,
  replacements: readonly Replacement[],
  note: NoteChange
): Promise<void> {
  if (await isWritten(sql, note)) return
  if (!(await writeNote(sql, note))) throw new Stale()
  if ((await replace(sql, replacements)) < replacements.length) throw new Stale()
}

/**
 * Keeps the transaction pending when its connection is cut: `postgres` rejects it then, but would also send the rollback of
 * one that has failed, to a socket that is gone, and the process would end (https://github.com/porsager/postgres/issues/1208).
 */
function pendingIfCut(error: unknown): Promise<never> {
  return isConnectionCut(error) ? new Promise(() => {}) : Promise.reject(error)
}

async function isWritten(sql: postgres.TransactionSql, { name, after }: NoteChange): Promise<boolean> {
  const rows = await sql`select 1 from plants_notes where name = ${name} and text = ${after}`
  return rows.length > 0
}

async function writeNote(
  sql: postgres.TransactionSql,
  { name, before, after }: NoteChange
): Promise<boolean> {
  const { count } =
    before === undefined
      ? await sql`insert into plants_notes (name, text) values (${name}, ${after}) on conflict do nothing`
      : await sql`update plants_notes set text = ${after} where name = ${name} and text = ${before}`
  return count === 1
}

async function replace(sql: postgres.TransactionSql, replacements: readonly Replacement[]): Promise<number> {
  if (replacements.length === 0) return 0
  const { count } = await sql`
    update plants set document = change.after::json
    from unnest(
      ${`{${replacements.map(({ id }) => id).join(',')}}`}::bigint[],
      ${textArray(replacements.map(({ before }) => before))}::text[],
      ${textArray(replacements.map(({ after }) => after))}::text[]) as change (id, before, after)
    where plants.id = change.id and plants.document::text = change.before`
  return count
}
