/** A plant that was answered with 200 is stored, even after the process was killed, stopped or out of disk space. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import { openStore } from '../../src/open-store.ts'
import { everyPlant, keepsItsWord, Load } from '../store/conformance.ts'
import { Cluster } from '../store/postgres/cluster.ts'
import { sleep, until } from '../time.ts'
import { type Answer, Service } from './service.ts'

t.setTimeout(900_000)

const cluster = await Cluster.create()
t.teardown(() => cluster.remove())
await cluster.start()
const folder = t.testdir()

const engines: [engine: string, url: (name: string) => Promise<string>][] = [
  ['SQLite', async (name) => `sqlite:${join(folder, name, 'plants.db')}`],
  ['PostgreSQL', (name) => cluster.database(name)]
]

async function stored(t: Test, load: Load, database: string): Promise<void> {
  const store = await openStore(database)
  await keepsItsWord(t, load, store)
  await store.close()
}

for (const [engine, url] of engines) {
  t.test(`${engine}: killed three times under load`, async (t) => {
    const database = await url('killed')
    let load: Load | undefined
    for (let round = 0; round < 3; round++) {
      const service = await Service.start(t, database)
      load = new Load((id) => service.mustCreate(id), 64, load)
      await load.progress(300)
      t.equal(await service.end('SIGKILL'), 'SIGKILL')
      await load.stop()
      await stored(t, load, database)
    }
  })

  t.test(`${engine}: stopped with SIGTERM under load`, async (t) => {
    const database = await url('stopped')
    const service = await Service.start(t, database)
    const load = new Load((id) => service.mustCreate(id), 64)
    await load.progress(300)
    const exit = service.end('SIGTERM')
    while (service.isAlive) await sleep(10)
    await load.stop()
    t.equal(await exit, 0)
    await stored(t, load, database)
  })

  t.test(`${engine}: 64 clients race for the same ids across two processes`, async (t) => {
    const database = await url('raced')
    const services = [await Service.start(t, database), await Service.start(t, database)]
    const ids = Array.from({ length: 12 }, (_, id) => id)
    const clients = Array.from({ length: 64 }, async (_, client) => {
      const service = services[client % 2] as Service
      const name = `of client ${client % 32}`
      const answers: Answer[] = []
      for (const id of ids) answers.push(await service.create(id, name))
      return { name, answers }
    })
    const raced = await Promise.all(clients)
    const store = await openStore(database)
    const names = new Map<number, string>()
    for await (const { id, document } of everyPlant(store)) names.set(Number(id), JSON.parse(document).name)
    await store.close()
    t.equal(names.size, ids.length)
    for (const id of ids) {
      const winners = raced.filter(({ answers }) => answers[id]?.status === 200).map(({ name }) => name)
      t.same(winners, Array(2).fill(names.get(id)), `${id}: the two that sent the stored plant`)
      const refused = raced.filter(({ answers }) => answers[id]?.body.error === 4002)
      t.equal(refused.length, 62, `${id}: all others get 4002`)
    }
    await Promise.all(services.map((service) => service.end('SIGTERM')))
  })
}

t.test('PostgreSQL: creates fail while it is stopped, and succeed when it is back', async (t) => {
  const service = await Service.start(t, await cluster.database('gone'))
  t.equal((await service.create(1)).status, 200)
  await cluster.stop()
  const lost = service.create(2)
  t.equal(await service.status('/-/ready'), 503)
  t.equal(await service.status('/-/live'), 200)
  t.match(await lost, { status: 503, body: { error: 5031 } })
  await cluster.start()
  t.equal((await service.create(2)).status, 200)
  // One probe serves all requests of half a second.
  await until(async () => (await service.status('/-/ready')) === 200)
  t.equal(await service.status('/-/ready'), 200)
  t.equal(await service.end('SIGTERM'), 0)
})

t.test('SQLite: another process holds the lock', async (t) => {
  const path = join(folder, 'locked.db')
  const service = await Service.start(t, `sqlite:${path}`)
  // The service writes a note after its start.
  const other = new DatabaseSync(path, { timeout: 60_000 })
  other.exec('BEGIN IMMEDIATE')
  let isCreated = false
  const created = service.create(1).finally(() => {
    isCreated = true
  })
  await sleep(200)
  const answers: number[] = []
  for (let turn = 0; turn < 10; turn++) answers.push(await service.status('/-/live'))
  t.notOk(isCreated, 'the create waits, other requests do not')
  other.exec('ROLLBACK')
  other.close()
  t.equal((await created).status, 200)
  t.same(new Set(answers), new Set([200]))
  t.equal(await service.end('SIGTERM'), 0)
})

t.test('SQLite: no space left', async (t) => {
  const path = join(folder, 'full.db')
  // Limits a file to 2,048 blocks: SQLite empties its write-ahead log only when that is half a megabyte larger.
  // Runs without tap's instrumentation, whose SIGXFSZ handler ends the process, and without a coverage report, which is larger.
  const limited = 'ulimit -S -f 2048; unset NODE_OPTIONS NODE_V8_COVERAGE; exec "$@"'
  const service = await Service.start(t, `sqlite:${path}`, ['sh', '-c', limited, 'sh'])
  let load: Load | undefined
  // A smaller batch may still fit after a larger one failed.
  while ((await service.status('/-/ready')) === 200) {
    load = new Load((id) => service.mustCreate(id), 16, load)
    await until(async () => (await service.status('/-/ready')) !== 200)
    await load.stop()
  }
  t.same(new Set(load?.failures.keys()), new Set(['5031']))
  t.equal(await service.status('/-/ready'), 503)
  t.equal(await service.status('/-/live'), 200)
  t.ok(service.isAlive)
  // Frees space: the checkpoint moves the log into the database file, which is still small.
  const other = new DatabaseSync(path)
  other.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  other.close()
  // One probe serves all requests of half a second.
  await until(async () => (await service.status('/-/ready')) === 200)
  const after = new Load((id) => service.mustCreate(id), 16, load)
  await after.progress(100)
  await after.stop()
  t.notOk(after.failures.has('5031'))
  await stored(t, after, `sqlite:${path}`)
  t.equal(await service.end('SIGTERM'), 0)
})

const refused: [what: string, url: string, reason: RegExp][] = [
  ['a folder', `sqlite:${folder}`, /is a directory/],
  ['a wrong password', cluster.url().replace('p%40ss', 'wr0ng'), /authentication failed/],
  ['an unknown database', cluster.url('none'), /database "none" does not exist/],
  ['an unreachable host', 'postgres://u:wr0ng@127.0.0.1:1/d', /cannot be reached: ECONNREFUSED/],
  ['another kind of database', 'mysql://u:wr0ng@127.0.0.1/d', /DATABASE_URL/]
]

for (const [what, url, reason] of refused) {
  t.test(`does not start with ${what}`, async (t) => {
    const output = await Service.start(t, url).then(
      () => 'started',
      (error: Error) => error.message
    )
    t.match(output, reason)
    t.notMatch(output, /wr0ng|p@ss|p%40ss|at .*:\d+:\d+/, 'no password, no stack')
  })
}
