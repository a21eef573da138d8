/** `npm test`, on separate files. */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import { bundleTap } from '../../scripts/test/bundle-tap.ts'
import { emptyFullCache } from '../../scripts/test/empty-full-cache.ts'
import { inGroups } from '../../scripts/test/groups.ts'
import { runTestFiles } from '../../scripts/test/run-test-files.ts'
import { runTests } from '../../scripts/test/run-tests.ts'
import { Suites } from '../../scripts/test/suites.ts'
import { lineOf, summaryOf } from '../../scripts/test/test-result.ts'

t.setTimeout(900_000)

const tap = JSON.stringify(import.meta.resolve('tap'))
const files = {
  'passes.test.ts': `import t from ${tap}\nt.equal(1, 1)\nt.equal(2, 2)\n`,
  'fails.test.ts': `import t from ${tap}\nt.test('a sum', async (t) => { t.equal(1 + 1, 2); t.equal(1 + 1, 3, 'one and one') })\n`,
  'empty.test.ts': "console.error('nothing here')\n",
  'dies.test.ts': "process.stdout.write('1..1\\n', () => process.kill(process.pid, 'SIGKILL'))\n",
  'asserts-nothing.test.ts': `import t from ${tap}
t.test('a', async (t) => { t.test('b', async (t) => { for (const each of []) t.ok(each) }) })
`,
  'throws.test.ts': "throw new Error('at once')\n",
  'rejects.test.ts': `import t from ${tap}
t.test('passes, but for the promise', async () => { Promise.reject(new Error('unhandled')) })
t.test('comes later', (t) => setTimeout(() => t.end(), 10))
`,
  'throws-later.test.ts': `import t from ${tap}
t.teardown(() => setTimeout(() => { throw new Error('after the plan') }, 10))
t.test('passes', async (t) => { t.ok(1, 'one') })
`,
  'waits.test.ts': `import t from ${tap}
t.test('for nothing', () => new Promise(() => {}))
`,
  'traces.test.ts': `import { executionAsyncId } from 'node:async_hooks'
import t from ${tap}
t.test('no hook follows a promise', async (t) => {
  await Promise.resolve()
  t.equal(executionAsyncId(), 0)
})
`
}

const alone = (names: readonly string[]) => names.map((name) => [name])

t.test(
  'a file passes that exits with 0, has written its plan and asserts in each test, and every failure is printed',
  async (t) => {
    const project = t.testdir(files)
    let printed = ''
    const results = await runTestFiles(alone(Object.keys(files)), { jobs: 2, project })
    for (const result of results) printed += lineOf(result, 1)
    const passed = results.filter(({ isOk }) => isOk).map(({ file }) => file)
    t.strictSame(passed.sort(), ['passes.test.ts', 'traces.test.ts'])
    t.match(printed, /^ok \d - passes\.test\.ts # time=\d+ms$/m)
    t.match(printed, /not ok 2 - one and one\n +---\n(?: .*\n)+ +\.\.\.\n/)
    t.notMatch(printed, /^ *ok 1 - should be equal/m)
    t.match(printed, /# it exited with 0\nnothing here\nnot ok \d - empty\.test\.ts/)
    t.match(printed, /# a signal ended it\n+not ok \d - dies\.test\.ts/)
    t.match(printed, /^not ok - b: has no assertion\n[\s\S]*not ok \d - asserts-nothing\.test\.ts/m)
    t.match(printed, /Error: at once[\s\S]*not ok \d - throws\.test\.ts/)
    t.match(printed, /not ok 3 - unhandled[\s\S]*not ok \d - rejects\.test\.ts/)
    t.match(printed, /not ok 1 - for nothing[\s\S]*not ok \d - waits\.test\.ts/)
    t.match(printed, /Error: after the plan[\s\S]*not ok \d - throws-later\.test\.ts/)
    t.match(
      summaryOf(results, 1),
      /^1\.\.10\n(?:# failed: node [\w-]+\.test\.ts\n){8}# \{ total: 19, pass: 8, fail: 11 \}\n# time=1ms\n$/
    )
  }
)

t.test('a process that a file leaves behind does not keep the run', async (t) => {
  const project = t.testdir({
    'leaves.test.ts': `import { spawn } from 'node:child_process'
import t from ${tap}
spawn('sleep', ['20'], { stdio: 'inherit', detached: true }).unref()
t.ok(1)
`
  })
  const [result] = await runTestFiles([['leaves.test.ts']], { jobs: 1, project })
  t.match(result, { isOk: true, counts: { pass: 1 } })
})

t.test('test files load tap from one bundle, with the same report as the package', async (t) => {
  const source = `import { existsSync } from 'node:fs'
import t, { test } from 'tap'
t.ok(import.meta.resolve('tap').endsWith('/bundle.mjs'), 'is loaded')
t.equal(process.env.TAP_BUNDLE, undefined)
t.same({ day: new Date(0), list: [1, 2] }, { day: new Date(1), list: [1] })
t.matchOnly(new Map([['a', 1]]), new Map([['a', 2]]))
t.throws(() => JSON.parse('{'), { name: 'TypeError' })
t.ok(existsSync(t.testdir({ file: '' })))
test('a test', async (t) => { t.rejects(Promise.resolve(1)); throw new Error('of the test') })
`
  const project = t.testdir({ 'one.test.ts': source })
  const tapBundle = join(project, 'node_modules/@tapjs/bundle.mjs')
  await bundleTap(resolve(import.meta.dirname, '../..'), tapBundle)
  const resultWith = async (options: { tapBundle?: string }) => {
    const [result] = await runTestFiles([['one.test.ts']], { jobs: 1, project, ...options })
    // The bundle has several classes of the name Test, and numbers them.
    const failures = result?.failures.replaceAll(/time=[\d.]+ms|(?<=\bTest)\d(?=$|\.)/gm, '')
    return { counts: result?.counts, failures }
  }
  const [bundle, itself] = await Promise.all([resultWith({ tapBundle }), resultWith({})])
  t.match(bundle, {
    counts: { total: 9, pass: 3, fail: 6 },
    failures: /Test\.<anonymous> \(one\.test\.ts:\d/
  })
  t.match(itself, { counts: { total: 9, pass: 2, fail: 7 } }, 'which is not the bundle')
  t.equal(bundle.failures, itself.failures?.replace(/^not ok 1 - is loaded\n(.*\n)*? {2}\.\.\.\n/, ''))
})

t.test('files that share a process have the results that each has alone', async (t) => {
  const project = t.testdir({
    'adds.test.ts':
      "import t from 'tap'\nt.equal(1, 1)\nt.test('folder', async (t) => { t.match(t.testdirName, /fixtures.adds\\.test\\.ts-folder$/) })\n",
    'fails.test.ts':
      "import { test } from 'tap'\ntest('a sum', async (t) => { t.equal(1 + 1, 3, 'one and one') })\n",
    'asserts-nothing.test.ts': "import t from 'tap'\nt.test('nothing', async () => {})\n",
    'dies.test.ts': "import t from 'tap'\nt.test('dies', async () => process.kill(process.pid, 'SIGKILL'))\n",
    'passes.test.ts': "import t from 'tap'\nt.equal(process.env.TEST_FILES, undefined)\nt.pass()\n",
    'throws-later.test.ts':
      "import t from 'tap'\nprocess.on('exit', () => { process.exitCode = 3 })\nt.pass()\n"
  })
  const names = ['adds', 'fails', 'asserts-nothing', 'dies', 'passes', 'throws-later'].map(
    (name) => `${name}.test.ts`
  )
  const results = await runTestFiles([names], { jobs: 1, project })
  t.strictSame(
    results.map(({ file, isOk, counts }) => [file, isOk, counts['total'], counts['pass']]),
    [
      ['adds.test.ts', true, 2, 2],
      ['fails.test.ts', false, 2, 0],
      ['asserts-nothing.test.ts', false, 2, 1],
      ['dies.test.ts', false, 1, undefined],
      ['passes.test.ts', true, 2, 2],
      ['throws-later.test.ts', false, 2, 1]
    ]
  )
  t.match(results[1]?.failures, /not ok 1 - one and one/)
  t.match(results[3]?.failures, /a signal ended it/)
  t.match(results[5]?.failures, /it exited with 3/)
})

t.test('modules that files import have a folder for each process', async (t) => {
  const file = (first: string) =>
    `import t from 'tap'\nimport folder from './folder.ts'\nt.match(folder, /several-${first}\\.test\\.ts$/)\n`
  const project = t.testdir({
    'folder.ts': "import root from 'tap'\nexport default root.testdir({})\n",
    ...{ 'a.test.ts': file('a'), 'b.test.ts': file('a'), 'c.test.ts': file('c'), 'd.test.ts': file('c') }
  })
  const groups = [
    ['a.test.ts', 'b.test.ts'],
    ['c.test.ts', 'd.test.ts']
  ]
  const results = await runTestFiles(groups, { jobs: 2, project })
  t.strictSame(
    results.map(({ isOk }) => isOk),
    [true, true, true, true]
  )
})

t.test(
  'files that change their process and slow ones share none with others, but type checks do',
  async (t) => {
    const light = Array.from({ length: 34 }, (_, index) => `test/light-${index}.test.ts`)
    const own = [
      "process.env['A'] = 'b'",
      "process.on('exit', end)",
      'mock.timers.tick(1)',
      "import '../cpu-time.ts'"
    ]
    const texts = [
      ...[...light, 'test/slow.test.ts'].map((name) => [name, 't.pass()']),
      ...own.map((text, index) => [`test/own-${index}.test.ts`, text]),
      ...['a', 'b'].map((name) => [
        `test/types-${name}.test.ts`,
        "import { diagnose } from './type-check.ts'"
      ])
    ]
    const project = t.testdir({
      test: Object.fromEntries(texts.map(([name = '', text = '']) => [name.slice(5), text]))
    })
    const files = texts.map(([name = '']) => name)
    const suites = new Suites([
      { file: 'test/slow.test.ts', suite: 'quick', isMeasured: false, seconds: 40 },
      { file: 'test/types-a.test.ts', suite: 'full', isMeasured: false, seconds: 30 },
      { file: 'test/light-3.test.ts', suite: 'quick', isMeasured: true, seconds: 1 }
    ])
    const groups = inGroups(files, project, suites)
    t.strictSame(
      groups.map(({ length }) => length),
      [1, 2, 17, 16, 1, 1, 1, 1, 1],
      'those that take long begin'
    )
    t.strictSame(groups.flat().sort(), [...files].sort())
    t.strictSame([groups[0], groups[4]], [['test/slow.test.ts'], ['test/light-3.test.ts']])
  }
)

t.test('a file that shares its process is reported when it ends', async (t) => {
  const project = t.testdir({
    'a.test.ts': "import t from 'tap'\nt.pass()\n",
    'b.test.ts': `import { existsSync } from 'node:fs'
import t from 'tap'

t.test('waits', async (t) => {
  while (!existsSync('reported')) await new Promise((done) => setTimeout(done, 5))
  t.pass()
})
`
  })
  const onResult = ({ file }: { readonly file: string }) => {
    if (file === 'a.test.ts') writeFileSync(join(project, 'reported'), '')
  }
  const results = await runTestFiles([['a.test.ts', 'b.test.ts']], { jobs: 1, project, onResult })
  t.strictSame(
    results.map(({ isOk }) => isOk),
    [true, true]
  )
})

t.test('the CPU time and the programs of each file are measured', async (t) => {
  const file = (...lines: readonly string[]) => `import t from 'tap'\n${lines.join('\n')}\nt.pass()\n`
  const busy = 'for (let until = process.cpuUsage().user + 300_000; process.cpuUsage().user < until; );'
  const project = t.testdir({
    'busy.test.ts': file(busy),
    'idle.test.ts': file(),
    'starts.test.ts': file(
      "import { spawn, spawnSync } from 'node:child_process'",
      `spawnSync(process.execPath, ['-e', ${JSON.stringify(busy)}])`,
      "spawn('true', ['later'])"
    )
  })
  for (const groups of [
    [['busy.test.ts', 'idle.test.ts', 'starts.test.ts']],
    alone(['busy.test.ts', 'idle.test.ts', 'starts.test.ts'])
  ]) {
    const results = await runTestFiles(groups, { jobs: 1, project })
    const [busyOne, idle, starts] = results.map(({ effort }) => effort)
    t.ok((busyOne?.cpuMs ?? 0) >= 300)
    t.ok((starts?.cpuMs ?? 0) >= 300, 'of a child that has ended')
    t.strictSame([busyOne?.programs, idle?.programs], [[], []])
    t.match(starts?.programs, [/^\S*node -e for/, 'true later'])
  }
})

t.test('files that are repeated take turns, and every failure is printed', async (t) => {
  const project = t.testdir({
    'passes.test.ts': "console.log('1..1')\n",
    'fails.test.ts': `import { appendFileSync, readFileSync } from 'node:fs'
appendFileSync('runs', 'x')
const run = readFileSync('runs', 'utf8').length
console.log(run === 1 ? '1..1' : 'not ok 1 - run ' + run + '\\n1..1')
process.exitCode = run === 1 ? 0 : 1
`
  })
  let printed = ''
  const options = { times: 3, jobs: 1, project, print: (text: string) => (printed += text) }
  t.notOk((await runTests(alone(['fails.test.ts', 'passes.test.ts']), options)).isOk)
  t.strictSame(printed.match(/^(?:not )?ok \d+ - [\w. ]+(?= #|$)/gm), [
    ...['ok 1 - fails.test.ts', 'ok 2 - passes.test.ts'],
    ...['not ok 1 - run 2', 'not ok 3 - fails.test.ts', 'ok 4 - passes.test.ts'],
    ...['not ok 1 - run 3', 'not ok 5 - fails.test.ts', 'ok 6 - passes.test.ts']
  ])
})

t.test('a file that fails runs again alone, if that is asked for', async (t) => {
  const project = t.testdir({
    'once.test.ts': `import { existsSync, writeFileSync } from 'node:fs'
const isFirst = !existsSync('ran')
writeFileSync('ran', '')
console.log(isFirst ? 'not ok 1 - first\\n1..1' : '1..1')
process.exitCode = Number(isFirst)
`,
    'always.test.ts': "console.log('not ok 1 - always\\n1..1')\nprocess.exitCode = 1\n"
  })
  let printed = ''
  const options = { jobs: 2, project, print: (text: string) => (printed += text) }
  t.notOk((await runTests(alone(['once.test.ts']), options)).isOk)
  rmSync(join(project, 'ran'))
  const both = await runTests(alone(['once.test.ts', 'always.test.ts']), { ...options, retries: true })
  t.strictSame(Object.fromEntries(both.results.map(({ file, isOk }) => [file, isOk])), {
    'once.test.ts': true,
    'always.test.ts': false
  })
  t.match(printed, /^# again, alone: once\.test\.ts\nok \d - once\.test\.ts/m)
  t.match(printed, /# failed: node always\.test\.ts\n# \{/)
})

t.test('a run that is silent for a while names the files that it waits for', async (t) => {
  const project = t.testdir({
    'waits.test.ts': `import { existsSync } from 'node:fs'
const timer = setInterval(() => {
  if (!existsSync('named')) return
  clearInterval(timer)
  console.log('1..1')
}, 5)
`
  })
  let printed = ''
  const print = (text: string) => {
    printed += text
    if (text === '# running: waits.test.ts\n') writeFileSync(join(project, 'named'), '')
  }
  t.ok((await runTests([['waits.test.ts']], { jobs: 1, project, print, maxSilenceMs: 20 })).isOk)
  t.match(printed, /^TAP version 14\n(?:# running: waits\.test\.ts\n)+ok 1 - waits\.test\.ts/)
})

t.test('a cache that is full is emptied', async (t) => {
  const cache = join(t.testdir({ cache: { v26: { a: '', b: '' } } }), 'cache')
  emptyFullCache(cache, 3)
  t.ok(existsSync(join(cache, 'v26/a')), 'two files and their folder')
  emptyFullCache(cache, 2)
  t.notOk(existsSync(cache))
  emptyFullCache(cache, 2)
  emptyFullCache(undefined, 2)
})
