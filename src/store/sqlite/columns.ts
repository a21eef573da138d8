/**
 * A batch in the form in which it is posted to the SQLite thread: two values, whatever its size. To copy an object or a
 * string for each plant costs more than to commit it.
 */
import type { StoredPlant } from '../store.ts'

export interface BatchColumns {
  readonly ids: BigInt64Array
  /** The documents, each terminated by a character that no JSON text holds (RFC 8259, section 7). */
  readonly documents: string
}

const end = '\u0000'

export function columnsOf(batch: readonly StoredPlant[]): BatchColumns {
  const ids = new BigInt64Array(batch.length)
  let documents = ''
  for (const [index, { id, document }] of batch.entries()) {
    if (BigInt.asIntN(64, id) !== id) throw new RangeError(`${id} is not an int64`)
    ids[index] = id
    documents += document + end
  }
  return { ids, documents }
}

export function plantsOf({ ids, documents }: BatchColumns): StoredPlant[] {
  const plants: StoredPlant[] = []
  let from = 0
  for (const id of ids) {
    const to = documents.indexOf(end, from)
    plants.push({ id, document: documents.slice(from, to) })
    from = to + 1
  }
  return plants
}
