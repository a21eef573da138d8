/** Files that DATABASE_URL names: how they are opened, refused, flushed, mapped and read. */
import { once } from 'node:events'
import { existsSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { openStore } from '../../../src/open-store.ts'
import { openSqliteFile, SqliteFile, SqlitePages } from '../../../src/store/sqlite/file.ts'
import { SharedBatch } from '../../../src/store/sqlite/shared-batch.ts'
import { type StoredPlant, StoreOpenError } from '../../../src/store/store.ts'
import { plant } from '../conformance.ts'

const folder = t.testdir({ empty: '', text: 'not a database at all\n'.repeat(100), folder: {} })
const at = (name: string) => join(folder, name)

/** Returns true if this process has mapped the file into memory (Linux, proc_pid_maps(5)); always false elsewhere. */
function isMapped(path: string): boolean {
  const maps = '/proc/self/maps'
  return existsSync(maps) && readFileSync(maps, 'utf8').includes(`${path}\n`)
}

const plantsFrom = (from: number, to: number): StoredPlant[] =>
  Array.from({ length: to - from }, (_, index) => plant(from + index, `plant ${from + index}`))

const columns = (plants: readonly StoredPlant[]) => ({
  ids: plants.map(({ id }) => id),
  documents: plants.map(({ document }) => document)
})

function filled(name: string, statements = ''): string {
  const file = openSqliteFile(at(name), 1_000)
  file.commit(plantsFrom(0, 2_000), 1_000)
  file.close()
  const database = new DatabaseSync(at(name))
  database.exec(statements)
  database.close()
  return at(name)
}

function overwrite(path: string, offset: number, length: number): string {
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0xff, offset, offset + length))
  return path
}

/** Returns the path of a new file, after these statements. */
function made(name: string, statements: string): string {
  new DatabaseSync(at(name)).exec(statements)
  return at(name)
}

function truncated(path: string): string {
  truncateSync(path, Math.floor(statSync(path).size / 2))
  return path
}

function locked(name: string): string {
  const database = new DatabaseSync(at(name))
  database.exec('BEGIN EXCLUSIVE')
  t.teardown(() => database.close())
  return at(name)
}

const foreign = /is the SQLite file of another program$/
const refused: readonly (readonly [make: () => string, reason: RegExp])[] = [
  [() => at('folder'), /is a directory$/],
  [() => '/proc/plants.db', /cannot be opened: E[A-Z]+/],
  [() => at('text/plants.db'), /cannot be opened: .*(ENOTDIR|EEXIST)/],
  [() => at('text'), /is not a SQLite database$/],
  [() => '/proc/none/plants.db', /cannot be opened: .*ENOENT|EACCES/],
  [() => '/dev/null/plants.db', /cannot be opened/],
  [() => made('foreign', 'CREATE TABLE users (id INTEGER)'), foreign],
  [() => made('foreign-id', 'PRAGMA application_id = 7'), foreign],
  [() => filled('newer', 'PRAGMA user_version = 2'), /was written by a newer version of this program$/],
  [() => truncated(filled('truncated')), /is damaged$/],
  [() => overwrite(filled('damaged'), 4096 * 5, 4096), /is damaged$/],
  [() => overwrite(filled('header'), 0, 64), /is not a SQLite database$/],
  [() => overwrite(filled('schema'), 100, 3_996), /is damaged$/],
  [() => locked('locked'), /is locked by another process$/]
]

t.test('a file that must not be used is refused with one line that names its path', async (t) => {
  for (const [make, reason] of refused) {
    const path = make()
    const { message } = t.throws(() => openSqliteFile(path, 50).close(), { message: reason }, path) as Error
    t.ok(message.startsWith(`${path} `) && !message.includes('\n'))
  }
  const message = 'is where SQLite cannot keep a write-ahead log'
  t.throws(() => new SqliteFile(':memory:', 50), { message })
})

t.test('checks every page of a small file only', async (t) => {
  const file = openSqliteFile(at('large'), 1_000)
  file.commit(
    plantsFrom(0, 70).map(({ id }) => plant(id, 'x'.repeat(1_000_000))),
    5_000
  )
  file.close()
  const path = overwrite(at('large'), 4096 * 5_000, 4096)
  t.doesNotThrow(() => openSqliteFile(path, 1_000).close(), 'so that the start of a large one is not delayed')
})

t.test('opens a missing file, an empty file and its own', async (t) => {
  for (const path of [at('empty'), at('new/folder/plants.db'), filled('own')]) {
    const file = openSqliteFile(path, 1_000)
    const standing = file.commit(plantsFrom(1_999, 2_001), 1_000)
    t.ok(standing.size <= 1)
    file.check(1_000)
    file.close()
  }
})

t.test('every commit is flushed', async (t) => {
  const connections = new Set<DatabaseSync>()
  const prepare = DatabaseSync.prototype.prepare
  t.teardown(() => {
    DatabaseSync.prototype.prepare = prepare
  })
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql) {
    connections.add(this)
    return prepare.call(this, sql)
  }
  const file = openSqliteFile(at('flushed'), 1_000)
  const [connection] = connections
  for (const [from, to] of [
    [0, 3],
    [3, 4]
  ] as const) {
    file.commit(plantsFrom(from, to), 1_000)
    t.equal(connection?.isTransaction, false, 'committed')
    const wanted = { synchronous: 2, journal_mode: 'wal', fullfsync: 1, checkpoint_fullfsync: 1 }
    const inForce = Object.keys(wanted).map((name) => connection?.prepare(`PRAGMA ${name}`).get())
    t.same(Object.assign({}, ...inForce), wanted, 'FULL, seen by the connection that commits')
  }
  t.equal(connections.size, 1)
  file.close()
})

t.test('the file is memory-mapped, so that reading a page needs no system call', async (t) => {
  const path = at('mapped')
  const file = openSqliteFile(path, 1_000)
  file.commit(plantsFrom(0, 2_000), 1_000)
  file.close()
  const again = openSqliteFile(path, 1_000)
  again.check(1_000)
  t.equal(isMapped(path), process.platform === 'linux')
  again.close()
  t.notOk(isMapped(path))
  const pages = new SqlitePages(path)
  t.equal(pages.read(0n, 500).ids.length, 500)
  t.notOk(isMapped(path), 'reading all of it does not make it resident')
  pages.close()
})

t.test('pages are bounded by rows and by size, and hold committed plants', async (t) => {
  const path = at('pages.db')
  const file = openSqliteFile(path, 1_000)
  const pages = new SqlitePages(path)
  t.same(pages.read(0n, 500), { ids: [], documents: [] })
  file.commit(plantsFrom(0, 5_000), 1_000)
  t.same(pages.read(0n, 500), columns(plantsFrom(0, 500)))
  t.same(pages.read(4_990n, 500), columns(plantsFrom(4_990, 5_000)))
  file.commit(
    [6_000, 6_001, 6_002].map((id) => plant(id, 'x'.repeat(600_000))),
    1_000
  )
  t.same(pages.read(6_000n, 500).ids, [6_000n, 6_001n])
  pages.close()
  file.close()
})

t.test('a failed commit leaves no trace, and is remembered until one succeeds', async (t) => {
  const path = at('full')
  const file = openSqliteFile(path, 1_000)
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  t.throws(() => file.commit(plantsFrom(0, 3), 20), /is locked/)
  t.throws(() => file.check(20), /is locked/, 'a check tries for itself')
  other.exec('ROLLBACK')
  t.throws(() => file.commit([plant(1), plant(2n ** 63n)], 1_000), {
    message: /bigint|BigInt/i
  })
  const pages = new SqlitePages(path)
  t.same(pages.read(0n, 10).ids, [])
  pages.close()
  t.doesNotThrow(() => file.check(20))
  t.doesNotThrow(() => file.check(20))
  other.close()
  file.close()
})

t.test('threads that open one file at the same moment make its folder once', async (t) => {
  const rounds = 100
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const opener = `
    const { parentPort, workerData } = require('node:worker_threads')
    const { gate, folder, rounds, module } = workerData
    import(module).then(({ openSqliteFile }) => {
      for (let round = 0; round < rounds; round++) {
        Atomics.add(gate, 0, 1)
        while (Atomics.load(gate, 0) < 2 * (round + 1));
        openSqliteFile(folder + '/race/' + round + '/a/b/c/plants.db', 10_000).close()
      }
      parentPort.postMessage('done')
    })`
  const module = import.meta.resolve('../../../src/store/sqlite/file.ts')
  const threads = [0, 1].map(
    () => new Worker(opener, { eval: true, workerData: { gate, folder, rounds, module } })
  )
  const ends = await Promise.all(threads.map((thread) => once(thread, 'message')))
  t.same(ends, [['done'], ['done']])
})

t.test('a file that it makes is for its owner only, and so is its log', async (t) => {
  const file = openSqliteFile(at('private.db'), 1_000)
  file.commit(plantsFrom(0, 1), 1_000)
  for (const name of ['private.db', 'private.db-wal']) t.equal(statSync(at(name)).mode & 0o777, 0o600, name)
  file.close()
})

t.test('a file that is removed or replaced while it is open is noticed', async (t) => {
  for (const change of [rmSync, (path: string) => writeFileSync(`${path}.new`, '')]) {
    const file = openSqliteFile(at('moved.db'), 1_000)
    file.check(1_000)
    change(at('moved.db'))
    if (existsSync(at('moved.db.new'))) renameSync(at('moved.db.new'), at('moved.db'))
    t.throws(() => file.check(1_000), /moved\.db was removed or replaced$/)
    file.close()
    for (const end of ['', '-wal', '-shm']) rmSync(at(`moved.db${end}`), { force: true })
  }
})

t.test('a URL that names no store is refused; a folder, too', async (t) => {
  const urls = ['', 'plants.db', 'mysql://127.0.0.1/plants', 'constructor:x', 'sqlite:', 'sqlite::memory:']
  for (const url of urls)
    await t.rejects(openStore(url), { name: 'StoreOpenError', message: /^DATABASE_URL .*must/ }, url)
  await t.rejects(openStore(`sqlite:${at('folder')}`), StoreOpenError)
})

t.test(
  'a path may have spaces; its folders are made, unless they must not, and its origin is reported',
  async (t) => {
    const path = at('a b/c?d/plants.db')
    const url = `sqlite:${path}`
    await t.rejects(openStore(url, { mustExist: true }), { message: `${path} does not exist` })
    await t.rejects(openStore(url, { makesFolders: false }), { message: /c\?d does not exist: make it/ })
    t.equal(existsSync(at('a b')), false)
    const found: unknown[] = []
    for (const outcome of ['created', 'replayed']) {
      const store = await openStore(url, { onOpen: (origin) => found.push(origin) })
      t.equal(await store.create(plant(1)), outcome)
      await store.close()
    }
    t.strictSame(
      found,
      [true, false].map((isNew) => ({ kind: 'sqlite', location: path, isNew }))
    )
  }
)

t.test('a batch arrives as it was written, in memory of its size', async (t) => {
  const table: StoredPlant[][] = [
    [],
    [
      { id: 9223372036854775807n, document: '{"name":"\\u0000\\ud800\u2028\u{1f331}"}' },
      { id: -9223372036854775808n, document: '' },
      { id: 0n, document: JSON.stringify({ name: '\uffff'.repeat(100_000) }) }
    ]
  ]
  for (const plants of table) {
    const memory = new SharedArrayBuffer(SharedBatch.sizeOf(plants))
    new SharedBatch(memory).write(plants, 1.5)
    t.same(new SharedBatch(memory).read(), { plants, deadline: 1.5 })
  }
})

t.test('memory that held a larger batch is used again', async (t) => {
  const batch = new SharedBatch(new SharedArrayBuffer(4096))
  for (const document of ['{"name":"Monstera deliciosa"}', '{}']) {
    batch.write([{ id: 1n, document }], 0)
    t.same(batch.read().plants, [{ id: 1n, document }])
  }
})

t.test('an id that is not an int64 is refused, never wrapped', async (t) => {
  const batch = new SharedBatch(new SharedArrayBuffer(4096))
  for (const id of [2n ** 63n, -(2n ** 63n) - 1n])
    t.throws(() => batch.write([{ id, document: '{}' }], 0), RangeError)
})
