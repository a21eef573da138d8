import type { StoredPlant, StoreReads } from './store.ts'

const limit = 1_000

/** Iterates over all plants in id order, page by page: no lock, cursor or snapshot is held between two pages. */
export async function* everyPlant(store: StoreReads, after?: bigint): AsyncGenerator<StoredPlant> {
  let last = after
  for (;;) {
    const page = await store.page({ after: last, limit })
    yield* page
    last = page.at(-1)?.id
    if (last === undefined) return
  }
}
