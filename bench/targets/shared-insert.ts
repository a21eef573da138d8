/**
 * The smallest program that commits many creates with one flush: they share a statement, and half of them is committed
 * while the other half is answered.
 */
import postgres from 'postgres'
import { textArray } from '../../src/store/postgres/statements.ts'

interface Create {
  readonly id: number | bigint
  readonly document: string
  readonly resolve: () => void
}

/** Returns when the create is committed. It never fails, because a benchmark sends each id once. */
export type Insert = (id: number | bigint, document: string) => Promise<void>

const minHalf = 16

export async function sharedInsert(): Promise<Insert> {
  const sql = postgres(String(process.env['DATABASE_URL']), { max: 2 })
  await sql`CREATE TABLE IF NOT EXISTS plants (id bigint PRIMARY KEY, document json NOT NULL)`
  let waiting: Create[] = []
  let underWay = 0
  let committing = 0

  const isWorthBatch = (): boolean => {
    if (waiting.length === 0 || committing > 1) return false
    return committing === 0 || waiting.length >= Math.max(minHalf, underWay / 2)
  }

  function commitWaiting(): void {
    while (isWorthBatch()) {
      const batch = waiting
      waiting = []
      void commit(batch)
    }
  }

  async function commit(batch: readonly Create[]): Promise<void> {
    committing++
    const ids = `{${batch.map(({ id }) => id).join(',')}}`
    const documents = textArray(batch.map(({ document }) => document))
    await sql`
      insert into plants (id, document)
      select id, document from unnest(${ids}::bigint[], ${documents}::json[]) as plant (id, document) on conflict do nothing`
    committing--
    underWay -= batch.length
    for (const { resolve } of batch) resolve()
    commitWaiting()
  }

  return (id, document) =>
    new Promise((resolve) => {
      underWay++
      if (waiting.push({ id, document, resolve }) === 1) setImmediate(commitWaiting)
    })
}
