/** A real PostgreSQL 18 that is stopped, frozen, started and backed up under load. */
import type postgres from 'postgres'
import t from 'tap'
import { openStore } from '../../../src/open-store.ts'
import { sleep, until } from '../../time.ts'
import { everyPlant, exported, keepsItsWord, loadOn, plant } from '../conformance.ts'
import { Cluster } from './cluster.ts'

t.setTimeout(900_000)

// The cluster is separate and has few databases: after a crash PostgreSQL flushes every file that it has.
const cluster = await Cluster.create()
t.teardown(() => cluster.remove())
await cluster.start()

const open = async (name: string) => openStore(await cluster.database(name))

t.test('no default of a role or a database turns the flush off', async (t) => {
  const url = await cluster.database('flushed')
  await cluster.query((sql) => sql`alter database flushed set synchronous_commit = off`)
  await cluster.query((sql) => sql`alter role postgres set synchronous_commit = off`)
  cluster.configure({ wal_writer_delay: '10s' })
  await cluster.query((sql) => sql`select pg_reload_conf()`)
  for (let round = 0; round < 2; round++) {
    const store = await openStore(url)
    for (let id = 0; id < 5; id++) await store.create(plant(round * 5 + id))
    // The server is killed: unflushed data is lost.
    await cluster.stop()
    await cluster.start()
    t.equal((await exported(store)).length, round * 5 + 5, 'what was acknowledged is there after a crash')
    await store.close()
  }
  await cluster.query((sql) => sql`alter role postgres reset synchronous_commit`)
})

t.test('stopped and started under load', async (t) => {
  // The time-out is longer than a stalled machine takes to start PostgreSQL.
  const store = await openStore(await cluster.database('stopped'), { timeout: 120_000 })
  const load = loadOn(store)
  for (let round = 0; round < 3; round++) {
    await load.progress()
    await cluster.stop()
    t.equal(await store.ready(), false)
    await sleep(300)
    await cluster.start()
  }
  await load.progress()
  t.equal(await store.ready(), true)
  await load.stop()
  t.same(load.failures, new Map(), 'creates wait for it')
  await keepsItsWord(t, load, store)
  await store.close()
})

t.test('stopped for too long', async (t) => {
  const url = await cluster.database('gone')
  const store = await openStore(url, { timeout: 500 })
  const idle = await openStore(url)
  await cluster.stop()
  await t.rejects(store.create(plant(1)), { name: 'StoreUnavailable', cause: { message: /ECONNREFUSED/ } })
  await cluster.start()
  t.equal(await store.create(plant(1)), 'created', 'and back at once')
  t.equal(await idle.create(plant(1)), 'replayed', 'over connections that died unused')
  await Promise.all([store.close(), idle.close()])
})

t.test('frozen under load', async (t) => {
  const url = `${await cluster.database('frozen')}?statement_timeout=500&connect_timeout=1`
  const store = await openStore(url, { timeout: 3_000 })
  const load = loadOn(store)
  await load.progress()
  await cluster.freeze()
  t.equal(await store.ready(), false)
  await until(() => load.failures.size > 0)
  t.ok(load.failures.size > 0, 'given up while it is frozen')
  cluster.thaw()
  await load.progress()
  t.equal(await store.ready(), true)
  await load.stop()
  t.same([...load.failures.keys()], ['StoreUnavailable'])
  await keepsItsWord(t, load, store)
  await cluster.freeze()
  // The close happens before the thaw, and does not wait for the server.
  await store.close()
  cluster.thaw()
})

t.test('connections that are cut one by one', async (t) => {
  const store = await openStore(await cluster.database('cut'))
  const load = loadOn(store)
  for (let round = 0; round < 10; round++) {
    await load.progress(200)
    await cluster.query(
      (sql) => sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'cut' limit 1`
    )
  }
  await load.stop()
  t.same(load.failures, new Map())
  await keepsItsWord(t, load, store)
  await store.close()
})

t.test('a change of documents whose connection is cut is made over another one', async (t) => {
  const store = await open('changed')
  const isCut = async (sql: postgres.Sql) => {
    const cut = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity where datname = 'changed' and wait_event_type = 'Lock'`
    return cut.length > 0
  }
  const { rewritten } = await cluster.query(
    (sql) =>
      sql.begin(async (locking) => {
        await locking`lock table plants_notes`
        // The statement waits for the table within its transaction.
        const rewritten = store.rewrite([], { name: 'progress', before: undefined, after: '1' })
        await until(() => cluster.query(isCut))
        return { rewritten }
      }),
    'changed'
  )
  t.equal(await rewritten, true)
  t.equal(await store.note('progress'), '1')
  await store.close()
})

t.test('an export continues after a restart of PostgreSQL', async (t) => {
  const store = await open('export')
  await Promise.all(Array.from({ length: 1_500 }, (_, id) => store.create(plant(id))))
  let count = 0
  for await (const { id } of everyPlant(store)) {
    if (count === 100) await cluster.stop().then(() => cluster.start())
    t.ok(id === BigInt(count++)) || t.fail(String(id))
  }
  t.equal(count, 1_500)
  await store.close()
})

/** https://www.postgresql.org/docs/18/continuous-archiving.html */
t.test('a base backup under load has every plant acknowledged before its end, and serves', async (t) => {
  const store = await openStore(await cluster.database('backed_up'))
  const load = loadOn(store)
  await load.progress()
  const before = new Set(load.acknowledged)
  const restored = await cluster.backUp()
  t.teardown(() => restored.remove())
  await load.progress()
  await load.stop()
  await store.close()
  await restored.start()
  const second = await openStore(restored.url('backed_up'))
  t.equal(await second.ready(), true)
  await keepsItsWord(t, Object.assign(load, { acknowledged: before }), second)
  await second.close()
})
