/** Assembles pages of plants from the chunks that an adapter reads. */
import { maxId, minId } from './batch-store.ts'
import type { PageRange, StoredPlant } from './store.ts'

/** @returns plants from this id on; fewer than `rows` after the last plant, or when they are large */
export type ReadChunk = (from: bigint, rows: number) => Promise<readonly StoredPlant[]>

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
