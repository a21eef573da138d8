/** SQLite behind its thread: https://sqlite.org/wal.html, https://sqlite.org/rescode.html. */
import { subscribe } from 'node:diagnostics_channel'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import type { Worker } from 'node:worker_threads'
import t from 'tap'
import { openStore } from '../../../src/open-store.ts'
import { SqliteStore } from '../../../src/store/sqlite/sqlite.ts'
import { sleep } from '../../time.ts'
import { conformance, exported, keepsItsWord, loadOn, plant } from '../conformance.ts'

const folder = t.testdir()
const path = (name: string) => join(folder, name, 'plants.db')
const open = (name: string) => openStore(`sqlite:${path(name)}`)

const threads: Worker[] = []
subscribe('worker_threads', (message) => threads.push((message as { worker: Worker }).worker))

t.test('conforms', (t) => conformance(t, open))

t.test('a file that another process is just making', async (t) => {
  mkdirSync(join(folder, 'making'))
  const other = new DatabaseSync(path('making'))
  other.exec('BEGIN IMMEDIATE; PRAGMA application_id = 0x706c6e74; PRAGMA user_version = 1')
  other.exec('CREATE TABLE plants (id INTEGER PRIMARY KEY, document TEXT NOT NULL) STRICT')
  const opening = open('making')
  await sleep(200)
  other.exec('COMMIT')
  other.close()
  const store = await opening
  t.equal(await store.create(plant(1)), 'created')
  await store.close()
})

t.test('a lock of another process delays only creates', async (t) => {
  const store = await open('locked')
  const other = new DatabaseSync(path('locked'))
  other.exec('BEGIN IMMEDIATE')
  const began = performance.now()
  const creates = [store.create(plant(1)), store.create(plant(2))]
  let turns = 0
  while (performance.now() - began < 1_500) {
    await sleep(5)
    turns++
  }
  t.ok(turns > 10, `this thread went on: ${turns} turns`)
  t.equal(await store.ready(), false)
  other.exec('ROLLBACK')
  t.same(await Promise.all(creates), ['created', 'created'])
  t.equal(await store.ready(), true)
  other.close()
  await store.close()
})

t.test('a lock held for too long fails the creates that met it', async (t) => {
  const store = await openStore(`sqlite:${path('timeout')}`, { timeout: 100 })
  const other = new DatabaseSync(path('timeout'))
  other.exec('BEGIN IMMEDIATE')
  // On a busy machine the time-out may expire before the thread takes the batch, or answers; it has not met the lock
  // then.
  const late = /^(?:the store was busy for too long|the store does not answer)$/
  const outcome = () => store.create(plant(1)).catch(({ name, cause }) => [name, Object(cause).message])
  let met = await outcome()
  while (late.test(met[1])) met = await outcome()
  t.same(met, ['StoreUnavailable', 'database is locked'])
  t.equal(await store.ready(), false)
  other.exec('ROLLBACK')
  t.equal(await store.ready(), true)
  t.equal(await store.create(plant(1)), 'created')
  other.close()
  await store.close()
})

t.test('a request that follows the end of a thread at once is answered', async (t) => {
  const store = await open('ended')
  t.equal(await store.create(plant(1)), 'created')
  const thread = threads.at(-1) as Worker
  const { promise, resolve } = Promise.withResolvers<unknown>()
  // The store fails its open requests in the first microtask after the event.
  thread.on('exit', () => queueMicrotask(() => resolve(store.get(1n))))
  await thread.terminate()
  t.ok(await promise)
  await store.close()
})

t.test('a thread that dies is replaced', async (t) => {
  const store = await open('death')
  t.equal(await store.create(plant(1)), 'created')
  const other = new DatabaseSync(path('death'))
  other.exec('BEGIN IMMEDIATE')
  const lost = t.rejects(store.create(plant(2)), {
    name: 'StoreUnavailable',
    cause: /the SQLite thread ended/
  })
  await sleep(50)
  other.close()
  await threads.at(-1)?.terminate()
  await lost
  // A probe starts another one.
  while (!(await store.ready())) await sleep(5)
  t.match(await store.create(plant(2)), /created|replayed/, 'the thread may have stored it before it ended')
  await threads.at(-1)?.terminate()
  t.equal(await store.create(plant(3)), 'created', 'a create starts it, too')
  t.same(await exported(store), [plant(1), plant(2), plant(3)], 'nothing is lost')
  threads.at(-1)?.postMessage(null)
  const cause = { message: 'the SQLite thread ended', cause: TypeError }
  await t.rejects(store.get(1n), { cause }, 'the error of a thread that crashes has its reason')
  await threads.at(-1)?.terminate()
  await store.close()
})

t.test('a batch whose time is over is not stored', async (t) => {
  const store = await SqliteStore.open(path('late'), t.error)
  await t.rejects(store.commit([plant(1)], -60_000), { message: 'the store was busy for too long' })
  t.equal(await store.get(1n), undefined)
  await store.close()
})

t.test(
  'batches without an answer, and large ones, are committed in the order of the questions',
  async (t) => {
    const store = await SqliteStore.open(path('order'), t.error)
    const large = { id: 3n, document: JSON.stringify({ name: '\u{1f331}'.repeat(200_000) }) }
    const standing = await Promise.all([
      store.commit([plant(1, 'Aloe')], 10_000),
      store.commit([plant(1, 'Agave'), plant(2)], 10_000),
      store.get(2n),
      store.commit([large], 10_000),
      store.commit([{ id: 3n, document: '{}' }], 10_000)
    ])
    t.same(standing, [
      undefined,
      new Map([[1n, plant(1, 'Aloe').document]]),
      plant(2).document,
      undefined,
      new Map([[3n, large.document]])
    ])
    t.equal(await store.commit([plant(4)], 10_000), undefined)
    t.equal(await store.get(4n), plant(4).document)
    await store.close()
  }
)

t.test('a file that went bad meanwhile fails creates until it is whole again', async (t) => {
  const store = await open('bad')
  await threads.at(-1)?.terminate()
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path('bad')}${suffix}`, { force: true })
  writeFileSync(path('bad'), 'not a database at all\n'.repeat(100))
  await t.rejects(store.create(plant(1)), { cause: { message: /is not a SQLite database/ } })
  t.equal(await store.ready(), false)
  rmSync(path('bad'))
  t.equal(await store.create(plant(1)), 'created')
  t.equal(await store.ready(), true)
  await store.close()
})

/** Copies by `.backup` of the sqlite3 command line, and by `VACUUM INTO`. */
const ways: readonly (readonly [name: string, copy: (from: DatabaseSync, to: string) => unknown])[] = [
  ['.backup', (from, to) => backup(from, to)],
  ['VACUUM INTO', (from, to) => from.prepare('VACUUM INTO ?').run(to)]
]

for (const [name, copy] of ways)
  t.test(`${name} under load has every plant acknowledged before it, and serves`, async (t) => {
    const [file, to] = [join(folder, `plants of ${name}.db`), join(folder, `copy of ${name}.db`)]
    const store = await openStore(`sqlite:${file}`)
    const load = loadOn(store)
    await load.progress()
    const before = new Set(load.acknowledged)
    const source = new DatabaseSync(file)
    await copy(source, to)
    source.close()
    await load.progress()
    await load.stop()
    await store.close()
    const restored = await openStore(`sqlite:${to}`)
    t.equal(await restored.ready(), true)
    await keepsItsWord(t, Object.assign(load, { acknowledged: before }), restored)
    await restored.close()
  })
