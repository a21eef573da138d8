/** DATABASE_URL: the store that it names, and the messages of a refusal. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openStore } from '../../src/store/open.ts'
import { StoreOpenError } from '../../src/store/store.ts'
import { plant } from './conformance.ts'

const folder = t.testdir({ folder: {} })

const refused = ['', 'plants.db', 'mysql://127.0.0.1/plants', 'constructor:x', 'sqlite:', 'sqlite::memory:']
for (const url of refused) {
  t.test(`refuses "${url}"`, (t) =>
    t.rejects(openStore(url), { name: 'StoreOpenError', message: /^DATABASE_URL .*must/ })
  )
}

t.test('refuses a store that cannot be opened, and closes it', async (t) => {
  await t.rejects(openStore(`sqlite:${join(folder, 'folder')}`), StoreOpenError)
})

t.test('opens a path with spaces, in folders that it makes', async (t) => {
  const store = await openStore(`sqlite:${join(folder, 'a b', 'c?d', 'plants.db')}`)
  t.equal(await store.create(plant(1)), 'created')
  await store.close()
})

t.test('reports the place of the store, and whether it was made', async (t) => {
  const path = join(folder, 'made.db')
  const found: unknown[] = []
  for (let turn = 0; turn < 2; turn++)
    await (await openStore(`sqlite:${path}`, { onOpen: (origin) => found.push(origin) })).close()
  t.strictSame(found, [
    { kind: 'sqlite', location: path, isNew: true },
    { kind: 'sqlite', location: path, isNew: false }
  ])
})

t.test('makes neither a file nor a folder where it must not', async (t) => {
  const path = join(folder, 'typo', 'plants.db')
  await t.rejects(openStore(`sqlite:${path}`, { mustExist: true }), { message: `${path} does not exist` })
  await t.rejects(openStore(`sqlite:${path}`, { makesFolders: false }), {
    message: /typo does not exist: make it/
  })
  t.equal(existsSync(join(folder, 'typo')), false)
})
