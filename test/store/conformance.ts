/** The behaviour of every store. The test of each adapter runs this suite. */
import type { Test } from 'tap'
import type { Store, StoredPlant } from '../../src/store/store.ts'
import { everyPage, StoreUnavailable } from '../../src/store/store.ts'

/** Opens the same store again, each time anew; `name` identifies the store. */
export type Open = (name: string) => Promise<Store>

const ids = [
  0n,
  1n,
  -1n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
  -(2n ** 53n) - 1n
]

/** Strings that some store, driver or text protocol changes. */
const strings = {
  empty: '',
  NUL: '\u0000',
  'NUL inside': 'a\u0000b',
  controls: String.fromCharCode(...Array.from({ length: 32 }, (_, code) => code)),
  'quotes and backslashes': '\'"`\\ \\\\ \\" {"a":1} \\u0000 {1,2,NULL} \\N',
  'high surrogate alone': '\ud800',
  'low surrogate alone': 'a\udc00b',
  'surrogates the wrong way round': '\udc00\ud800',
  astral: '\u{1F331}\u{10FFFF}',
  noncharacters: '\ufffe\uffff\ufeff',
  'decomposed and composed': 'e\u0301 \u00e9',
  'right to left': '\u202eabc\u202c',
  'line separators': 'a\u2028b\u2029c\r\nd',
  SQL: "'); DROP TABLE plants; --",
  'a number': '12',
  null: 'null',
  'trailing space': 'a  ',
  'one million characters': 'x'.repeat(1_000_000),
  'three bytes each': '\u2603'.repeat(300_000)
}

export function plant(id: bigint | number, name = 'Monstera', tag?: string): StoredPlant {
  return { id: BigInt(id), document: JSON.stringify({ name, tag }) }
}

/** Iterates over all plants in id order. */
export async function* everyPlant(store: Store): AsyncGenerator<StoredPlant> {
  for await (const page of everyPage(store)) yield* page
}

export async function exported(store: Store): Promise<StoredPlant[]> {
  return Array.fromAsync(everyPlant(store))
}

async function isExact(t: Test, open: Open): Promise<void> {
  const plants = [
    ...ids.map((id) => plant(id)),
    ...Object.entries(strings).map(([name, text], index) => plant(100 + index, text, name))
  ]
  const store = await open('exact')
  t.same(new Set(await Promise.all(plants.map((each) => store.create(each)))), new Set(['created']))
  await store.close()
  const again = await open('exact')
  const wanted = plants.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const found = await exported(again)
  t.same(
    found.map(({ id }) => id),
    wanted.map(({ id }) => id),
    'every id, in order, after it was opened again'
  )
  for (const [index, { id, document }] of wanted.entries()) {
    t.ok(found[index]?.document === document, `the document of ${id} is exact`)
  }
  t.same(new Set(await Promise.all(plants.map((each) => again.create(each)))), new Set(['replayed']))
  await again.close()
}

async function decides(t: Test, open: Open): Promise<void> {
  const store = await open('decides')
  t.equal(await store.create(plant(1, 'Aloe')), 'created')
  t.equal(await store.create(plant(1, 'Aloe')), 'replayed')
  t.equal(await store.create(plant(1, 'Agave')), 'taken')
  t.equal(await store.create(plant(1, 'Aloe', 'vera')), 'taken', 'a further field makes another plant')
  t.same(await exported(store), [plant(1, 'Aloe')], 'nothing changed')

  const together = ['Aloe', 'Agave', 'Aloe', 'Aloe', 'Agave'].map((name) => store.create(plant(2, name)))
  t.same(
    await Promise.all(together),
    ['created', 'taken', 'replayed', 'replayed', 'taken'],
    'arrival order decides'
  )
  const late = ['Agave', 'Aloe', 'Agave'].map((name) => store.create(plant(1, name)))
  t.same(await Promise.all(late), ['taken', 'replayed', 'taken'], 'against what stood before, too')
  await store.close()
}

async function races(t: Test, open: Open): Promise<void> {
  const stores = await Promise.all([open('races'), open('races'), open('races')])
  const race = Array.from({ length: 600 }, (_, n) => ({
    id: n % 50,
    name: `plant ${n % 7}`,
    store: stores[n % 3]
  }))
  const outcomes = await Promise.all(
    race.map(async ({ id, name, store }) => ({ id, name, outcome: await store?.create(plant(id, name)) }))
  )
  const [store] = stores
  const found = store ? await exported(store) : []
  const names = new Map(found.map(({ id, document }) => [Number(id), String(JSON.parse(document).name)]))
  t.equal(names.size, 50)
  for (const { id, name, outcome } of outcomes) {
    if ((outcome === 'taken') === (names.get(id) === name)) t.fail(`${id} ${name} was ${outcome}`)
  }
  t.equal(outcomes.filter(({ outcome }) => outcome === 'created').length, 50, 'one creator for each id')
  await Promise.all(stores.map((each) => each.close()))
}

async function exports(t: Test, open: Open): Promise<void> {
  const store = await open('exports')
  t.same(await exported(store), [], 'none at first')
  await Promise.all(Array.from({ length: 2_000 }, (_, n) => store.create(plant(n))))
  const seen: bigint[] = []
  for await (const { id } of everyPlant(store)) {
    seen.push(id)
    if (seen.length === 10) t.equal(await store.create(plant(10_000)), 'created', 'creates go on meanwhile')
  }
  t.same(
    seen,
    seen.toSorted((a, b) => Number(a - b))
  )
  t.ok(seen.length >= 2_000)
  for await (const _ of everyPlant(store)) break
  t.equal(await store.create(plant(10_001)), 'created', 'creates go on after an export that was left early')
  await store.close()
}

async function reads(t: Test, open: Open): Promise<void> {
  const store = await open('reads')
  t.equal(await store.get(1n), undefined, 'no such plant')
  t.same(await store.page({ limit: 10 }), [], 'an empty page of an empty store')
  const few = ids.map((id) => plant(id, `plant ${id}`)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  for (const each of few) {
    await store.create(each)
    t.equal(await store.get(each.id), each.document, `${each.id} is read as soon as it is acknowledged`)
    t.same((await store.page({ after: each.id - 1n, limit: 1 })).slice(0, 1), [each])
  }
  t.same(await store.page({ limit: 1_000 }), few)
  t.same(await store.page({ limit: 3 }), few.slice(0, 3))
  t.same(await store.page({ after: few[2]?.id, limit: 4 }), few.slice(3, 7))
  t.same(await store.page({ after: 2n ** 63n - 1n, limit: 4 }), [], 'nothing comes after the largest id')
  t.same(await store.page({ after: 5n, limit: 1 }), [few.find(({ id }) => id > 5n)], 'after may be any id')
  await Promise.all(Array.from({ length: 1_500 }, (_, n) => store.create(plant(100 + n))))
  const page = await store.page({ after: 99n, limit: 1_000 })
  t.same(
    page.map(({ id }) => id),
    Array.from({ length: 1_000 }, (_, n) => BigInt(100 + n)),
    'a page of small plants is full'
  )
  await store.close()
  await t.rejects(store.get(1n), StoreUnavailable, 'no read after close')
  await t.rejects(store.page({ limit: 1 }), StoreUnavailable)
}

async function rewrites(t: Test, open: Open): Promise<void> {
  const store = await open('rewrites')
  await Promise.all([1, 2, 3].map((id) => store.create(plant(id, 'Aloe'))))
  t.equal(await store.note('progress'), undefined, 'no such note')
  const change = (id: number, from: string, to: string) => ({
    id: BigInt(id),
    before: plant(id, from).document,
    after: plant(id, to).document
  })
  const first = { name: 'progress', before: undefined, after: '1' }
  t.equal(await store.rewrite([change(1, 'Aloe', 'Agave'), change(2, 'Aloe', strings.NUL)], first), true)
  const changed = [plant(1, 'Agave'), plant(2, strings.NUL), plant(3, 'Aloe')]
  t.same([await exported(store), await store.note('progress')], [changed, '1'])
  t.equal(await store.rewrite([change(1, 'Aloe', 'Agave')], first), true, 'the same again is done already')
  const refused: [what: string, replacements: ReturnType<typeof change>[], before: string | undefined][] = [
    ['a note that is not there any more', [change(3, 'Aloe', 'x')], undefined],
    ['a note with another text', [change(3, 'Aloe', 'x')], '0'],
    ['a note alone, with another text', [], '0'],
    ['a document with another text', [change(3, 'Aloe', 'x'), change(1, 'Aloe', 'x')], '1'],
    ['a plant that does not exist', [change(3, 'Aloe', 'x'), change(4, 'Aloe', 'x')], '1']
  ]
  for (const [what, replacements, before] of refused) {
    t.equal(await store.rewrite(replacements, { name: 'progress', before, after: '2' }), false, what)
    t.same([await exported(store), await store.note('progress')], [changed, '1'], 'and nothing changed')
  }
  t.equal(await store.rewrite([], { name: 'progress', before: '1', after: '2' }), true)
  t.equal(await store.create(plant(4)), 'created', 'creates go on')
  await store.close()
  const again = await open('rewrites')
  t.equal(await again.note('progress'), '2', 'after it was opened again')
  await again.close()
}

async function pagesByBytes(t: Test, open: Open): Promise<void> {
  const store = await open('heavy')
  const heavy = Array.from({ length: 40 }, (_, n) => plant(n, 'x'.repeat(n % 2 ? 400_000 : 4)))
  await Promise.all(heavy.map((each) => store.create(each)))
  const first = await store.page({ limit: 40 })
  t.ok(first.length > 1 && first.length < 40, 'a page of large plants is cut')
  const found = await exported(store)
  t.ok(found.length === heavy.length && found.every(({ document }, n) => document === heavy[n]?.document))
  await store.close()
}

async function closes(t: Test, open: Open): Promise<void> {
  const store = await open('closes')
  t.equal(await store.ready(), true)
  const accepted = Array.from({ length: 100 }, (_, n) => store.create(plant(n)))
  const closing = store.close()
  await t.rejects(store.create(plant(1_000)), StoreUnavailable, 'no create after close')
  t.equal(await store.ready(), false)
  t.same(new Set(await Promise.all(accepted)), new Set(['created']), 'what was accepted is committed')
  await closing
  t.equal(store.close(), store.close(), 'closes once')
  const again = await open('closes')
  t.equal((await exported(again)).length, 100)
  await again.close()
}

export async function conformance(t: Test, open: Open): Promise<void> {
  await t.test('ids and documents are exact', (t) => isExact(t, open))
  await t.test('the first create of an id stands', (t) => decides(t, open))
  await t.test('stores that share their data race for the same ids', (t) => races(t, open))
  await t.test('export is in id order while creates go on', (t) => exports(t, open))
  await t.test('reads see acknowledged plants', (t) => reads(t, open))
  await t.test('documents and a note change together or not at all', (t) => rewrites(t, open))
  await t.test('export passes heavy documents', (t) => pagesByBytes(t, open))
  await t.test('close commits accepted creates', (t) => closes(t, open))
}

/** Creates without pause, and records the ids that were sent and acknowledged. */
export class Load {
  readonly sent: Set<bigint>
  readonly acknowledged: Set<bigint>
  readonly failures = new Map<string, number>()
  readonly #workers: Promise<void>[]
  #running = true
  #next: bigint

  /** @param previous load that this one continues */
  constructor(create: (id: bigint) => Promise<unknown>, workers = 32, previous?: Load) {
    this.sent = new Set(previous?.sent)
    this.acknowledged = new Set(previous?.acknowledged)
    this.#next = BigInt(this.sent.size)
    this.#workers = Array.from({ length: workers }, () => this.#work(create))
  }

  async #work(create: (id: bigint) => Promise<unknown>): Promise<void> {
    while (this.#running) {
      const id = this.#next++
      this.sent.add(id)
      try {
        await create(id)
        this.acknowledged.add(id)
      } catch (error) {
        const { name } = error as Error
        this.failures.set(name, (this.failures.get(name) ?? 0) + 1)
      }
    }
  }

  /** Waits until `count` more were acknowledged. */
  async progress(count = 500): Promise<void> {
    const target = this.acknowledged.size + count
    while (this.#running && this.acknowledged.size < target)
      await new Promise((resolve) => setTimeout(resolve, 5))
  }

  async stop(): Promise<void> {
    this.#running = false
    await Promise.all(this.#workers)
  }
}

export function loadOn(store: Store): Load {
  return new Load((id) => store.create(plant(id)))
}

/** Asserts that acknowledged ids are stored, and stored ids were sent. */
export async function keepsItsWord(t: Test, { sent, acknowledged }: Load, store: Store): Promise<void> {
  const stored = new Set<bigint>()
  for await (const { id } of everyPlant(store)) stored.add(id)
  t.equal(acknowledged.difference(stored).size, 0, `of ${acknowledged.size} acknowledged none is lost`)
  t.equal(stored.difference(sent).size, 0, `of ${stored.size} stored all were sent`)
}
