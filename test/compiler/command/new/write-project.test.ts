import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { writeFolder, writeTree } from '../../../../src/compiler/command/new/write-project.ts'

const taken = { message: /^(it is not empty|there is a file of this name)$/ }
const fill = (staging: string) => writeTree(staging, [['a/b.txt', 'text']])

t.test('a new folder, and an empty one, is filled', async (t) => {
  const here = t.testdir({ empty: {} })
  for (const folder of ['new/inner', 'empty']) {
    await writeFolder(join(here, folder), fill)
    t.equal(await readFile(join(here, folder, 'a/b.txt'), 'utf8'), 'text')
    t.equal((await stat(join(here, folder))).mode & 0o777, 0o755, 'others may read it')
  }
  t.strictSame((await readdir(here)).sort(), ['empty', 'new'])
})

t.test('a folder with anything in it, and a file, stay as they are', async (t) => {
  const here = t.testdir({ full: { '.git': {} }, file: 'text' })
  for (const folder of ['full', 'file']) await t.rejects(writeFolder(join(here, folder), fill), taken)
  t.strictSame(await readdir(join(here, 'full')), ['.git'])
})

t.test('a failure half-way leaves nothing behind', async (t) => {
  const here = t.testdir({ empty: {} })
  const failing = async (staging: string) => {
    await fill(staging)
    throw new Error('half-way')
  }
  for (const folder of ['empty', 'new/inner'])
    await t.rejects(writeFolder(join(here, folder), failing), { message: 'half-way' })
  t.strictSame(await readdir(here, { recursive: true }), ['empty'])
})

t.test('files that are put into the folder meanwhile are kept', async (t) => {
  const here = t.testdir({ empty: {} })
  const beside = async (staging: string) => {
    await fill(staging)
    await writeFile(join(here, 'empty/mine'), 'mine')
  }
  await t.rejects(writeFolder(join(here, 'empty'), beside), { code: 'ENOTEMPTY' })
  t.strictSame(await readdir(here, { recursive: true }), ['empty', 'empty/mine'])
})

t.test('a folder that cannot be read is an error of the file system', async (t) => {
  await t.rejects(writeFolder(join(t.testdir({}), 'x'.repeat(300)), fill), { code: 'ENAMETOOLONG' })
})
