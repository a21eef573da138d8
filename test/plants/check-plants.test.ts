import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openStore } from '../../src/open-store.ts'
import {
  BackgroundCheck,
  type CheckResult,
  type Pace,
  PlantCheck,
  sentenceOf
} from '../../src/plants/check-plants.ts'
import { Plants } from '../../src/plants/plant.ts'
import { NotesRefused, type Store, StoreUnavailable } from '../../src/store/store.ts'
import { until } from '../time.ts'

t.setTimeout(900_000)

const plants = await Plants.load()
/** Longest pause of a timer: a close that waits for it exceeds the time-out of the test. */
const forever = 2 ** 31 - 1

/** Returns a store of 30 plants, of which those with these ids do not fit the contract. */
async function filled(t: Test, wrong: readonly number[], count = 30): Promise<Store> {
  const store = await openStore(`sqlite:${join(t.testdir(), `${count}.db`)}`)
  t.teardown(() => store.close())
  const document = (id: number) => (wrong.includes(id) ? '{"tag":1}' : '{"name":"Aloe"}')
  await Promise.all(
    Array.from({ length: count }, (_, id) => store.create({ id: BigInt(id), document: document(id) }))
  )
  return store
}

interface Line {
  readonly level: 'info' | 'warn'
  readonly message: string
}

function background(store: Store, pace: Partial<Pace> = {}) {
  const lines: Line[] = []
  const log = {
    info: (_details: object, message: string) => void lines.push({ level: 'info', message }),
    warn: (_details: object, message: string) => void lines.push({ level: 'warn', message })
  }
  const check = new BackgroundCheck(store, plants, log, { limit: 10, pauseMs: 0, ...pace })
  return { check, lines }
}

const misfits =
  '2 of 30 stored plants do not fit Plant any more; first id 7: name is required; tag must be string'

/** Returns the store with some members replaced. */
const replaced = (store: Store, members: Partial<Store>): Store =>
  new Proxy(store, {
    get: (target, name) => Reflect.get(members, name) ?? Reflect.get(target, name).bind(target)
  })

t.test('a check names every plant that does not fit, and keeps the result', async (t) => {
  const store = await filled(t, [7, 21])
  const found: string[] = []
  const check = new PlantCheck(store, plants)
  t.equal(await check.kept(), undefined)
  const result = await check.run({
    limit: 10,
    onPage: (_result, page) => void found.push(...page.map(({ id, reason }) => `${id}: ${reason}`))
  })
  t.strictSame(found, ['7: name is required; tag must be string', '21: name is required; tag must be string'])
  t.equal(sentenceOf(result), misfits)
  t.match(await new PlantCheck(store, plants).kept(), {
    checked: 30,
    misfits: 2,
    isDone: true
  })
})

t.test(
  'a start with another contract reports what does not fit, and the next start repeats it',
  async (t) => {
    const store = await filled(t, [7, 21])
    for (const start of ['first', 'second']) {
      const { check, lines } = background(store)
      await check.ended
      t.strictSame(lines, [{ level: 'warn', message: misfits }], start)
      await check.close()
    }
  }
)

t.test('a store in which every plant fits is reported once', async (t) => {
  const store = await filled(t, [])
  const first = background(store)
  await first.check.ended
  t.strictSame(first.lines, [{ level: 'info', message: 'all 30 stored plants fit Plant' }])
  const second = background(store)
  await second.check.ended
  t.strictSame(second.lines, [])
  const { check, lines } = background(await filled(t, [], 0))
  await check.ended
  t.strictSame(lines, [], 'an empty store has nothing to report')
})

t.test('a result is written once, and another process is not overwritten', async (t) => {
  const store = await filled(t, [7])
  const [one, other] = [new PlantCheck(store, plants), new PlantCheck(store, plants)]
  const result = await one.run()
  let writes = 0
  const counting = replaced(store, {
    rewrite: (...given) => {
      writes++
      return store.rewrite(...given)
    }
  })
  const third = new PlantCheck(counting, plants)
  await third.kept()
  await third.keep(result)
  t.equal(writes, 0, 'the same again')
  await other.keep({ ...result, checked: 1 })
  t.match(await new PlantCheck(store, plants).kept(), { checked: 30 }, 'the other one had not read it')
  await other.keep({ ...result, checked: 1 })
  t.match(await new PlantCheck(store, plants).kept(), { checked: 30 }, 'it may have read other plants')
})

t.test('after a change the next start checks again, because others may have written meanwhile', async (t) => {
  const store = await filled(t, [])
  const running = new PlantCheck(store, plants)
  const passed = await running.run()
  await new PlantCheck(store, plants).forget()
  t.match(await new PlantCheck(store, plants).kept(), { checked: 0, isDone: false })
  await running.keep({ ...passed, checked: 1 })
  await running.keep(passed)
  t.match(await new PlantCheck(store, plants).kept(), { isDone: false }, 'nor is an earlier result stored')
  await store.create({ id: 99n, document: '{"tag":1}' })
  const { check, lines } = background(store)
  await check.ended
  t.match(lines, [{ level: 'warn', message: /^1 of 31 stored plants do not fit/ }])
})

t.test('a result that is forgotten while another process stores one', async (t) => {
  const store = await filled(t, [])
  let writes = 0
  const crossed = replaced(store, {
    rewrite: async (...given) => {
      if (writes++ === 0) await new PlantCheck(store, plants).run()
      return store.rewrite(...given)
    }
  })
  await new PlantCheck(crossed, plants).forget()
  t.equal(writes, 2)
  t.match(await new PlantCheck(store, plants).kept(), { checked: 0, isDone: false })
})

/** Returns the store with rewrites that fail, and the number of its reads and writes. */
function withoutNotes(store: Store, failure: (writes: number) => Error | undefined) {
  const count = { pages: 0, writes: 0 }
  const failing = replaced(store, {
    page: (range) => {
      count.pages++
      return store.page(range)
    },
    rewrite: (...given) => {
      const error = failure(++count.writes)
      return error === undefined ? store.rewrite(...given) : Promise.reject(error)
    }
  })
  return { failing, count }
}

t.test('a store that keeps no notes is checked once, and says so once', async (t) => {
  const store = await filled(t, [7, 21])
  const { failing, count } = withoutNotes(store, () => new NotesRefused('no table'))
  const { check, lines } = background(failing, { reportMs: 0, retryMs: 1 })
  await check.ended
  t.same(lines.slice(-2), [
    { level: 'warn', message: misfits },
    { level: 'warn', message: 'each start checks all stored plants' }
  ])
  t.same(count, { pages: 4, writes: 1 })
})

t.test('a result that cannot be stored now is stored later, without another check', async (t) => {
  const store = await filled(t, [7, 21])
  const full = (writes: number) => (writes <= 5 ? new StoreUnavailable('no space') : undefined)
  const { failing, count } = withoutNotes(store, full)
  const { check, lines } = background(failing, { retryMs: 1 })
  await check.ended
  t.same(lines.at(-1), { level: 'warn', message: misfits })
  t.same(count, { pages: 4 + 5, writes: 6 }, 'each attempt reads the end only')
  t.match(await new PlantCheck(store, plants).kept(), { checked: 30, misfits: 2, isDone: true })
})

t.test('a closed check continues at its last position', async (t) => {
  const store = await filled(t, [7, 21])
  const { check, lines } = background(store, { pauseMs: forever })
  while ((await store.note('check')) === undefined && (await firstPage(store))) await check.close()
  t.strictSame(lines, [])
  const kept = (await new PlantCheck(store, plants).kept()) as CheckResult
  t.match(kept, { checked: 10, misfits: 1, after: 9n, isDone: false })
  const resumed = background(store, { reportMs: 0 })
  await resumed.check.ended
  t.match(resumed.lines, [
    { level: 'info', message: 'checking stored plants' },
    { level: 'info', message: 'checking stored plants' },
    { level: 'warn', message: misfits }
  ])
})

/** Resolves after enough time for the first page of a check to be read. */
async function firstPage(store: Store): Promise<boolean> {
  await store.page({ limit: 1 })
  return true
}

t.test('a store that cannot answer is asked again', async (t) => {
  const store = await filled(t, [7, 21])
  let failures = 2
  const failing = replaced(store, {
    page: (range) => (failures-- > 0 ? Promise.reject(new Error('away')) : store.page(range))
  })
  const { check, lines } = background(failing, { retryMs: 1 })
  await check.ended
  t.match(lines, [{ message: /trying again/ }, { message: /trying again/ }, { message: misfits }])
})

t.test('a check that is closed does not wait to ask again', async (t) => {
  const store = await filled(t, [7, 21])
  const away = replaced(store, { note: () => Promise.reject(new Error('away')) })
  const { check, lines } = background(away, { retryMs: forever })
  await until(() => lines.length > 0)
  await check.close()
  t.match(lines, [{ level: 'warn', message: /trying again/ }])
  t.equal(lines.length, 1)
})
