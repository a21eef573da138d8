/** Connections and sessions that are not what they seem. */
import t from 'tap'
import { openStore } from '../../../src/store/open.ts'
import { PostgresClient } from '../../../src/store/postgres/client.ts'
import type { Work } from '../../../src/store/postgres/connection.ts'
import { type Host, parsePostgresUrl } from '../../../src/store/postgres/url.ts'
import { plant } from '../conformance.ts'
import { Cluster } from './cluster.ts'
import { Gate } from './gate.ts'

const cluster = await Cluster.create()
t.teardown(() => cluster.remove())
await cluster.start()

t.test('a connection whose bytes are lost on the way is replaced', async (t) => {
  const gate = await Gate.before(cluster.port)
  t.teardown(() => gate.close())
  const url = (await cluster.database('lost')).replace(`:${cluster.port}/`, `:${gate.port}/`)
  const store = await openStore(`${url}?max=2&statement_timeout=1000&application_name=lost`)
  t.equal(await store.create(plant(1)), 'created')
  gate.mute()
  t.equal(await store.create(plant(2)), 'created', 'over another connection')
  t.equal(await store.ready(), true)
  t.equal(await store.create(plant(3)), 'created')
  t.equal(gate.count, 2)
  await store.close()
})

t.test('a session that does not flush its commits is refused', async (t) => {
  const url = await cluster.database('unflushed')
  await cluster.query(async (sql) => {
    await sql`create function lower_it() returns event_trigger language plpgsql as
      'begin perform set_config(''synchronous_commit'', ''local'', false); end'`
    await sql`create event trigger lower_it on login execute function lower_it()`
  }, 'unflushed')
  await t.rejects(openStore(url), {
    name: 'StoreOpenError',
    message:
      /^PostgreSQL at 127\.0\.0\.1:\d+ has synchronous_commit=local in this session, so that acknowledged plants could be lost; does a pooler drop the setting\?$/
  })
})

t.test('synchronous_commit=remote_apply of the URL is kept', async (t) => {
  const store = await openStore(await cluster.database('applied', '?synchronous_commit=remote_apply'))
  t.equal(await store.create(plant(1)), 'created')
  await store.close()
})

t.test('no write is sent while all connections are silent, and reads have one of their own', async (t) => {
  const gate = await Gate.before(cluster.port)
  t.teardown(() => gate.close())
  const url = (await cluster.database('silent')).replace(`:${cluster.port}/`, `:${gate.port}/`)
  const target = parsePostgresUrl(`${url}?max=1&statement_timeout=1000`)
  const client = new PostgresClient(target, target.hosts[0] as Host)
  const one: Work<unknown> = (sql) => sql`select 1 as one`
  t.same(await client.ask(one, 'write'), [{ one: 1 }])
  gate.mute()
  await t.rejects(client.ask(one, 'write'), { message: 'PostgreSQL does not answer' })
  await t.rejects(client.ask(one, 'write'), { message: 'PostgreSQL does not answer over any connection' })
  t.same(await client.ask(one, 'read'), [{ one: 1 }])
  t.equal(gate.count, 2)
  client.destroy()
})

t.test('an error of the notes other than a missing right is no missing note', async (t) => {
  const store = await openStore(await cluster.database('renamed'))
  await cluster.query((sql) => sql`alter table plants_notes rename column text to other`, 'renamed')
  await t.rejects(store.note('check'), { name: 'StoreUnavailable', cause: { code: '42703' } })
  await store.close()
})
