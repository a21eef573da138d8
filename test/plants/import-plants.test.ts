/** The import of plants of an earlier contract, through a user's function. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ChangeThread } from '../../src/plants/change-plants.ts'
import { changedPlantSink } from '../../src/plants/import-plants.ts'
import { Plants } from '../../src/plants/plant.ts'
import { openStore } from '../../src/store/open.ts'
import { exported } from '../store/conformance.ts'

const plants = await Plants.load()

t.test('each line is read as it is, changed, and stored', async (t) => {
  const folder = t.testdir()
  const store = await openStore(`sqlite:${join(folder, 'plants.db')}`)
  const file = join(folder, 'change.mjs')
  writeFileSync(file, 'export default ({ id, title }) => ({ id, name: title })')
  const thread = new ChangeThread(file)
  const sink = changedPlantSink(store, plants, thread)
  const line = (text: string) => sink.read(Buffer.from(text))
  await sink.store(line('{"id":1,"title":"Aloe"}'))
  await sink.store(line('{"id":1,"title":"Aloe"}'))
  t.strictSame(await exported(store), [{ id: 1n, document: '{"name":"Aloe"}' }], 'the same plant again')
  await t.rejects(sink.store(line('{"id":1,"title":"Agave"}')), {
    message: 'id 1 is taken by a different plant'
  })
  await t.rejects(sink.store(line('{"id":2}')), { name: 'ChangeError', message: /^plant 2: / })
  for (const wrong of ['{"title":"Aloe"}', '{"id":"1"}', 'null', '1'])
    t.throws(() => line(wrong), { message: 'id must be integer' }, wrong)
  await thread.close()
  await store.close()
})

t.test('a thread that has ended refuses further plants', async (t) => {
  const file = join(t.testdir(), 'change.mjs')
  writeFileSync(file, 'export default () => process.exit()')
  const thread = new ChangeThread(file)
  const plant = { id: 1n, document: '{}' }
  const both = await Promise.allSettled([thread.change([plant]), thread.change([plant])])
  for (const each of both)
    t.match(each, { reason: { message: 'plant 1: the change function ended its thread' } })
  await thread.close()
})
