/** The change of stored plants by a user's function, in a separate thread. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openStore } from '../../src/open-store.ts'
import { type ChangeOptions, changePlants } from '../../src/plants/change-plants.ts'
import { fromNote } from '../../src/plants/check-plants.ts'
import { Plants, stored } from '../../src/plants/plant.ts'
import type { Store } from '../../src/store/store.ts'
import { exported } from '../store/conformance.ts'

t.setTimeout(900_000)

const plants = await Plants.load()
const { digest } = plants
let files = 0

async function filled(t: Test, count: number): Promise<Store> {
  const store = await openStore(`sqlite:${join(t.testdir({ '.keep': '' }), 'plants.db')}`)
  t.teardown(() => store.close())
  const ids = Array.from({ length: count }, (_, id) => id)
  for (let from = 0; from < count; from += 1_000)
    await Promise.all(
      ids.slice(from, from + 1_000).map((id) => store.create(stored({ id: BigInt(id), name: `plant ${id}` })))
    )
  return store
}

/** @param body body of the default export */
function change(t: Test, body: string, options: Partial<ChangeOptions> = {}): ChangeOptions {
  const file = join(t.testdirName, `change${files++}.mjs`)
  writeFileSync(file, body.includes('export') ? body : `export default ${body}`)
  return { file, source: body, digest, ...options }
}

const mark = "plant => ({ ...plant, tag: (plant.tag ?? '') + 'x' })"
const tags = async (store: Store): Promise<string[]> =>
  (await exported(store)).map(({ document }) => (JSON.parse(document) as { tag?: string }).tag ?? '')

t.test('every plant is passed through the function, and written once', async (t) => {
  const store = await filled(t, 2_500)
  const options = change(t, mark)
  const phases: string[] = []
  const outcome = await changePlants(store, {
    ...options,
    onPage: ({ seen }, phase) => void phases.push(`${phase} ${seen}`)
  })
  t.match(outcome, { wasDone: false, resumedAfter: undefined, state: { seen: 2_500, changed: 2_500 } })
  t.strictSame(phases, ['try 1000', 'try 2000', 'try 2500', 'write 1000', 'write 2000', 'write 2500'])
  t.same(new Set(await tags(store)), new Set(['x']))
  t.match(await changePlants(store, options), { wasDone: true, state: { changed: 2_500 } })
  t.same(new Set(await tags(store)), new Set(['x']), 'the same command again changes nothing')
  await changePlants(store, { ...options, isAgain: true })
  t.same(new Set(await tags(store)), new Set(['xx']), 'unless it is asked to')
})

t.test(
  'a function may be asynchronous, gets the id as a bigint, and may leave a plant as it is',
  async (t) => {
    const store = await filled(t, 3)
    const body =
      "async plant => { if (typeof plant.id !== 'bigint') throw 1; return plant.id === 1n ? { ...plant, name: 'Aloe', other: 1 } : plant }"
    t.match(await changePlants(store, change(t, body)), { state: { seen: 3, changed: 1 } })
    t.strictSame(
      (await exported(store)).map(({ document }) => document),
      ['{"name":"plant 0"}', '{"name":"Aloe"}', '{"name":"plant 2"}']
    )
  }
)

t.test('a dry run reports what would change, and writes nothing', async (t) => {
  const store = await filled(t, 2)
  const would: string[] = []
  await changePlants(
    store,
    change(t, mark, {
      isDryRun: true,
      onPage: (_state, _phase, list) => void would.push(...list.map(({ after }) => after))
    })
  )
  t.strictSame(would, ['{"name":"plant 0","tag":"x"}', '{"name":"plant 1","tag":"x"}'])
  t.strictSame(await tags(store), ['', ''])
  t.equal(await store.note('change'), undefined)
})

t.test('the module begins anew before plants are written', async (t) => {
  const store = await filled(t, 3)
  await changePlants(
    store,
    change(t, 'let count = 0; export default plant => ({ ...plant, tag: String(++count) })')
  )
  t.strictSame(await tags(store), ['1', '2', '3'])
})

/** Body of a loop that takes almost no CPU time. */
const wait = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)'

const thrown = 'plant 1500: the change function threw'
const inPlace = (what: string) => `plant 0: the change function returned ${what} in place of a plant`
const at1500 = (statement: string) => `({ id }) => { ${statement}; return { id, name: 'x' } }`
const later = "setImmediate(() => { throw new Error('no') })"

/**
 * Bodies of functions that are refused, with the reason. Only those that wait for their limit have a short one: on a
 * stalled machine every thread starts slowly, and so does a batch.
 */
const refused: readonly (readonly [body: string, reason: string | RegExp, maxMs?: number])[] = [
  [at1500("if (id === 1500n) throw new Error('no')"), `${thrown} Error: no`],
  ["async () => { throw new TypeError('no') }", 'plant 0: the change function threw TypeError: no'],
  [
    at1500('if (id === 1500n) return { id, tag: 1 }'),
    'plant 1500: the changed plant does not fit the contract: name is required; tag must be string'
  ],
  ['plant => ({ ...plant, id: 7n })', 'plant 0: the change function changed the id to 7'],
  ['() => []', inPlace('a list')],
  [
    at1500("const plant = { id, name: 'x' }; plant.tag = plant; return plant"),
    /^plant 0: Converting circular/
  ],
  [
    at1500(`while (id === 1500n) ${wait}`),
    'plant 1500: the change function did not return within 2 s',
    2_000
  ],
  [
    at1500('if (id === 1500n) return new Promise(() => {})'),
    'plant 1500: the change function did not return within 2 s',
    2_000
  ],
  [at1500('if (id === 1500n) process.exit()'), 'plant 1500: the change function ended its thread'],
  [
    at1500(
      `if (id === 1500n) { ${later}; return new Promise((done) => setTimeout(done, 200, { id, name: 'x' })) }`
    ),
    'plant 1500: the change function ended its thread: Error: no'
  ],
  ['42', /has no function as its default export$/],
  ['export default (', /cannot be loaded: Unexpected end of input$/],
  [`for (;;) ${wait}; export default 1`, 'the change function did not return within 3 s', 300],
  ['await new Promise(() => {}); export default 1', 'the change function ended its thread']
]

t.test('a function that is refused is named with id and reason, and nothing is written', async (t) => {
  const store = await filled(t, 1_600)
  const text = async () => (await exported(store)).map(({ id, document }) => `${id} ${document}`).join('\n')
  const before = await text()
  for (const [body, message, maxMs = 60_000] of refused) {
    const changing = changePlants(store, change(t, body, { maxMs }))
    await t.rejects(changing, { name: 'ChangeError', message }, body)
    t.equal(await text(), before)
    t.equal(await store.note('change'), undefined)
  }
})

/** Returns a store that fails after `count` rewrites, as after a kill. */
function interrupted(store: Store, count: number): Store {
  let left = count
  return {
    note: (name) => store.note(name),
    page: (range) => store.page(range),
    rewrite: (...given) => (left-- > 0 ? store.rewrite(...given) : Promise.reject(new Error('killed')))
  } as Store
}

t.test('an interrupted change continues after the last batch', async (t) => {
  const store = await filled(t, 2_500)
  const options = change(t, mark)
  await t.rejects(changePlants(interrupted(store, 2), options), { message: 'killed' })
  t.equal((await tags(store)).filter((tag) => tag === 'x').length, 2_000)
  t.match(await changePlants(store, options), {
    resumedAfter: 1_999n,
    state: { seen: 2_500, changed: 2_500 }
  })
  t.same(new Set(await tags(store)), new Set(['x']), 'nothing is changed twice')
})

t.test('another function does not continue an interrupted change, unless the option says so', async (t) => {
  const store = await filled(t, 1_500)
  await t.rejects(changePlants(interrupted(store, 1), change(t, mark)), { message: 'killed' })
  const other = change(t, "plant => ({ ...plant, tag: 'other' })")
  await t.rejects(changePlants(store, other), {
    name: 'ChangeError',
    message: /^another change was interrupted after 1,000 plants, the last one 999: run it again/
  })
  t.equal((await tags(store)).filter((tag) => tag === 'other').length, 0)
  await changePlants(store, { ...other, isContinued: true })
  t.equal((await tags(store)).filter((tag) => tag === 'other').length, 500)
  t.match(fromNote(await store.note('change')), { isDone: true })
})

t.test('two changes at once: one is refused, and no plant is changed twice', async (t) => {
  const store = await filled(t, 2_500)
  const options = change(t, mark)
  const outcomes = await Promise.allSettled([changePlants(store, options), changePlants(store, options)])
  const problems = outcomes.flatMap((each) =>
    each.status === 'rejected' ? [String(each.reason.message)] : []
  )
  t.strictSame(problems, ['something else changes the stored plants at this moment: run it again'])
  t.same(new Set(await tags(store)), new Set(['x']))
})
