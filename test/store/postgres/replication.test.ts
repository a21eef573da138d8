/** A primary whose synchronous standby is away: https://www.postgresql.org/docs/18/warm-standby.html. */
import t from 'tap'
import { openStore } from '../../../src/store/open.ts'
import type { Store } from '../../../src/store/store.ts'
import { until } from '../../time.ts'
import { exported, plant } from '../conformance.ts'
import type { Cluster } from './cluster.ts'
import { startPair } from './pair.ts'

t.setTimeout(900_000)

const parameters = '?statement_timeout=300&connect_timeout=1'
const ids = Array.from({ length: 12 }, (_, id) => id)

/** Number of commits that wait for the standby. */
async function waiting(primary: Cluster): Promise<number> {
  const rows = await primary.query(
    (sql) =>
      sql`select 1 from pg_stat_activity where wait_event = 'SyncRep' and application_name = 'plant-store'`
  )
  return rows.length
}

async function stored(primary: Cluster): Promise<number> {
  const [row] = await primary.query((sql) => sql<{ count: number }[]>`select count(*)::int from plants`)
  return row?.count ?? 0
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
    const store = await openStore(`${primary.url()}${parameters}`, { timeout: 2_000 })
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
    await until(async () => (await stored(primary)) > 1)
    const visible = await stored(primary)
    t.ok(visible > 1, 'the primary shows plants that its standby does not have')
    t.same(new Set(await Promise.all(first)), new Set(['none']))
    const others = await openStore(`${primary.url()}${parameters}`, { timeout: 2_000 })
    const again = [...ids.map(create(others, 'Aloe')), ...ids.map(create(others, 'Agave'))]
    t.same(new Set(await Promise.all(again)), new Set(['none']), 'neither the same plants nor different ones')
    await primary.stop()
    await Promise.all([store.close(), others.close()])
    await standby.start()
    await standby.query((sql) => sql`select pg_promote()`)
    const promoted = await openStore(`${standby.url()}${parameters}`)
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
