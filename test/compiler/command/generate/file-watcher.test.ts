/** The file watcher of `npm run dev`: saved files are served. */
import { writeFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { FileWatcher } from '../../../../src/compiler/command/generate/file-watcher.ts'
import { describePlant } from '../../../scripts/contract-edits.ts'
import { DevSession } from '../dev/dev-session.ts'

t.setTimeout(900_000)

t.test('every way in which editors save is noticed, and in every file of the contract', async (t) => {
  const dev = await DevSession.start(t)
  const file = join(dev.copy.folder, 'openapi.yaml')
  const contract = await dev.copy.read('openapi.yaml')
  const isServed = async (mark: string) => {
    while (!(await (await dev.request('/openapi.json')).text()).includes(mark)) await sleep(50)
    return true
  }
  t.comment('renamed over')
  await writeFile(`${file}.next`, describePlant(', renamed')(contract))
  await rename(`${file}.next`, file)
  t.ok(await isServed('store, renamed'))
  t.comment('moved away and written again')
  await rename(file, `${file}~`)
  await sleep(40)
  await writeFile(file, describePlant(', anew')(contract))
  t.ok(await isServed('store, anew'))
  t.comment('a burst')
  for (let count = 0; count < 25; count++) {
    await writeFile(file, describePlant(`, burst ${count}.`)(contract))
    await sleep(count % 5)
  }
  t.ok(await isServed('burst 24.'))
  t.comment('a reference to a file that is written later')
  await writeFile(
    file,
    contract.replace("$ref: '#/components/schemas/NewPlant'", '$ref: schemas/new-plant.yaml')
  )
  await dev.shows(/schemas\/new-plant\.yaml[\s\S]*waiting/u)
  await dev.copy.run(
    "mkdir schemas && printf 'description: Split off\\ntype: object\\nproperties: {id: {type: integer, format: int64}, name: {type: string}}\\nrequired: [id, name]\\n' > schemas/new-plant.yaml"
  )
  t.ok(await isServed('Split off'))
  await dev.copy.edit('schemas/new-plant.yaml', (text) => text.replace('Split off', 'On its own'))
  t.ok(await isServed('On its own'))
  t.equal(await dev.end('SIGHUP'), 0)
})

t.test('a folder that is made later is found by the scan, which needs no events', async (t) => {
  const folder = join(t.testdir({}), 'later')
  const watcher = new FileWatcher()
  t.teardown(() => watcher.close())
  watcher.watchFolder(folder)
  const saved = watcher.next()
  await mkdir(folder)
  await writeFile(join(folder, 'a'), 'text')
  t.strictSame([...(await saved)], [join(folder, 'a')])
})

t.test('a file that is removed is reported', async (t) => {
  const file = join(t.testdir({ file: 'text' }), 'file')
  const watcher = new FileWatcher()
  t.teardown(() => watcher.close())
  watcher.watch(file)
  const saved = watcher.next()
  await rm(file)
  t.strictSame([...(await saved)], [file])
})

t.test('a change is known before the system reports it, when it is asked for', async (t) => {
  const file = join(t.testdir({ file: 'text' }), 'file')
  const watcher = new FileWatcher()
  t.teardown(() => watcher.close())
  watcher.watch(file)
  const saved = watcher.next()
  t.notOk(watcher.hasChanged())
  writeFileSync(file, 'other text')
  t.ok(watcher.hasChanged())
  t.strictSame([...(await saved)], [file])
  t.ok(watcher.hasChanged(), 'nobody has asked for the next one')
})
