/** Group commit, with an adapter whose commits the test delays. */
import t from 'tap'
import type { Commit } from '../../src/store/group-commit.ts'
import { GroupCommit, type GroupCommitOptions } from '../../src/store/group-commit.ts'
import type { BatchStore } from '../../src/store/store.ts'
import { type StoredPlant, StoreOverloaded, StoreUnavailable } from '../../src/store/store.ts'
import { exported, plant } from './conformance.ts'

const once = () => new Promise((resolve) => setImmediate(resolve))
/** Resolves after the time that a batch waits for more creates. */
const turn = async () => {
  await once()
  await once()
}

/** A store whose commits wait until the test ends them, one by one. */
function holding(options: GroupCommitOptions = {}, concurrency = 1) {
  const batches: StoredPlant[][] = []
  const standing = new Map<bigint, string>()
  const held: PromiseWithResolvers<void>[] = []
  const state = { ms: 0, isClosed: false }
  const store: BatchStore = {
    concurrency,
    commit: async (batch) => {
      const one = Promise.withResolvers<void>()
      held.push(one)
      batches.push([...batch])
      await one.promise
      const met = batch
        .filter(({ id }) => standing.has(id))
        .map(({ id }) => [id, standing.get(id) ?? ''] as const)
      for (const { id, document } of batch) if (!standing.has(id)) standing.set(id, document)
      return new Map(met)
    },
    get: async (id) => standing.get(id),
    page: async (from, limit) => {
      const plants = [...standing].map(([id, document]) => ({ id, document }))
      return plants.filter(({ id }) => id >= from).slice(0, limit)
    },
    note: async () => undefined,
    rewrite: async () => true,
    ready: async () => true,
    close: async () => {
      state.isClosed = true
    }
  }
  // Unless a test sets a time-out, time passes only when the test advances it.
  const clock = options.timeout === undefined ? { now: () => state.ms } : {}
  const group = new GroupCommit(store, { ...clock, ...options })
  const create = (...plants: StoredPlant[]) =>
    Promise.all(plants.map((each) => group.create(each).catch((error: Error) => error.name)))
  return {
    state,
    group,
    standing,
    batches,
    create,
    many: (from: number, count: number) =>
      create(...Array.from({ length: count }, (_, n) => plant(from + n))),
    sizes: () => batches.map((batch) => batch.length),
    /** Ends the oldest commit, and leaves time to answer, and to begin the waiting batch. */
    end: async (error?: Error) => {
      if (error) held.shift()?.reject(error)
      else held.shift()?.resolve()
      await turn()
      await turn()
    },
    endAll: async (end: () => Promise<void>) => {
      while (held.length > 0) await end()
    }
  }
}

const created = (count: number) => Array(count).fill('created')

t.test('creates that arrive during a commit form the next batch', async (t) => {
  const commits: Commit[] = []
  const { group, create, sizes, end } = holding({ onCommit: (commit) => commits.push(commit) })
  const lone = create(plant(1))
  await once()
  t.same(sizes(), [1], 'a lone create goes at once')
  const others = create(plant(2), plant(3))
  await turn()
  const further = create(plant(4))
  await turn()
  t.same([sizes(), group.depth], [[1], 3], 'the others wait')
  await end()
  t.same(await lone, created(1))
  t.same([sizes(), group.depth], [[1, 3], 0])
  await end()
  t.same([...(await others), ...(await further)], created(3))
  t.match(commits, [
    { size: 1, error: undefined, milliseconds: Number },
    { size: 3, error: undefined }
  ])
  t.same(
    await exported(group),
    [1, 2, 3, 4].map((id) => plant(id))
  )
})

t.test('an onCommit that throws neither stops the commits nor ends the process', async (t) => {
  const onCommit = () => {
    throw new Error('secret')
  }
  const { create, end } = holding({ onCommit })
  for (const id of [1, 2]) {
    const one = create(plant(id))
    await once()
    await end()
    t.same(await one, created(1))
  }
})

t.test('a due batch does not wait for the end of a long event-loop turn', async (t) => {
  const { state, group, many, sizes, end } = holding({ maxWaiting: 2 })
  const all = [many(1, 2)]
  state.ms += 20
  all.push(many(3, 1))
  t.same([sizes(), group.depth], [[2], 1], 'and makes room before the queue is full')
  await end()
  await end()
  t.same((await Promise.all(all)).flat(), created(3))
})

t.test('arrival order decides between creates of one id', async (t) => {
  const { standing, create, batches, end } = holding()
  standing.set(2n, plant(2, 'Agave').document)
  const outcomes = create(...[1, 2].flatMap((id) => ['Aloe', 'Agave', 'Aloe'].map((name) => plant(id, name))))
  await turn()
  t.same(batches, [[plant(1, 'Aloe'), plant(2, 'Aloe')]], 'the adapter sees an id once')
  await end()
  t.same(await outcomes, ['created', 'taken', 'replayed', 'taken', 'replayed', 'taken'])
})

t.test('a failing batch fails only its own creates', async (t) => {
  const errors: unknown[] = []
  const { group, create, end } = holding({ onCommit: ({ error }) => errors.push(error) })
  const cause = new Error('no space left')
  const fails = t.rejects(group.create(plant(1)), { name: 'StoreUnavailable', cause })
  await turn()
  const next = create(plant(2), plant(1))
  await end(cause)
  await fails
  await end()
  t.same(await next, created(2))
  t.same(errors, [cause, undefined])
})

t.test('the queue is bounded by count and by characters, and a batch as well', async (t) => {
  for (const options of [{ maxWaiting: 3 }, { maxWaitingCharacters: 3 * plant(0).document.length }]) {
    const { group, many, end } = holding(options)
    const all = [many(1, 1)]
    await turn()
    all.push(many(2, 3))
    await t.rejects(group.create(plant(5)), StoreOverloaded, 'refused at once')
    await end()
    all.push(many(6, 1))
    await end()
    await end()
    t.same((await Promise.all(all)).flat(), created(5), 'and free again')
  }
  const { create, many, sizes, end } = holding()
  void many(0, 1)
  await turn()
  void many(1, 1_500)
  void create(...Array.from({ length: 3 }, (_, id) => plant(id, 'x'.repeat(3_000_000))))
  for (let n = 0; n < 5; n++) await end()
  t.same(sizes(), [1, 1_000, 501, 1, 1], 'by count, and by characters')
})

t.test('a lone create passes whatever its size', async (t) => {
  const { many, end } = holding({ maxWaiting: 0, maxWaitingCharacters: 1 })
  const large = many(1, 1)
  await turn()
  await end()
  t.same(await large, created(1))
})

/** Creates of each turn, or the end of a commit, and the sizes of all batches after it. */
const scenes: readonly (readonly [
  what: string,
  concurrency: number,
  steps: (number | 'end')[],
  sizes: number[][]
])[] = [
  ['as many as the adapter takes', 2, [1, 1, 1, 1, 'end'], [[1], [1, 1], [1, 1], [1, 1], [1, 1, 2]]],
  [
    'beside others a batch goes when it is as large as they are, or lone',
    3,
    [8, 3, 5, 1, 'end', 'end', 1],
    [[8], [8], [8, 8], [8, 8], [8, 8], [8, 8, 1], [8, 8, 1, 1]]
  ]
]

for (const [what, concurrency, steps, wanted] of scenes) {
  t.test(`several batches are in flight: ${what}`, async (t) => {
    const { many, sizes, end, endAll } = holding({}, concurrency)
    const all: Promise<string[]>[] = []
    for (const [index, step] of steps.entries()) {
      if (step === 'end') await end()
      else all.push(many(index * 10, step))
      await turn()
      t.same(sizes(), wanted[index], `${step}`)
    }
    await endAll(end)
    const outcomes = (await Promise.all(all)).flat()
    t.same(outcomes, created(outcomes.length))
  })
}

t.test('most of the creates in flight start within the turn if batches overlap', async (t) => {
  for (const [concurrency, within, after] of [
    [1, [40], [40, 40]],
    [2, [40, 24], [40, 24, 16]]
  ] as const) {
    const { many, sizes, end, endAll } = holding({}, concurrency)
    const all = [many(0, 40)]
    t.same(sizes(), [], 'how many there are is not known yet')
    await turn()
    await end()
    all.push(many(100, 40))
    t.same(sizes(), within)
    await turn()
    await endAll(end)
    t.same(sizes(), after, 'the others after them')
    all.push(many(200, 15))
    t.same(sizes().length, concurrency + 1, 'few wait for more')
    await turn()
    await end()
    t.same((await Promise.all(all)).flat(), created(95))
  }
})

t.test('a batch that hangs does not hold up the few that come after it', async (t) => {
  const { state, many, sizes, end } = holding({}, 2)
  const all = [many(0, 100)]
  await turn()
  all.push(many(1_000, 1))
  state.ms += 10
  while (sizes().length < 2) await turn()
  t.same(sizes(), [100, 1])
  await end()
  await end()
  await Promise.all(all)
})

t.test('a create is given up when its time is over', async (t) => {
  const { group, batches } = holding({ timeout: 20 })
  const message = 'the store cannot commit now'
  const hangs = t.rejects(group.create(plant(1)), { message }, 'an adapter that hangs')
  await turn()
  const waits = t.rejects(group.create(plant(2)), StoreUnavailable, 'a wait that is too long')
  await Promise.all([hangs, waits])
  t.equal(batches.length, 1, 'the second was not even tried')
  await group.close()
})

t.test('close commits accepted creates', async (t) => {
  const { state, group, many, end } = holding()
  const all = [many(1, 1)]
  await turn()
  all.push(many(2, 1))
  const closing = group.close()
  t.same(await many(3, 1), ['StoreUnavailable'])
  t.equal(await group.ready(), false)
  await end()
  t.equal(state.isClosed, false, 'not before the last batch')
  await end()
  await closing
  t.same([...(await Promise.all(all)).flat(), state.isClosed], ['created', 'created', true])
  const { state: idle, group: unused } = holding()
  t.equal(await unused.ready(), true)
  await unused.close()
  t.equal(idle.isClosed, true, 'at once when nothing waits')
})
