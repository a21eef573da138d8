/** The table of where a test file runs. */
import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'
import { Suites } from '../../scripts/test/suites.ts'
import { importersOf } from '../imports.ts'

t.test('every file of the table is there', async (t) => {
  const { files } = Suites.read('.')
  t.ok(files.length > 50)
  t.strictSame(
    files.filter((file) => !existsSync(file)),
    []
  )
})

t.test(
  'a file that takes long alone sets a time-out, so that `node FILE` ends on a busy machine, too',
  async (t) => {
    const suites = Suites.read('.')
    const slow = suites.files.filter((file) => suites.rowOf(file).seconds >= 2)
    t.ok(slow.length > 30)
    t.strictSame(
      slow.filter((file) => !/^\w+\.setTimeout\(/m.test(readFileSync(file, 'utf8'))),
      []
    )
  }
)

t.test('no quick file needs the packages of the full suite, which npm ci does not install', async (t) => {
  const needing = [...importersOf('test/installed-packages.ts')]
  const tests = needing.filter((file) => /^test\/(?!projects\/).*\.test\.ts$/.test(file))
  t.ok(tests.length > 10)
  const suites = Suites.read('.')
  t.strictSame(
    tests.filter((file) => suites.rowOf(file).suite === 'quick'),
    []
  )
})
