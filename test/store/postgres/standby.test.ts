/** A primary and its synchronous standby: https://www.postgresql.org/docs/18/warm-standby.html. */
import t from 'tap'
import { openStore } from '../../../src/open-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { sleep, until } from '../../time.ts'
import { exported, keepsItsWord, loadOn, plant } from '../conformance.ts'
import { type Cluster, startPair, urlOf } from './cluster.ts'

t.setTimeout(900_000)

const quick = '?statement_timeout=300&connect_timeout=1'
const ids = Array.from({ length: 12 }, (_, id) => id)

/** Number of commits that wait for the standby. */
async function waiting(primary: Cluster): Promise<number> {
  const rows = await primary.query(
    (sql) =>
      sql`select 1 from pg_stat_activity where wait_event = 'SyncRep' and application_name = 'plant-store'`
  )
  return rows.length
}

/** Ends the waits of all commits by a function of PostgreSQL. */
const each = (name: string) => (primary: Cluster) =>
  primary.query((sql) => sql.unsafe(`select ${name}(pid) from pg_stat_activity where wait_event = 'SyncRep'`))

/** Makes commits visible that no standby has. */
const faults: [what: string, cause: (primary: Cluster) => Promise<unknown>][] = [
  ['a crash and a restart', (primary) => primary.stop().then(() => primary.start())],
  ['a fast restart', (primary) => primary.shutDown().then(() => primary.start())],
  ['a terminated connection', each('pg_terminate_backend')],
  ['a cancelled wait', each('pg_cancel_backend')]
]

for (const [what, cause] of faults) {
  t.test(`no plant is acknowledged from a row that no standby has, after ${what}`, async (t) => {
    const { primary, standby } = await startPair(t)
    const store = await openStore(`${primary.url()}${quick}`, { timeout: 2_000 })
    t.equal(await store.create(plant(100)), 'created')
    await standby.stop()
    const acknowledged: number[] = []
    const create = (by: Store, name: string) => async (id: number) => {
      const outcome = await by.create(plant(id, name)).catch(() => 'none')
      if (outcome !== 'none') acknowledged.push(id)
      return outcome
    }
    const first = ids.map(create(store, 'Aloe'))
    await until(async () => (await waiting(primary)) > 0)
    await cause(primary)
    const visible = () => primary.query((sql) => sql`select 1 from plants`)
    // The primary shows plants that its standby does not have.
    await until(async () => (await visible()).length > 1)
    t.ok((await visible()).length > 1)
    t.same(new Set(await Promise.all(first)), new Set(['none']))
    const others = await openStore(`${primary.url()}${quick}`, { timeout: 2_000 })
    const again = [...ids.map(create(others, 'Aloe')), ...ids.map(create(others, 'Agave'))]
    t.same(new Set(await Promise.all(again)), new Set(['none']), 'neither the same plants nor different ones')
    await primary.stop()
    await Promise.all([store.close(), others.close()])
    await standby.start()
    await standby.query((sql) => sql`select pg_promote()`)
    const promoted = await openStore(`${standby.url()}${quick}`)
    const found = (await exported(promoted)).map(({ id }) => Number(id))
    t.same(
      acknowledged.filter((id) => !found.includes(id)),
      [],
      'the promoted standby has what was acknowledged'
    )
    t.same(found, [100])
    await promoted.close()
  })
}

// One connection is used: with more, an opening one would notice the frozen server instead of the one in use.
const oneConnection = '?target_session_attrs=read-write&statement_timeout=500&connect_timeout=1&max=1'

const losses: [what: string, lose: (primary: Cluster) => Promise<void>][] = [
  ['killed', (primary) => primary.stop()],
  ['frozen', (primary) => primary.freeze()]
]

for (const [what, lose] of losses) {
  t.test(`a primary ${what} and its standby promoted under load`, async (t) => {
    const { primary, standby } = await startPair(t)
    const store = await openStore(urlOf({ primary, standby }, oneConnection))
    const load = loadOn(store)
    await load.progress(2_000)
    await t.rejects(openStore(standby.url()), { message: /^PostgreSQL at 127\.0\.0\.1:\d+ is read-only$/ })
    await lose(primary)
    await sleep(200)
    t.equal(await store.ready(), false, 'a standby alone is no store, though it stands first in the URL')
    await standby.query((sql) => sql`select pg_promote()`)
    await load.progress(2_000)
    t.equal(await store.ready(), true)
    await load.stop()
    t.same(load.failures, new Map(), 'creates waited for the new primary')
    await keepsItsWord(t, load, store)
    await store.close()
  })
}

const { primary, standby } = await startPair(t)
const twoConnections = '?max=2&statement_timeout=300'
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
  const store = await openStore(`${primary.url()}${twoConnections}`, { timeout: 400 })
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
  const store = await openStore(`${primary.url()}${twoConnections}`)
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

/** Number of transactions of a process that makes these creates. */
async function transactions(name: string, ids: readonly number[]): Promise<number> {
  const url = primary.url(name)
  const count = async () => {
    const [row] = await primary.query(
      (sql) => sql<{ count: string }[]>`
        select xact_commit + xact_rollback as count from pg_stat_database where datname = ${name}`
    )
    return Number(row?.count)
  }
  const before = await count()
  const store = await openStore(url)
  for (const id of ids) await store.create(plant(id))
  await store.close()
  // A backend reports its transactions at its end.
  await until(async () => {
    const rows = await primary.query((sql) => sql`select 1 from pg_stat_activity where datname = ${name}`)
    return rows.length === 0
  })
  return (await count()) - before
}

t.test('a create of a free id is one transaction, and of a taken one two', async (t) => {
  await primary.database('counted')
  await transactions('counted', [0])
  const opening = await transactions('counted', [])
  const ids = [1, 2, 3, 4, 5, 6, 7]
  t.equal((await transactions('counted', ids)) - opening, ids.length)
  t.equal((await transactions('counted', ids)) - opening, 2 * ids.length)
})

const lacks: [what: string, name: string, change: string][] = [
  ['an engine without the function', 'foreign_engine', 'alter function %s rename to gone'],
  ['a role that may not call it', 'restricted', 'revoke execute on function %s from public']
]
for (const [what, name, change] of lacks) {
  t.test(`taken ids are looked up by a row lock: ${what}`, async (t) => {
    const url = new URL(await primary.database(name))
    await primary.query(async (sql) => {
      await sql.unsafe(
        change.replace('%s', 'pg_catalog.pg_logical_emit_message(boolean, text, text, boolean)')
      )
      await sql.unsafe(
        'create table plants (id bigint primary key, document json not null); ' +
          `create role ${name} login password 'secret'; grant select, insert, update on plants to ${name}`
      )
    }, name)
    url.username = name
    url.password = 'secret'
    const store = await openStore(`${url.href}${quick}`, { timeout: 500 })
    const create = (id: number, by?: string) => store.create(plant(id, by)).catch(() => 'none')
    t.equal(await store.ready(), true, 'ready without the function')
    t.same([await create(1), await create(1), await create(1, 'Agave')], ['created', 'replayed', 'taken'])
    await standby.stop()
    t.same([await create(1), await create(1, 'Agave')], ['none', 'none'], 'the lock waits for the standby')
    await standby.start()
    await until(async () => (await create(1)) === 'replayed')
    t.equal(await create(1, 'Agave'), 'taken')
    await store.close()
  })
}

t.test('a taken id is not answered where neither the function nor the lock is allowed', async (t) => {
  await primary.query((sql) => sql`revoke update on plants from restricted`, 'restricted')
  const url = new URL(primary.url('restricted'))
  url.username = 'restricted'
  url.password = 'secret'
  const store = await openStore(url.href)
  for (const _ of ['first', 'second'])
    await t.rejects(store.create(plant(1)), { name: 'StoreUnavailable', cause: { code: '42501' } })
  t.equal(await store.create(plant(2)), 'created')
  await store.close()
})
