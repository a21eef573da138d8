import { join } from 'node:path'
import t from 'tap'
import { openSqliteFile, SqlitePages } from '../../../src/store/sqlite/file.ts'
import { minId } from '../../../src/store/store.ts'
import { isMapped } from './mapping.ts'

const folder = t.testdir({})

function plantsFrom(from: number, to: number) {
  return Array.from({ length: to - from }, (_, index) => ({
    id: BigInt(from + index),
    document: JSON.stringify({ name: `plant ${from + index}` })
  }))
}

const columns = (plants: ReturnType<typeof plantsFrom>) => ({
  ids: plants.map(({ id }) => id),
  documents: plants.map(({ document }) => document)
})

t.test('pages are bounded by rows and by size, and hold committed plants', async (t) => {
  const path = join(folder, 'pages.db')
  const file = openSqliteFile(path, 1_000)
  const pages = new SqlitePages(path)
  t.same(pages.read(minId, 500), { ids: [], documents: [] })
  file.commit(plantsFrom(0, 5_000), 1_000)
  t.same(pages.read(minId, 500), columns(plantsFrom(0, 500)))
  t.same(pages.read(4_990n, 500), columns(plantsFrom(4_990, 5_000)))
  const heavy = JSON.stringify({ name: 'x'.repeat(600_000) })
  file.commit(
    [6_000n, 6_001n, 6_002n].map((id) => ({ id, document: heavy })),
    1_000
  )
  t.same(pages.read(6_000n, 500).ids, [6_000n, 6_001n])
  pages.close()
  file.close()
})

t.test('the file is not mapped, so that reading all of it does not make it resident', async (t) => {
  const path = join(folder, 'unmapped.db')
  const file = openSqliteFile(path, 1_000)
  file.commit(plantsFrom(0, 2_000), 1_000)
  file.close()
  const pages = new SqlitePages(path)
  t.equal(pages.read(minId, 500).ids.length, 500)
  t.notOk(isMapped(path))
  pages.close()
})
