/** Copies of a file that is in use, by SQLite's online backup (https://www.sqlite.org/backup.html), restored. */
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { openStore } from '../../../src/store/open.ts'
import { keepsItsWord, loadOn } from '../load.ts'

const folder = t.testdir()

/** Copies by `.backup` of the sqlite3 command line, and by `VACUUM INTO`. */
const ways: readonly (readonly [name: string, copy: (from: DatabaseSync, to: string) => unknown])[] = [
  ['.backup', (from, to) => backup(from, to)],
  ['VACUUM INTO', (from, to) => from.prepare('VACUUM INTO ?').run(to)]
]

for (const [name, copy] of ways)
  t.test(`${name} under load has every plant acknowledged before it, and serves`, async (t) => {
    const [file, to] = ['plants', 'copy'].map((each) => join(folder, `${each} of ${name}.db`)) as [
      string,
      string
    ]
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
