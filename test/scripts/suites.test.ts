/** The table of where a test file runs, and what a run says of it. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { choose } from '../../scripts/coverage/choose.ts'
import type { Covered } from '../../scripts/coverage/v8-coverage.ts'
import type { Effort } from '../../scripts/test/effort.ts'
import { Suites } from '../../scripts/test/suites.ts'
import type { TestResult } from '../../scripts/test/test-result.ts'
import { importersOf } from '../imports.ts'

const result = (file: string, effort: Effort): TestResult => ({
  ...{ file, effort, isOk: true, milliseconds: 1, counts: {}, failures: '' }
})
const project = (table: string) => {
  const folder = t.testdir({ test: { 'suites.txt': table } })
  return { folder, suites: Suites.read(folder) }
}
const table = `# a comment
full   measured  12.0  test/slow.test.ts
full   -          9.0  test/browser.test.ts
quick  measured   1.5  test/some.test.ts
`

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

t.test('a row names suite, coverage, CPU time and file; a file without one is quick', async (t) => {
  const { suites } = project(table)
  t.strictSame(suites.rowOf('test/slow.test.ts'), {
    ...{ file: 'test/slow.test.ts', suite: 'full', isMeasured: true, seconds: 12 }
  })
  t.match(suites.rowOf('test/other.test.ts'), { suite: 'quick', isMeasured: false, seconds: 0 })
  t.throws(() => project('slow - 1 test/a.test.ts\n'), {
    message: 'test/suites.txt: slow - 1 test/a.test.ts'
  })
})

t.test('the quick suite has the tests of changed rooms', async (t) => {
  const { folder, suites } = project(
    `${table}full - 9.0 test/room/slow.test.ts\nfull - 9.0 test/other/slow.test.ts\n`
  )
  const files = [...suites.files, 'test/room/quick.test.ts']
  const quick = ['test/some.test.ts', 'test/room/quick.test.ts']
  t.strictSame(suites.quickOf(files, folder), quick, 'outside a repository')
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a', ...args], { cwd: folder })
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'first')
  t.strictSame(suites.quickOf(files, folder), quick)
  for (const [changed, added] of [
    ['src/room/deep.ts', ['test/room/slow.test.ts']],
    ['scripts/browser.ts', []],
    ['test/room/helper.ts', ['test/room/slow.test.ts']],
    ['src/slow.ts', ['test/slow.test.ts']],
    ['test/browser.test.ts', ['test/browser.test.ts']],
    ['src/room.md', []]
  ] as const) {
    execFileSync('mkdir', ['-p', join(folder, changed, '..')])
    writeFileSync(join(folder, changed), '')
    t.strictSame(new Set(suites.quickOf(files, folder)), new Set([...quick, ...added]), changed)
    execFileSync('rm', [join(folder, changed)])
  }
})

t.test('a run names the files that are in the wrong suite, and can move them', async (t) => {
  const { folder, suites } = project(table)
  const results = [
    result('test/slow.test.ts', { cpuMs: 12_000, programs: [] }),
    result('test/browser.test.ts', { cpuMs: 900, programs: ['node src/main.ts', '/bin/esbuild --service'] }),
    result('test/some.test.ts', { cpuMs: 3_500, programs: [] }),
    result('test/new.test.ts', { cpuMs: 200, programs: ['node src/main.ts', 'git status'] })
  ]
  t.strictSame(suites.misplaced(results, false), [
    'test/browser.test.ts is not quick, but could be',
    'test/some.test.ts is quick, but takes 3.5 s of CPU time',
    'test/new.test.ts is quick, but starts git status'
  ])
  t.strictSame(
    suites.misplaced(results, true),
    ['test/new.test.ts is quick, but starts git status'],
    'a measured file takes longer'
  )
  suites.after(results).write(folder)
  t.match(
    readFileSync(join(folder, 'test/suites.txt'), 'utf8'),
    /^(?:#.*\n)+full {3}measured {2}12\.0 {2}test\/slow\.test\.ts\nfull {3}measured {3}3\.5 {2}test\/some\.test\.ts\nfull {3}- {10}0\.2 {2}test\/new\.test\.ts\n$/
  )
})

t.test('the cheapest files that reach enough are measured, and code of requests twice', async (t) => {
  const folder = t.testdir({
    src: { 'a.ts': 'one\ntwo\n', store: { 'b.ts': 'three\n' } }
  })
  const [a, b] = [join(folder, 'src/a.ts'), join(folder, 'src/store/b.ts')]
  const covered = (path: string, text: string): Covered =>
    new Map([[path, { ran: Uint8Array.from(text, Number), blocks: new Map() }]])
  const candidates = [
    { file: 'dear', cost: 100, covered: covered(a, '11111111') },
    { file: 'little', cost: 9, covered: covered(a, '00010000') },
    { file: 'first', cost: 10, covered: covered(a, '11110000') },
    { file: 'second', cost: 10, covered: covered(a, '00001111') },
    { file: 'same', cost: 11, covered: covered(a, '00001111') },
    { file: 'store', cost: 1, covered: covered(b, '111111') },
    { file: 'store again', cost: 2, covered: covered(b, '111111') },
    { file: 'store for the third time', cost: 3, covered: covered(b, '111111') },
    { file: 'nothing', cost: 0, covered: new Map() }
  ]
  t.strictSame([...choose(candidates, [a, b], folder)].sort(), ['first', 'second', 'store', 'store again'])
})
