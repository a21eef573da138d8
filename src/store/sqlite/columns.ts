/**
 * A batch as it travels to the SQLite thread: two values, whatever its size. An object for each plant, or a string, costs
 * more to copy from thread to thread than to commit.
 */
import type { StoredPlant } from '../store.ts'

export interface BatchColumns {
  readonly ids: BigInt64Array
  /** The documents, each ended by a character that no JSON text holds (RFC 8259, section 7). */
  readonly documents: string
}

const end = '\u0000'

export function columnsOf(batch: readonly StoredPlant[]): BatchColumns {
  const ids = new BigInt64Array(batch.length)
  let documents = ''
  for (const [index, { id, document }] of batch.entries()) {
    if (BigInt.asIntN(64, id) !== id) throw new RangeError(`${id} is no int64`)
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
