/** A real PostgreSQL 18, over real sockets. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import t from 'tap'
import { openStore } from '../../../src/open-store.ts'
import { sleep, until } from '../../time.ts'
import { conformance, exported, plant } from '../conformance.ts'
import { Cluster } from './cluster.ts'

t.setTimeout(900_000)

const cluster = await Cluster.create()
t.teardown(() => cluster.remove())
await cluster.start()

const databases = new Map<string, Promise<string>>()

function database(name: string): Promise<string> {
  const url = databases.get(name) ?? cluster.database(name)
  databases.set(name, url)
  return url
}

const open = async (name: string) => openStore(await database(name))

t.test('conforms', (t) => conformance(t, open))

t.test('close ends a page that is being read, and its next chunk opens no connection', async (t) => {
  const store = await open('read')
  await Promise.all(Array.from({ length: 1_000 }, (_, n) => store.create(plant(n))))
  const page = t.rejects(store.page({ limit: 1_000 }), { name: 'StoreUnavailable' })
  await store.close()
  await page
})

t.test('replicas that start at once share one table', async (t) => {
  const url = await database('replicas')
  const stores = await Promise.all(Array.from({ length: 12 }, () => openStore(url)))
  const outcomes = await Promise.all(stores.map((store) => store.create(plant(1))))
  t.equal(outcomes.filter((outcome) => outcome === 'created').length, 1)
  await Promise.all(stores.map((store) => store.close()))
})

t.test('the operator may have made the table, partitioned', async (t) => {
  await database('partitioned')
  await cluster.query(async (sql) => {
    await sql`create table plants (id bigint primary key, document json not null) partition by hash (id)`
    for (const part of [0, 1, 2]) {
      const name = sql(`plants_${part}`)
      await sql`create table ${name} partition of plants for values with (modulus 3, remainder ${sql.unsafe(`${part}`)})`
    }
  }, 'partitioned')
  const store = await open('partitioned')
  const plants = Array.from({ length: 100 }, (_, id) => plant(id))
  await Promise.all(plants.map((each) => store.create(each)))
  t.equal(await store.create(plant(7, 'Aloe')), 'taken')
  t.same(await exported(store), plants)
  await store.close()
})

t.test('a conflicting plant that is deleted before its look-up', async (t) => {
  const store = await open('gone_meanwhile')
  await store.create(plant(1))
  await cluster.query(async (sql) => {
    await sql`create function forget() returns trigger language plpgsql as
      'begin delete from plants where document::text like ''%Monstera%''; return null; end'`
    await sql`create trigger forget after insert on plants execute function forget()`
  }, 'gone_meanwhile')
  t.equal(await store.create(plant(1, 'Aloe')), 'created', 'is tried again')
  t.same(await exported(store), [plant(1, 'Aloe')])
  await store.close()
})

t.test(
  'an insert that meets a taken id is refused once, and the next batches skip such ids at once',
  async (t) => {
    const store = await open('wary')
    await cluster.query(async (sql) => {
      await sql`create sequence inserts`
      await sql`create function note_insert() returns trigger language plpgsql as
      'begin perform nextval(''inserts''); return null; end'`
      await sql`create trigger note_insert before insert on plants for each statement execute function note_insert()`
    }, 'wary')
    // A sequence also counts inserts that are rolled back.
    const inserts = async () => {
      const rows = await cluster.query(
        (sql) => sql<{ last: string }[]>`select last_value as last from inserts`,
        'wary'
      )
      return Number(rows[0]?.last)
    }
    const batches: [ids: [number, number], outcomes: string[], inserts: number][] = [
      [[1, 2], ['created', 'created'], 1],
      [[2, 3], ['replayed', 'created'], 3],
      [[4, 5], ['created', 'created'], 4],
      [[5, 6], ['replayed', 'created'], 5]
    ]
    for (const [ids, outcomes, count] of batches) {
      t.same(await Promise.all(ids.map((id) => store.create(plant(id)))), outcomes)
      t.equal(await inserts(), count, `inserts after ${ids}`)
    }
    await store.close()
  }
)

t.test('refuses at open, with one sentence and no password', async (t) => {
  const good = cluster.url()
  const mute = createServer().listen(0, '127.0.0.1')
  await once(mute, 'listening')
  await cluster.query((sql) => sql`create table plants (id text)`, 'template1')
  await database('foreign')
  await cluster.query((sql) => sql`drop table plants`, 'template1')
  await cluster.query((sql) => sql.unsafe(`create role reader login password 'p@ss/word'`))
  await cluster.query((sql) => sql.unsafe("create database latin1 encoding 'LATIN1' template template0"))
  await database('foreign_notes')
  await cluster.query((sql) => sql`create table plants_notes (id text)`, 'foreign_notes')
  const silent = `postgres://u:wr0ng@127.0.0.1:${(mute.address() as AddressInfo).port}/d`
  const server = String.raw`PostgreSQL at 127\.0\.0\.1:\d+`
  const cases: readonly (readonly [what: string, url: string, reason: string])[] = [
    ['password', good.replace('p%40ss', 'wr0ng'), `${server} refused: .*authentication failed`],
    ['no password', good.replace(/:p%40ss[^@]*/, ''), `${server} refused: .*authentication failed`],
    ['database', cluster.url('none'), `${server} refused: database "none" does not exist$`],
    ['port', good.replace(`:${cluster.port}`, ':1'), `${server} cannot be reached: ECONNREFUSED$`],
    ['name', good.replace('127.0.0.1', 'no.invalid'), 'PostgreSQL at no\\.invalid:\\d+ cannot be reached: E'],
    ['mute server', `${silent}?connect_timeout=1`, `${server} cannot be reached: CONNECT_TIMEOUT$`],
    ['setting', `${good}?no_such_setting=1`, `${server} refused: unrecognized configuration parameter`],
    ['TLS', `${good}?sslmode=require`, `${server} cannot be reached: .*; sslmode requires TLS`],
    [
      'no right',
      good.replace('postgres:p', 'reader:p'),
      'PostgreSQL refused: permission denied for schema public$'
    ],
    [
      'foreign table',
      await database('foreign'),
      'the table plants in this database is not the one of this program$'
    ],
    [
      'foreign notes',
      await database('foreign_notes'),
      'the table plants_notes in this database is not the one of this program$'
    ],
    ['encoding', cluster.url('latin1'), 'the encoding of this database is LATIN1; it must be UTF8']
  ]
  for (const [what, url, reason] of cases) {
    const error: Error = await openStore(url).then(
      () => new Error('opened'),
      (thrown) => thrown
    )
    t.match(error, { name: 'StoreOpenError', message: new RegExp(`^${reason}`) }, what)
    t.notMatch(error.message, /wr0ng|p@ss|p%40ss|\n/, `${what}: one line, no password`)
  }
  mute.close()
})

t.test('a role that may not create tables works on those of the operator, without notes', async (t) => {
  const url = new URL(await database('limited'))
  await cluster.query(async (sql) => {
    await sql`create table plants (id bigint primary key, document json not null)`
    await sql`create role limited login password 'limited'`
    await sql`grant select, insert, update on plants to limited`
  }, 'limited')
  url.username = 'limited'
  url.password = 'limited'
  const store = await openStore(url.href)
  t.equal(await store.create(plant(1)), 'created')
  t.equal(await store.note('check'), undefined)
  const note = { name: 'check', before: undefined, after: '1' }
  await t.rejects(store.rewrite([], note), { name: 'NotesRefused', cause: { code: '42P01' } })
  await cluster.query((sql) => sql`create table plants_notes (name text primary key, text text)`, 'limited')
  t.equal(await store.note('check'), undefined)
  await t.rejects(store.rewrite([], note), {
    name: 'NotesRefused',
    message:
      'the role of the database may not create or use the table plants_notes: grant it select, insert and update',
    cause: { code: '42501' }
  })
  await cluster.query(async (sql) => {
    await sql`grant select, insert, update on plants_notes to limited`
    await sql`revoke update on plants from limited`
  }, 'limited')
  t.equal(await store.rewrite([], note), true, 'a note alone needs no right to change plants')
  await store.close()
})

t.test('a database that refuses the table of notes is not opened', async (t) => {
  const url = await database('noteless')
  await (await openStore(url)).close()
  await cluster.query(async (sql) => {
    await sql`drop table plants_notes`
    await sql`create function refuse() returns event_trigger language plpgsql as
      'begin raise exception ''no more tables''; end'`
    await sql`create event trigger refusing on ddl_command_start when tag in ('CREATE TABLE') execute function refuse()`
  }, 'noteless')
  await t.rejects(openStore(url), {
    name: 'StoreOpenError',
    message: /^PostgreSQL (at .* )?refused: no more tables$/
  })
})

t.test('an id that another transaction holds is waited for', async (t) => {
  const url = await database('held')
  const store = await openStore(`${url}?max=2&statement_timeout=1000`, { timeout: 1_400 })
  await cluster.query(async (sql) => {
    const insert = () => sql`insert into plants values (1, ${plant(1, 'Aloe').document}::text::json)`
    await sql`begin`.simple()
    await insert()
    const waits = store.create(plant(1))
    await sleep(100)
    t.equal(await store.create(plant(2)), 'created', 'others pass it')
    await sql`commit`.simple()
    t.equal(await waits, 'taken', 'and is seen once it is there')
    await sql`begin`.simple()
    await sql`insert into plants values (3, '{}')`
    const lost = t.rejects(store.create(plant(3)), { cause: { code: '57014' } }, 'given up after a while')
    await sleep(100)
    t.equal(await store.create(plant(4)), 'created')
    await lost
    await sql`rollback`.simple()
    t.equal(await store.create(plant(3)), 'created')
  }, 'held')
  await store.close()
})

t.test('a server that turns read-only is left', async (t) => {
  const url = await database('demoted')
  const store = await openStore(url, { timeout: 1_000 })
  t.equal(await store.create(plant(1)), 'created')
  cluster.configure({ default_transaction_read_only: 'on' })
  await cluster.query((sql) => sql`select pg_reload_conf()`)
  await until(async () => !(await store.ready()))
  t.equal(await store.ready(), false)
  await t.rejects(store.create(plant(2)), { cause: { message: /is read-only/ } })
  await t.rejects(openStore(url), { message: /^PostgreSQL at 127.0.0.1:\d+ is read-only$/ })
  cluster.configure({})
  await cluster.query((sql) => sql`select pg_reload_conf()`)
  await until(() => store.ready())
  t.equal(await store.create(plant(2)), 'created')
  await store.close()
})

t.test('of a batch only the plants fail that the database refuses', async (t) => {
  const url = await database('refusing')
  await cluster.query(async (sql) => {
    await sql`create table plants (id bigint primary key, document json not null, check (id % 100 <> 42))`
  }, 'refusing')
  const sizes: number[] = []
  const store = await openStore(url, { onCommit: ({ size }) => sizes.push(size) })
  const outcomes = await Promise.allSettled(Array.from({ length: 300 }, (_, id) => store.create(plant(id))))
  const refused = outcomes.flatMap((outcome, id) => (outcome.status === 'rejected' ? [id] : []))
  t.strictSame(refused, [42, 142, 242])
  for (const id of refused) t.match(outcomes[id], { reason: { name: 'PlantRefused' } })
  t.equal((await exported(store)).length, 297)
  t.ok(Math.max(...sizes) > 1, 'they came in batches')
  await store.close()
})

t.test('statements that wait for others of ours do not count as a silent server', async (t) => {
  const url = await database('queue')
  const store = await openStore(`${url}?max=1&statement_timeout=300`)
  await store.create(plant(1))
  const backends = () =>
    cluster.query(
      (sql) => sql<{ pid: number }[]>`
        select pid from pg_stat_activity where datname = 'queue' and application_name = 'plant-store'`,
      'postgres'
    )
  const before = await backends()
  await cluster.query(async (sql) => {
    await sql`begin`.simple()
    await sql`lock table plants`
    const reads = Promise.all(Array.from({ length: 20 }, () => store.get(1n)))
    t.equal(await store.ready(), false)
    await sleep(2_500)
    await sql`commit`.simple()
    t.equal((await reads).length, 20, 'each is answered')
  }, 'queue')
  t.equal(before.length, 1)
  t.same(await backends(), before, 'the connection was kept')
  await store.close()
})

t.test('a database without plants is made only where it may be', async (t) => {
  const url = await database('unmade')
  await t.rejects(openStore(url, { mustExist: true }), { message: 'this database has no table plants' })
  const found: unknown[] = []
  for (let turn = 0; turn < 2; turn++)
    await (await openStore(url, { onOpen: (origin) => found.push(origin) })).close()
  const location = `127.0.0.1:${cluster.port}`
  t.strictSame(found, [
    { kind: 'postgres', location, isNew: true },
    { kind: 'postgres', location, isNew: false }
  ])
  await (await openStore(url, { mustExist: true })).close()
})
