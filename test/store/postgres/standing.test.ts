/** The look-up of taken ids: what it costs, and engines or roles that lack a part of it. */
import t from 'tap'
import { openStore } from '../../../src/store/open.ts'
import { until } from '../../time.ts'
import { plant } from '../conformance.ts'
import { startPair } from './pair.ts'

t.setTimeout(900_000)

const { primary, standby } = await startPair(t)

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
    const store = await openStore(`${url.href}?statement_timeout=300&connect_timeout=1`, { timeout: 500 })
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
