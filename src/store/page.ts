/** Assembles pages of plants from the chunks that an adapter reads. */
import { maxId, minId, type PageRange, type StoredPlant, type StoreReads } from './store.ts'

/** @returns plants from this id on; fewer than `rows` after the last plant, or when they are large */
type ReadChunk = (from: bigint, rows: number) => Promise<readonly StoredPlant[]>

/** @param maxRows maximum of rows in the next chunk */
export async function pageOf(
  { after, limit }: PageRange,
  maxRows: () => number,
  read: ReadChunk
): Promise<StoredPlant[]> {
  const page: StoredPlant[] = []
  let last = after
  while (page.length < limit && last !== maxId) {
    const rows = Math.min(limit - page.length, maxRows())
    const chunk = await read(last === undefined ? minId : last + 1n, rows)
    page.push(...chunk)
    if (chunk.length < rows) break
    last = chunk.at(-1)?.id
  }
  return page
}

const limit = 1_000

/** Iterates over pages of all plants in id order. Reads one page ahead; holds no lock, cursor or snapshot. */
export async function* everyPage(store: StoreReads, after?: bigint): AsyncGenerator<readonly StoredPlant[]> {
  let reading = store.page({ after, limit })
  for (;;) {
    const page = await reading
    const last = page.at(-1)
    if (last === undefined) return
    reading = store.page({ after: last.id, limit })
    // A caller that ends the iteration early does not await it.
    reading.catch(() => undefined)
    yield page
  }
}

export async function* everyPlant(store: StoreReads): AsyncGenerator<StoredPlant> {
  for await (const page of everyPage(store)) yield* page
}
