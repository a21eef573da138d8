/** A plant that was answered with 200 is stored, even after the process was killed or out of disk space. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t, { type Test } from 'tap'
import { openStore } from '../../src/open-store.ts'
import { everyPlant, keepsItsWord, Load } from '../store/conformance.ts'
import { Cluster } from '../store/postgres/cluster.ts'
import { until } from '../time.ts'
import { create, end, type Running, start } from './running.ts'

t.setTimeout(900_000)

const cluster = await Cluster.create()
t.teardown(() => cluster.remove())
await cluster.start()
const folder = t.testdir()

const engines: [engine: string, url: (name: string) => Promise<string>][] = [
  ['SQLite', async (name) => `sqlite:${join(folder, name, 'plants.db')}`],
  ['PostgreSQL', (name) => cluster.database(name)]
]

// The wait for the end of the service is long enough for a stalled machine.
const serve = (t: Test, DATABASE_URL: string, more = {}) =>
  start(t, { CWD: process.cwd(), DATABASE_URL, SHUTDOWN_TIMEOUT: '60000', ...more })

const statusOf = async ({ url }: Running, path: string) => (await fetch(`${url}${path}`)).status

/** Creates plants without pause; a failure has the number of its error as its name. */
const loadOn = ({ url }: Running, previous?: Load) =>
  new Load(
    async (id) => {
      const answer = await create(url, { id: Number(id), name: 'Monstera' })
      if (answer.status !== 200) throw { name: String(Object(await answer.json()).error) }
    },
    64,
    previous
  )

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
      const service = await serve(t, database)
      load = loadOn(service, load)
      await load.progress(300)
      t.equal(await end(service, 'SIGKILL'), 'SIGKILL')
      await load.stop()
      await stored(t, load, database)
    }
  })

  t.test(`${engine}: 64 clients race for the same ids across two processes`, async (t) => {
    const database = await url('raced')
    const services = [await serve(t, database), await serve(t, database)]
    const ids = Array.from({ length: 12 }, (_, id) => id)
    const clients = Array.from({ length: 64 }, async (_, client) => {
      const name = `of client ${client % 32}`
      const answers: { status: number; error?: number }[] = []
      for (const id of ids) {
        const answer = await create(String(services[client % 2]?.url), { id, name })
        answers.push({ status: answer.status, error: Object(await answer.json()).error })
      }
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
      const refused = raced.filter(({ answers }) => answers[id]?.error === 4002)
      t.equal(refused.length, 62, `${id}: all others get 4002`)
    }
    await Promise.all(services.map((service) => end(service, 'SIGTERM')))
  })
}

t.test('PostgreSQL: creates fail while it is stopped, and succeed when it is back', async (t) => {
  const service = await serve(t, await cluster.database('gone'))
  const created = (id: number) => create(service.url, { id, name: 'x' })
  t.equal((await created(1)).status, 200)
  await cluster.stop()
  const lost = created(2)
  t.equal(await statusOf(service, '/-/ready'), 503)
  t.equal(await statusOf(service, '/-/live'), 200)
  t.equal((await lost).status, 503)
  t.match(await (await lost).json(), { error: 5031 })
  await cluster.start()
  t.equal((await created(2)).status, 200)
  // One probe serves all requests of half a second.
  await until(async () => (await statusOf(service, '/-/ready')) === 200)
  t.equal(await end(service, 'SIGTERM'), 0)
})

t.test('SQLite: no space left', async (t) => {
  const path = join(folder, 'full.db')
  // Without tap's instrumentation, whose SIGXFSZ handler ends the process, and a coverage report, which is larger.
  const service = await serve(t, `sqlite:${path}`, { NODE_OPTIONS: '', NODE_V8_COVERAGE: '' })
  // SQLite empties its write-ahead log only when that is half a megabyte larger.
  execFileSync('prlimit', ['--pid', String(service.child.pid), '--fsize=1048576'])
  let load: Load | undefined
  // A smaller batch may still fit after a larger one failed.
  while ((await statusOf(service, '/-/ready')) === 200) {
    load = loadOn(service, load)
    await until(async () => (await statusOf(service, '/-/ready')) !== 200)
    await load.stop()
  }
  t.same(new Set(load?.failures.keys()), new Set(['5031']))
  t.equal(await statusOf(service, '/-/ready'), 503)
  t.equal(await statusOf(service, '/-/live'), 200)
  // Frees space: the checkpoint moves the log into the database file, which is still small.
  const other = new DatabaseSync(path)
  other.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  other.close()
  await until(async () => (await statusOf(service, '/-/ready')) === 200)
  const after = loadOn(service, load)
  await after.progress(100)
  await after.stop()
  t.notOk(after.failures.has('5031'))
  await stored(t, after, `sqlite:${path}`)
  t.equal(await end(service, 'SIGTERM'), 0)
})
