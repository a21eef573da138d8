import type postgres from 'postgres'
import { type NoteChange, NotesRefused, type Replacement } from '../store.ts'
import { isConnectionCut, isForbidden, isTableMissing } from './sql-errors.ts'
import { textArray } from './statements.ts'

const refusal =
  'the role of the database may not create or use the table plants_notes: grant it select, insert and update'

/** Returns true for a role that has no table of notes. */
const isRefused = (error: unknown): boolean => isTableMissing(error) || isForbidden(error)

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

/** Error that rolls the transaction back. */
class Stale extends Error {}

/**
 * @returns false when the note or a document differs from its expected text; nothing is changed then
 * @throws {NotesRefused}
 */
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
    throw isRefused(error) ? new NotesRefused(refusal, { cause: error }) : error
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
 * Keeps the transaction pending when its connection is cut: `sql.begin` then rejects by itself. After a rejection here
 * it would also send a rollback to the closed socket, which ends the process
 * (https://github.com/porsager/postgres/issues/1208).
 */
function pendingIfCut(error: unknown): Promise<never> {
  return isConnectionCut(error) ? new Promise(() => {}) : Promise.reject(error)
}

/** Locks the note that it finds, so that its replication is waited for at the commit. */
async function isWritten(sql: postgres.TransactionSql, { name, after }: NoteChange): Promise<boolean> {
  const rows = await sql`
    select 1 from plants_notes where name = ${name} and text = ${after} for no key update`
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
