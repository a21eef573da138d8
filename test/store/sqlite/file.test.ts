/** Files that are opened, and the messages of a refusal. */
import { once } from 'node:events'
import { existsSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { openSqliteFile, SqliteFile, SqlitePages } from '../../../src/store/sqlite/file.ts'
import { minId } from '../../../src/store/store.ts'
import { isMapped } from './mapping.ts'

const folder = t.testdir({ empty: '', text: 'not a database at all\n'.repeat(100), folder: {} })
const at = (name: string) => join(folder, name)

function columns(from: number, to: number) {
  const ids = Array.from({ length: to - from }, (_, index) => BigInt(from + index))
  return { ids, documents: ids.map((id) => JSON.stringify({ name: `plant ${id}` })) }
}

function plants({ ids, documents }: ReturnType<typeof columns>) {
  return ids.map((id, index) => ({ id, document: documents[index] ?? '' }))
}

function filled(name: string, change: (database: DatabaseSync) => void = () => {}): string {
  const file = openSqliteFile(at(name), 1_000)
  file.commit(plants(columns(0, 2_000)), 1_000)
  file.close()
  const database = new DatabaseSync(at(name))
  change(database)
  database.close()
  return at(name)
}

function overwrite(path: string, offset: number, length: number): string {
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0xff, offset, offset + length))
  return path
}

const refused: [name: string, make: () => string, reason: RegExp][] = [
  ['a folder', () => at('folder'), /is a directory$/],
  ['a path where no file can be made', () => '/proc/plants.db', /cannot be opened: E[A-Z]+/],
  ['a path through a file', () => at('text/plants.db'), /cannot be opened: .*(ENOTDIR|EEXIST)/],
  ['a text', () => at('text'), /is not a SQLite database$/],
  ['a folder that cannot be made', () => '/proc/none/plants.db', /cannot be opened: .*ENOENT|EACCES/],
  ['a device', () => '/dev/null/plants.db', /cannot be opened/],
  [
    "another program's file",
    () => {
      new DatabaseSync(at('foreign')).exec('CREATE TABLE users (id INTEGER)')
      return at('foreign')
    },
    /is the SQLite file of another program$/
  ],
  [
    "another program's empty file",
    () => {
      new DatabaseSync(at('foreign-id')).exec('PRAGMA application_id = 7')
      return at('foreign-id')
    },
    /is the SQLite file of another program$/
  ],
  [
    'a newer schema',
    () => filled('newer', (database) => database.exec('PRAGMA user_version = 2')),
    /was written by a newer version of this program$/
  ],
  [
    'a truncated file',
    () => {
      const path = filled('truncated')
      truncateSync(path, Math.floor(statSync(path).size / 2))
      return path
    },
    /is damaged$/
  ],
  ['a damaged page', () => overwrite(filled('damaged'), 4096 * 5, 4096), /is damaged$/],
  ['a damaged header', () => overwrite(filled('header'), 0, 64), /is not a SQLite database$/],
  ['a damaged schema', () => overwrite(filled('schema'), 100, 3_996), /is damaged$/],
  [
    'a locked file',
    () => {
      const database = new DatabaseSync(at('locked'))
      database.exec('BEGIN EXCLUSIVE')
      t.teardown(() => database.close())
      return at('locked')
    },
    /is locked by another process$/
  ]
]

for (const [name, make, reason] of refused) {
  t.test(`refuses ${name}`, async (t) => {
    const path = make()
    const thrown = t.throws(() => openSqliteFile(path, 50).close(), { message: reason })
    const { message } = thrown as Error
    t.ok(message.startsWith(`${path} `) && !message.includes('\n'), 'one line that names the path')
  })
}

t.test('refuses a database without a write-ahead log', async (t) => {
  t.throws(() => new SqliteFile(':memory:', 50), {
    message: 'is where SQLite cannot keep a write-ahead log'
  })
})

t.test('checks every page of a small file only', async (t) => {
  const file = openSqliteFile(at('large'), 1_000)
  const heavy = JSON.stringify({ name: 'x'.repeat(1_000_000) })
  const { ids } = columns(0, 70)
  file.commit(plants({ ids, documents: ids.map(() => heavy) }), 5_000)
  file.close()
  const path = overwrite(at('large'), 4096 * 5_000, 4096)
  t.doesNotThrow(() => openSqliteFile(path, 1_000).close(), 'so that the start of a large one is not delayed')
})

t.test('opens a missing file, an empty file and its own', async (t) => {
  for (const path of [at('empty'), at('new/folder/plants.db'), filled('own')]) {
    const file = openSqliteFile(path, 1_000)
    const standing = file.commit(plants(columns(1_999, 2_001)), 1_000)
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
    file.commit(plants(columns(from, to)), 1_000)
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
  file.commit(plants(columns(0, 2_000)), 1_000)
  file.close()
  const again = openSqliteFile(path, 1_000)
  again.check(1_000)
  t.equal(isMapped(path), process.platform === 'linux')
  again.close()
  t.notOk(isMapped(path))
})

t.test('a failed commit leaves no trace, and is remembered until one succeeds', async (t) => {
  const path = at('full')
  const file = openSqliteFile(path, 1_000)
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  t.throws(() => file.commit(plants(columns(0, 3)), 20), /is locked/)
  t.throws(() => file.check(20), /is locked/, 'a check tries for itself')
  other.exec('ROLLBACK')
  t.throws(() => file.commit(plants({ ids: [1n, 2n ** 63n], documents: ['{}', '{}'] }), 1_000), {
    message: /bigint|BigInt/i
  })
  const pages = new SqlitePages(path)
  t.same(pages.read(minId, 10).ids, [])
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
  file.commit(plants(columns(0, 1)), 1_000)
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
