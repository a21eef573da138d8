import type { StoredPlant, StoreReads } from './store.ts'

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

/** Iterates over all plants in id order. */
export async function* everyPlant(store: StoreReads): AsyncGenerator<StoredPlant> {
  for await (const page of everyPage(store)) yield* page
}
