/** `npm test`, on separate files. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { runTestFiles } from '../../scripts/test/run-test-files.ts'
import { runTests } from '../../scripts/test/run-tests.ts'
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
