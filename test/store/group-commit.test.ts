/** Group commit, with an adapter whose commits the test delays. */
import t from 'tap'
import type { Commit } from '../../src/store/batch.ts'
import { GroupCommit, type GroupCommitOptions } from '../../src/store/group-commit.ts'
import type { BatchStore } from '../../src/store/store.ts'
import { type PageRange, type StoredPlant, StoreOverloaded, StoreUnavailable } from '../../src/store/store.ts'
import { exported, plant } from './conformance.ts'

/** A store whose commits wait until the test ends them, one by one. */
class HeldStore implements BatchStore {
  readonly concurrency: number
  readonly batches: StoredPlant[][] = []
  readonly standing = new Map<bigint, string>()
  readonly #held: PromiseWithResolvers<void>[] = []
  closed = false

  constructor(concurrency = 1) {
    this.concurrency = concurrency
  }

  async commit(batch: readonly StoredPlant[]): Promise<Map<bigint, string>> {
    const held = Promise.withResolvers<void>()
    this.#held.push(held)
    this.batches.push([...batch])
    await held.promise
    const met = new Map<bigint, string>()
    for (const { id, document } of batch) {
      const stood = this.standing.get(id)
      if (stood === undefined) this.standing.set(id, document)
      else met.set(id, stood)
    }
    return met
  }

  async end(error?: Error): Promise<void> {
    const held = this.#held.shift()
    if (error) held?.reject(error)
    else held?.resolve()
    // Time to answer, and to begin the waiting batch.
    await turn()
    await turn()
  }

  get isHolding(): boolean {
    return this.#held.length > 0
  }

  async get(id: bigint): Promise<string | undefined> {
    return this.standing.get(id)
  }

  async note(): Promise<string | undefined> {
    return undefined
  }

  async rewrite(): Promise<boolean> {
    return true
  }

  async page({ after, limit }: PageRange): Promise<StoredPlant[]> {
    const plants = [...this.standing].map(([id, document]) => ({ id, document }))
    return plants.filter(({ id }) => after === undefined || id > after).slice(0, limit)
  }

  async ready(): Promise<boolean> {
    return true
  }

  async close(): Promise<void> {
    this.closed = true
  }
}

const once = () => new Promise((resolve) => setImmediate(resolve))
/** Resolves after the time that a batch waits for more creates. */
const turn = async () => {
  await once()
  await once()
}

async function holding(options: GroupCommitOptions = {}, concurrency = 1) {
  const held = new HeldStore(concurrency)
  const clock = { ms: 0 }
  const group = new GroupCommit(held, {
    // Unless a test sets a time-out, time passes only when the test advances it.
    ...(options.timeout === undefined ? { now: () => clock.ms } : {}),
    ...options
  })
  const creates: Promise<string>[] = []
  const create = (...plants: StoredPlant[]) => {
    const results = plants.map((each) => group.create(each).catch((error: Error) => error.name))
    creates.push(...results)
    return Promise.all(results)
  }
  return { clock, held, group, create, sizes: () => held.batches.map((batch) => batch.length) }
}

t.test('creates that arrive during a commit form the next batch', async (t) => {
  const commits: Commit[] = []
  const { held, group, create, sizes } = await holding({ onCommit: (commit) => commits.push(commit) })
  const lone = create(plant(1))
  await once()
  t.same(sizes(), [1], 'a lone create goes at once')
  const others = create(plant(2), plant(3))
  await turn()
  const further = create(plant(4))
  await turn()
  t.same([sizes(), group.depth], [[1], 3], 'the others wait')
  await held.end()
  t.same(await lone, ['created'])
  t.same([sizes(), group.depth], [[1, 3], 0])
  await held.end()
  t.same([await others, await further], [['created', 'created'], ['created']])
  t.same(
    commits.map(({ size, error }) => [size, error]),
    [
      [1, undefined],
      [3, undefined]
    ]
  )
  t.ok(commits.every(({ milliseconds }) => milliseconds >= 0))
  t.same(
    await exported(group),
    [1, 2, 3, 4].map((id) => plant(id))
  )
})

t.test('an onCommit that throws neither stops the commits nor ends the process', async (t) => {
  const onCommit = () => {
    throw new Error('secret')
  }
  const { held, create } = await holding({ onCommit })
  for (const id of [1, 2]) {
    const created = create(plant(id))
    await once()
    await held.end()
    t.same(await created, ['created'])
  }
})

t.test('creates of the next turn join a batch of several that arrived in one turn', async (t) => {
  const { held, create, sizes } = await holding()
  const all = [create(plant(1), plant(2))]
  await once()
  t.same(sizes(), [], 'more are likely on their way')
  all.push(create(plant(3)))
  await once()
  t.same(sizes(), [3], 'and are waited for once')
  await held.end()
  t.same((await Promise.all(all)).flat(), Array(3).fill('created'))
})

t.test('a due batch does not wait for the end of a long event-loop turn', async (t) => {
  const { clock, held, group, create, sizes } = await holding({ maxWaiting: 2 })
  const all = [create(plant(1), plant(2))]
  clock.ms += 20
  all.push(create(plant(3)))
  t.same([sizes(), group.depth], [[2], 1], 'and makes room before the queue is full')
  await held.end()
  await held.end()
  t.same((await Promise.all(all)).flat(), Array(3).fill('created'))
})

t.test('arrival order decides between creates of one id', async (t) => {
  const { held, create } = await holding()
  held.standing.set(2n, plant(2, 'Agave').document)
  const outcomes = create(...[1, 2].flatMap((id) => ['Aloe', 'Agave', 'Aloe'].map((name) => plant(id, name))))
  await turn()
  t.same(held.batches, [[plant(1, 'Aloe'), plant(2, 'Aloe')]], 'the adapter sees an id once')
  await held.end()
  t.same(await outcomes, ['created', 'taken', 'replayed', 'taken', 'replayed', 'taken'])
})

t.test('a failing batch fails only its own creates', async (t) => {
  const commits: Commit[] = []
  const { held, group, create } = await holding({ onCommit: (commit) => commits.push(commit) })
  const failing = group.create(plant(1))
  await turn()
  const next = create(plant(2), plant(1))
  const cause = new Error('no space left')
  const fails = t.rejects(failing, { name: 'StoreUnavailable', cause })
  await held.end(cause)
  await fails
  await held.end()
  t.same(await next, ['created', 'created'])
  t.same(
    commits.map(({ error }) => error),
    [cause, undefined]
  )
})

t.test('the queue is bounded', async (t) => {
  const limits = [
    { what: 'by count', options: { maxWaiting: 3 } },
    { what: 'by characters', options: { maxWaitingCharacters: 3 * plant(0).document.length } }
  ]
  for (const { what, options } of limits) {
    const { held, group, create } = await holding(options)
    const first = create(plant(1))
    await turn()
    const waiting = create(plant(2), plant(3), plant(4))
    await t.rejects(group.create(plant(5)), StoreOverloaded, `${what}: refused at once`)
    await held.end()
    const after = create(plant(6))
    await held.end()
    await held.end()
    t.same(
      [await first, await waiting, await after].flat(),
      Array(5).fill('created'),
      `${what}: and free again`
    )
  }
  const { held, create } = await holding({ maxWaiting: 0, maxWaitingCharacters: 1 })
  const large = create(plant(1))
  await turn()
  await held.end()
  t.same(await large, ['created'], 'a lone create passes whatever its size')
})

t.test('a batch is bounded', async (t) => {
  const { held, create, sizes } = await holding()
  void create(plant(0))
  await turn()
  void create(...Array.from({ length: 1_500 }, (_, id) => plant(1 + id)))
  void create(...Array.from({ length: 3 }, (_, id) => plant(id, 'x'.repeat(3_000_000))))
  for (let n = 0; n < 5; n++) await held.end()
  t.same(sizes(), [1, 1_000, 501, 1, 1], 'by count, and by characters')
})

t.test('several batches are in flight where the adapter can', async (t) => {
  const { held, create, sizes } = await holding({}, 2)
  const outcomes = []
  for (let id = 0; id < 4; id++) {
    outcomes.push(create(plant(id)))
    await turn()
  }
  t.same(sizes(), [1, 1], 'as many as it takes')
  for (let n = 0; n < 3; n++) await held.end()
  t.same(sizes(), [1, 1, 2])
  t.same((await Promise.all(outcomes)).flat(), Array(4).fill('created'))
})

t.test('beside others a batch goes when it is as large as they are', async (t) => {
  const { held, create, sizes } = await holding({}, 3)
  const many = (from: number, count: number) =>
    create(...Array.from({ length: count }, (_, index) => plant(from + index)))
  const all = [many(0, 8)]
  await turn()
  all.push(many(10, 3))
  await turn()
  t.same(sizes(), [8], 'few wait')
  all.push(many(20, 5))
  await turn()
  t.same(sizes(), [8, 8], 'until they are as many')
  all.push(many(30, 1))
  await turn()
  t.same(sizes(), [8, 8])
  await held.end()
  t.same(sizes(), [8, 8], 'one batch is still under way')
  await held.end()
  t.same(sizes(), [8, 8, 1], 'with none beside it, any goes')
  all.push(many(40, 1))
  await turn()
  t.same(sizes(), [8, 8, 1, 1], 'a lone one goes beside a lone one')
  await held.end()
  await held.end()
  t.same((await Promise.all(all)).flat(), Array(18).fill('created'))
})

t.test('most of the creates in flight start within the turn if batches overlap', async (t) => {
  const many = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => plant(from + index))
  for (const { concurrency, within, after } of [
    { concurrency: 1, within: [40], after: [40, 40] },
    { concurrency: 2, within: [40, 24], after: [40, 24, 16] }
  ]) {
    const { held, create, sizes } = await holding({}, concurrency)
    const all = [create(...many(0, 40))]
    t.same(sizes(), [], 'how many there are is not known yet')
    await turn()
    await held.end()
    all.push(create(...many(100, 40)))
    t.same(sizes(), within)
    await turn()
    while (held.isHolding) await held.end()
    t.same(sizes(), after, 'the others after them')
    all.push(create(...many(200, 15)))
    t.same(sizes().length, concurrency + 1, 'few wait for more')
    await turn()
    await held.end()
    t.same((await Promise.all(all)).flat(), Array(95).fill('created'))
  }
})

t.test('the share of a batch outlasts smaller ones, and falls with them', async (t) => {
  const { held, create, sizes } = await holding({}, 2)
  let next = 0
  const many = (count: number) => create(...Array.from({ length: count }, () => plant(next++)))
  const committed = async (count: number) => {
    const all = many(count)
    await turn()
    while (held.isHolding) await held.end()
    return all
  }
  await committed(60)
  await committed(5)
  void many(30)
  t.same(sizes(), [60, 5], 'six tenths of 60 are more than 30')
  await turn()
  t.same(sizes(), [60, 5, 30])
  await held.end()
  for (let times = 0; times < 30; times++) await committed(1)
  void many(30)
  t.same(sizes().slice(-2), [1, 16], 'the minimum')
  await held.end()
  await held.end()
})

t.test('a batch that hangs does not hold up the few that come after it', async (t) => {
  const { clock, held, create, sizes } = await holding({}, 2)
  const hanging = create(...Array.from({ length: 100 }, (_, id) => plant(id)))
  await turn()
  const few = create(plant(1_000))
  clock.ms += 10
  while (sizes().length < 2) await turn()
  t.same(sizes(), [100, 1])
  await held.end()
  await held.end()
  await Promise.all([hanging, few])
})

t.test('a create is given up when its time is over', async (t) => {
  const { held, group } = await holding({ timeout: 20 })
  const hangs = t.rejects(
    group.create(plant(1)),
    { message: 'the store cannot commit now' },
    'an adapter that hangs'
  )
  await turn()
  const waits = t.rejects(group.create(plant(2)), StoreUnavailable, 'a wait that is too long')
  await Promise.all([hangs, waits])
  t.equal(held.batches.length, 1, 'the second was not even tried')
  await group.close()
})

t.test('close commits accepted creates', async (t) => {
  const { held, group, create } = await holding()
  const first = create(plant(1))
  await turn()
  const second = create(plant(2))
  const closing = group.close()
  t.same(await create(plant(3)), ['StoreUnavailable'])
  t.equal(await group.ready(), false)
  await held.end()
  t.equal(held.closed, false, 'not before the last batch')
  await held.end()
  await closing
  t.same([await first, await second, held.closed], [['created'], ['created'], true])
  const { held: idle, group: unused } = await holding()
  t.equal(await unused.ready(), true)
  await unused.close()
  t.equal(idle.closed, true, 'at once when nothing waits')
})
