/** Connections that are lost, refused or silent, and the number of attempts to open others. */
import type { Socket } from 'node:net'
import t, { type Test } from 'tap'
import { openStore } from '../../../src/open-store.ts'
import { PostgresClient } from '../../../src/store/postgres/client.ts'
import type { Work } from '../../../src/store/postgres/connection.ts'
import { type Host, parsePostgresUrl } from '../../../src/store/postgres/url.ts'
import { until } from '../../time.ts'
import { plant } from '../conformance.ts'
import { Cluster } from './cluster.ts'
import { fatal, Gate } from './gate.ts'

t.setTimeout(900_000)

const cluster = await Cluster.create()
t.teardown(() => cluster.remove())
await cluster.start()

/** Returns a gate before the server, and the URL of a new database behind it. */
async function gated(t: Test, name: string) {
  const gate = await Gate.before(cluster.port)
  t.teardown(() => gate.close())
  const url = await cluster.database(name)
  return { gate, url: url.replace(`:${cluster.port}/`, `:${gate.port}/`) }
}

t.test('a connection whose bytes are lost on the way is replaced', async (t) => {
  const { gate, url } = await gated(t, 'lost')
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
  const { gate, url } = await gated(t, 'silent')
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

/** Answers the first bytes of a client. */
const answering = (answer: Buffer | string) => (socket: Socket) =>
  socket.once('data', () => socket.end(answer))

const treatments: [what: string, treat: (socket: Socket) => void, parameters?: string][] = [
  ['accepts and closes', (socket) => socket.end()],
  ['accepts and resets', (socket) => socket.resetAndDestroy()],
  ['closes after the first message', answering('')],
  ['closes after it has agreed to TLS', answering('S'), 'sslmode=prefer'],
  ['answers no protocol', answering('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['has too many connections', answering(fatal('53300', 'sorry, too many clients already'))],
  ['refuses the password', answering(fatal('28P01', 'password authentication failed'))],
  ['shuts down', answering(fatal('57P03', 'the database system is shutting down'))],
  ['hangs', (socket) => socket.pause()]
]

/** Twice the attempts within 3 s, after pauses of at least 25, 50, 100, 200, 400, 800 and 1,000 ms. */
const most = 20

for (const [what, treat, parameters = ''] of treatments) {
  t.test(`a server that ${what} gets few connections while creates and reads wait`, async (t) => {
    const { gate, url } = await gated(t, what.replaceAll(' ', '_').toLowerCase())
    const store = await openStore(`${url}?connect_timeout=1&${parameters}`, { timeout: 2_000 })
    t.equal(await store.create(plant(1)), 'created')
    gate.treat(treat)
    gate.cut()
    const reads = Array.from({ length: 200 }, () => store.get(1n))
    const creates = Array.from({ length: 100 }, (_, id) => store.create(plant(id + 2)).catch(() => 'none'))
    const probes = Array.from({ length: 20 }, () => store.ready())
    t.same(new Set(await Promise.all(creates)), new Set(['none']))
    t.same(new Set(await Promise.all(probes)), new Set([false]))
    t.ok(gate.count > 0 && gate.count <= most, `${gate.count} connections`)
    gate.pass()
    t.same(new Set(await Promise.all(reads)), new Set([plant(1).document]), 'reads are answered afterwards')
    await until(() => store.ready())
    t.equal(await store.create(plant(1_000)), 'created')
    await store.close()
  })
}

t.test('a server that refuses further connections serves over those that are open', async (t) => {
  const { gate, url } = await gated(t, 'crowded')
  const store = await openStore(url)
  t.equal(await store.create(plant(1)), 'created')
  gate.treat(answering(fatal('53300', 'sorry, too many clients already')))
  for (let round = 0; round < 20; round++) {
    const reads = await Promise.all(Array.from({ length: 100 }, () => store.get(1n)))
    t.same(new Set(reads), new Set([plant(1).document]))
  }
  t.ok(gate.count > 0 && gate.count <= most * 3, `${gate.count} connections`)
  await store.close()
})
