/** DATABASE_URL: which store it names, and how a refusal reads. */
import { join } from 'node:path'
import t from 'tap'
import { openStore, StoreOpenError } from '../../src/store/open.ts'
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
