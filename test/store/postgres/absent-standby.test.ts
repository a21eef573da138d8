/** Commits that do not end, because the synchronous standby is away: connections and readiness. */
import t from 'tap'
import { openStore } from '../../../src/store/open.ts'
import type { Store } from '../../../src/store/store.ts'
import { sleep, until } from '../../time.ts'
import { plant } from '../conformance.ts'
import { startPair } from './pair.ts'

t.setTimeout(900_000)

const pair = await startPair(t)
const { primary, standby } = pair
const parameters = '?max=2&statement_timeout=300'
/** Connections of a process: `max`, and one for reads and probes. */
const bound = 3

async function backends(): Promise<number[]> {
  const rows = await primary.query(
    (sql) => sql<{ pid: number }[]>`select pid from pg_stat_activity where application_name = 'plant-store'`
  )
  return rows.map(({ pid }) => pid)
}

const end = (name: string, pid: number) =>
  primary.query((sql) => sql`select ${sql.unsafe(name)}(${pid}::int)`)

/** Creates until the store is closed; returns the names of failures. */
function createWithoutPause(store: Store, from: number, failures: Set<string>): Promise<void>[] {
  let next = from
  let isClosed = false
  const work = async () => {
    while (!isClosed)
      await store.create(plant(next++)).catch((error: Error) => {
        failures.add(error.name)
        isClosed = /is closing/.test(error.message)
      })
  }
  return Array.from({ length: 8 }, work)
}

t.test('connections are bounded and ready stays no until commits end again', async (t) => {
  const store = await openStore(`${primary.url()}${parameters}`, { timeout: 400 })
  t.equal(await store.create(plant(0)), 'created')
  t.equal(await store.ready(), true)
  await standby.stop()
  const failures = new Set<string>()
  const workers = createWithoutPause(store, 100, failures)
  await until(async () => !(await store.ready()))
  for (let round = 0; round < 12; round++) {
    t.equal(await store.ready(), false, 'not ready')
    const pids = await backends()
    t.ok(pids.length <= bound, `${pids.length} connections`)
    t.equal(await store.get(0n), plant(0).document, 'plants are read meanwhile')
    const [pid] = pids
    if (round % 4 === 3 && pid !== undefined) await end('pg_terminate_backend', pid)
    await sleep(600)
  }
  t.same([...failures], ['StoreUnavailable'])
  await standby.start()
  await until(() => store.ready())
  t.equal(await store.ready(), true)
  t.ok((await backends()).length <= bound)
  await until(async () => (await store.create(plant(1)).catch(() => 'none')) !== 'none')
  t.equal(await store.create(plant(2)), 'created')
  await store.close()
  await Promise.all(workers)
})

t.test('a process that starts while the standby is away is not ready', async (t) => {
  await standby.stop()
  const store = await openStore(`${primary.url()}${parameters}`)
  for (let round = 0; round < 8; round++) {
    t.equal(await store.ready(), false)
    const pids = await backends()
    t.ok(pids.length <= bound)
    if (round === 3) for (const pid of pids) await end('pg_terminate_backend', pid)
  }
  await primary.freeze()
  for (let round = 0; round < 4; round++) t.equal(await store.ready(), false, 'frozen as well')
  primary.thaw()
  await until(async () => !(await store.ready()) && (await backends()).length <= bound)
  t.ok((await backends()).length <= bound, 'the lost connections leave no backends')
  await standby.start()
  await until(() => store.ready())
  t.equal(await store.ready(), true)
  await store.close()
})
