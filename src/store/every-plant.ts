import type { StoredPlant, StoreReads } from './store.ts'

const limit = 1_000

/** Iterates over pages of all plants in id order: no lock, cursor or snapshot is held between two pages. */
export async function* everyPage(
  store: StoreReads,
  after?: bigint
): AsyncGenerator<readonly [StoredPlant, ...StoredPlant[]]> {
  let last = after
  for (;;) {
    const [first, ...others] = await store.page({ after: last, limit })
    if (first === undefined) return
    yield [first, ...others]
    last = others.at(-1)?.id ?? first.id
  }
}

/** Iterates over all plants in id order. */
export async function* everyPlant(store: StoreReads): AsyncGenerator<StoredPlant> {
  for await (const page of everyPage(store)) yield* page
}
