/** A base backup under load, restored: https://www.postgresql.org/docs/18/continuous-archiving.html. */
import t from 'tap'
import { openStore } from '../../../src/store/open.ts'
import { keepsItsWord, loadOn } from '../load.ts'
import { Cluster } from './cluster.ts'

t.setTimeout(900_000)

t.test('a base backup under load has every plant acknowledged before its end, and serves', async (t) => {
  const cluster = await Cluster.create()
  t.teardown(() => cluster.remove())
  await cluster.start()
  const store = await openStore(cluster.url())
  const load = loadOn(store)
  await load.progress()
  const before = new Set(load.acknowledged)
  const restored = await cluster.backUp()
  t.teardown(() => restored.remove())
  await load.progress()
  await load.stop()
  await store.close()
  await cluster.stop()
  await restored.start()
  const second = await openStore(restored.url())
  t.equal(await second.ready(), true)
  await keepsItsWord(t, Object.assign(load, { acknowledged: before }), second)
  await second.close()
})
