import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { Progress } from '../../../../src/compiler/command/generate/progress.ts'

/** Waits until the text is in the file. */
async function written(path: string, text: RegExp): Promise<void> {
  while (!text.test(readFileSync(path, 'utf8'))) await new Promise((done) => setTimeout(done, 10))
}

t.test('a long compilation prints its current phase, and each next one', async (t) => {
  const path = join(t.testdir({}), 'terminal')
  const fd = openSync(path, 'w')
  const progress = new Progress(fd, 50)
  progress.begin('writing the types')
  await written(path, /^compiling for \d+ s: (starting|writing the types)\n/)
  progress.begin('writing the validators')
  await written(path, /compiling for \d+ s: writing the validators\n$/)
  await progress.end()
  closeSync(fd)
  t.match(readFileSync(path, 'utf8'), 'writing the validators')
})

t.test('a short compilation prints nothing', async (t) => {
  const path = join(t.testdir({}), 'terminal')
  const fd = openSync(path, 'w')
  const progress = new Progress(fd)
  progress.begin('writing the types')
  await progress.end()
  closeSync(fd)
  t.equal(readFileSync(path, 'utf8'), '')
})
