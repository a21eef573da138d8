/** Checkpoints beside the commits: https://sqlite.org/wal.html#ckpt. */
import { subscribe } from 'node:diagnostics_channel'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Worker } from 'node:worker_threads'
import t from 'tap'
import { openStore } from '../../../src/open-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { until } from '../../time.ts'
import { exported, plant } from '../conformance.ts'

t.setTimeout(900_000)

const folder = t.testdir()
const path = (name: string) => join(folder, name, 'plants.db')

const threads: Worker[] = []
subscribe('worker_threads', (message) => threads.push((message as { worker: Worker }).worker))

const mebibyte = 1024 * 1024
/** Document of 16 pages, so that a log of 16 MiB takes 256 commits. */
const name = 'x'.repeat(16 * 4096)

/**
 * Creates plants, each in a commit of its own, until the condition holds.
 * @param named gives the name of the next plant
 * @returns the id after the last one
 */
async function load(
  store: Store,
  from: number,
  isEnough: (created: number) => boolean,
  named = () => name
): Promise<number> {
  for (let id = from; id < from + 20_000; id++) {
    if (isEnough(id - from)) return id
    await store.create(plant(id, named()))
  }
  throw new Error(`still false: ${isEnough}`)
}

t.test('the log starts over while commits go on', async (t) => {
  const store = await openStore(`sqlite:${path('load')}`)
  t.teardown(() => store.close())
  const other = new DatabaseSync(path('load'))
  const log = other.prepare('PRAGMA wal_checkpoint(NOOP)')
  let last = 0
  const startsOver = () => {
    const before = last
    last = Number(log.get()?.['log'])
    return before > 4_096 && before < 8_100 && last < before
  }
  // The thread looks every 250 ms, and commits make the checkpoint at 8,192 frames: small ones leave time for it, and no
  // pause between them, in which the log would start over by itself.
  const created = await load(store, 0, startsOver, () => (last > 4_200 ? 'small' : name))
  t.ok(Number(store.wal?.checkpoints()) > 0)
  t.ok(Number(store.wal?.bytes()) >= 16 * mebibyte)
  other.close()
  await store.close()
  t.equal(store.wal?.bytes(), 0, 'the last connection removes the log')
  t.notOk(existsSync(`${path('load')}-shm`))
  t.same(new Set(threads.map(({ threadId }) => threadId)), new Set([-1]), 'all threads have ended')
  const again = await openStore(`sqlite:${path('load')}`)
  t.equal((await exported(again)).length, created)
  await again.close()
})

t.test('a reader keeps the log until it has ended', async (t) => {
  const store = await openStore(`sqlite:${path('reader')}`)
  t.teardown(() => store.close())
  const reader = new DatabaseSync(path('reader'))
  reader.exec('BEGIN; SELECT count(*) FROM plants')
  const next = await load(store, 0, () => Number(store.wal?.bytes()) > 40 * mebibyte)
  reader.exec('COMMIT')
  const log = reader.prepare('PRAGMA wal_checkpoint(NOOP)')
  await load(store, next, () => Number(log.get()?.['log']) < 4_096)
  t.ok(Number(store.wal?.bytes()) < 80 * mebibyte)
  reader.close()
  await store.close()
})

t.test('threads that die during checkpoints lose nothing, and are replaced', async (t) => {
  const before = threads.length
  const store = await openStore(`sqlite:${path('death')}`)
  t.teardown(() => store.close())
  const created = await load(store, 0, () => Number(store.wal?.checkpoints()) > 0)
  await threads[before]?.terminate()
  await until(() => threads.slice(before).every(({ threadId }) => threadId === -1))
  const checkpoints = Number(store.wal?.checkpoints())
  await until(() => store.ready())
  const all = await load(store, created, () => Number(store.wal?.checkpoints()) > checkpoints)
  t.equal((await exported(store)).length, all)
  await store.close()
})

for (const isLogged of [true, false]) {
  t.test(`without the thread, commits make the checkpoints; ${isLogged ? '' : 'not '}logged`, async (t) => {
    const url = path(`failure-${isLogged}`)
    const lines: [object, string][] = []
    const log = { warn: (fields: object, message: string) => lines.push([fields, message]) }
    const store = await openStore(`sqlite:${url}`, isLogged ? { log } : {})
    t.teardown(() => store.close())
    rmSync(url)
    await load(store, 0, (created) => created > 1_200)
    t.ok(Number(store.wal?.bytes()) < 34 * mebibyte, 'the log starts over at 32 MiB')
    t.equal(store.wal?.checkpoints(), 0)
    t.notOk(existsSync(url), 'no file is made in place of one that was removed')
    const message = 'the thread of checkpoints ended: until the next start, commits make them'
    t.match(lines, isLogged ? [[{ err: /unable to open/ }, message]] : [])
    t.equal(lines.length, Number(isLogged))
    await store.close()
  })
}
