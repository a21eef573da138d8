/** The gate of `npm test -- --coverage`, with real processes in a small project. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { CoverageGate } from '../../../scripts/coverage/gate.ts'
import { runTests } from '../../../scripts/test/run-tests.ts'

t.setTimeout(900_000)

const source = `export function sign(value: number): string {
  if (value < 0) return 'negative'
  return 'positive'
}
`
const plan = "console.log('ok 1 - ran\\n1..1')\n"
const calls = (...values: readonly number[]): string =>
  `import { sign } from './src/sign.ts'\nfor (const value of [${values.join()}]) sign(value)\n${plan}`

/** Makes a project; returns a function that runs texts as its tests, and returns the output. */
function makeProject(t: Test, text = source) {
  const project = t.testdir({ src: { 'sign.ts': text } })
  const reports = join(project, 'reports')
  return async (...texts: readonly string[]) => {
    const files = texts.map((text, index) => {
      const name = `${index}${text.includes('unmeasured') ? '-unmeasured' : ''}.test.ts`
      writeFileSync(join(project, name), text)
      return name
    })
    const options = {
      project,
      reports,
      isMeasured: (file: string) => !file.includes('unmeasured')
    }
    let printed = ''
    const { isOk: isPassed } = await runTests(
      files.map((file) => [file]),
      {
        jobs: 1,
        project,
        coverage: new CoverageGate(options),
        print: (text) => {
          printed += text
        }
      }
    )
    return { isPassed, printed, left: existsSync(reports) ? readdirSync(reports) : [] }
  }
}

t.test('tests that run every branch together pass, and leave no report behind', async (t) => {
  const { isPassed, printed, left } = await makeProject(t)(calls(1), calls(-1))
  t.ok(isPassed)
  t.match(printed, /^ok 3 - scripts\/test\.ts --coverage # time=\d+ms\n1\.\.3\n# \{ total: 1, pass: 1 \}$/m)
  t.strictSame(left, [])
})

t.test('a branch that was not taken fails', async (t) => {
  const { isPassed, printed } = await makeProject(t)(calls(1))
  t.notOk(isPassed)
  t.match(printed, /\n {2}src\/sign\.ts:2 is not covered: if \(value < 0\) return 'negative'\n {2}\.\.\.\n/)
  t.match(printed, /^not ok 2 - scripts\/test\.ts --coverage/m)
  t.match(printed, /^# failed: node scripts\/test\.ts --coverage$/m)
})

t.test('every branch runs where requests are served; elsewhere a few may not', async (t) => {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
  const branches = (count: number) =>
    `export function sign(value: number): string {
  let text = ''
${numbers(count)
  .map((index) => `  if (value === ${index}) text = '${index}'\n`)
  .join('')}  return text
}
`
  for (const [count, isPassed] of [
    [20, false],
    [60, true]
  ] as const) {
    const run = makeProject(t, branches(count))
    const outcome = await run(calls(-1), calls(...numbers(count - 1)))
    t.equal(outcome.isPassed, isPassed, outcome.printed)
  }
  const store = t.testdir({
    src: { store: { 'sign.ts': branches(60) } },
    '0.test.ts': calls(-1, ...numbers(59)).replace('src/', 'src/store/')
  })
  let printed = ''
  const coverage = new CoverageGate({
    project: store,
    reports: join(store, 'reports'),
    isMeasured: () => true
  })
  const print = (text: string) => {
    printed += text
  }
  t.notOk((await runTests([['0.test.ts']], { jobs: 1, project: store, print, coverage })).isOk)
  t.match(printed, /^ {2}src\/store\/sign\.ts:62 is not covered: if \(value === 59\) text = '59'$/m)
})

t.test('a file that no test loads fails', async (t) => {
  t.match((await makeProject(t)(plan)).printed, /^ {2}src\/sign\.ts:1 is not covered/m)
})

t.test('a copy of a file does not count, edited or not', async (t) => {
  const inCopy = (text: string) => `import { mkdirSync, writeFileSync } from 'node:fs'
mkdirSync('copy/src', { recursive: true })
writeFileSync('copy/src/sign.ts', ${JSON.stringify(text)})
const { sign } = await import('./copy/src/sign.ts')
sign(1)
sign(-1)
${plan}`
  for (const text of [source, source.replace('value < 0', 'value > 0')]) {
    const { isPassed, printed } = await makeProject(t)(inCopy(text), calls(1))
    t.notOk(isPassed)
    t.match(printed, /^ {2}src\/sign\.ts:2 is not covered/m)
  }
})

t.test('a file that is imported again, with a query, counts', async (t) => {
  const again = calls(1, -1).replace('sign.ts', 'sign.ts?again')
  t.ok((await makeProject(t)(again)).isPassed)
})

t.test('a file that is not measured does not count', async (t) => {
  const { isPassed } = await makeProject(t)(calls(1), `${calls(-1)}// unmeasured\n`)
  t.notOk(isPassed)
})

t.test('an earlier run does not count', async (t) => {
  const run = makeProject(t)
  t.ok((await run(calls(1, -1))).isPassed)
  t.notOk((await run(calls(1))).isPassed)
})

t.test('coverage is not judged if a test has failed', async (t) => {
  const { isPassed, printed } = await makeProject(t)(`${calls(1)}process.exitCode = 1\n`)
  t.notOk(isPassed)
  t.notMatch(printed, /is not covered/)
})

t.test('only thirty lines are printed, and the number of the others', async (t) => {
  const project = t.testdir({ src: { 'long.ts': 'export let count = 0\n'.padEnd(1000, 'count += 1\n') } })
  let printed = ''
  const print = (text: string) => {
    printed += text
  }
  const coverage = new CoverageGate({
    project,
    reports: join(project, 'reports'),
    isMeasured: () => true
  })
  await runTests([], { jobs: 1, project, print, coverage })
  t.equal(printed.match(/is not covered/g)?.length, 30)
  t.match(printed, /\n {2}… and \d\d more\n/)
})

t.test(
  'a branch at the top of a module counts where it ran, in code that an earlier process has compiled, too',
  async (t) => {
    const run = makeProject(t, "export const word: string = process.env['WORD'] === 'b' ? 'bb' : 'aa'\n")
    const imports = (word: string) => `process.env.WORD = '${word}'\nawait import('./src/sign.ts')\n${plan}`
    t.ok((await run(imports('a'), imports('b'))).isPassed)
    const { printed } = await run(imports('a'), imports('a'))
    t.match(printed, /\n {2}src\/sign\.ts:1 is not covered/)
  }
)

t.test('lines that run in a program of a package do not count: V8 counts no branches there', async (t) => {
  const inPackage = `import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
mkdirSync('node_modules/some', { recursive: true })
writeFileSync('node_modules/some/program.js', "import { sign } from '../../src/sign.ts'\\nsign(1)\\nsign(-1)\\n")
execFileSync(process.execPath, ['node_modules/some/program.js'])
${plan}`
  t.match((await makeProject(t)(inPackage)).printed, /^ {2}src\/sign\.ts:2 is not covered/m)
})

t.test(
  'a second process takes the code of packages from the cache, and that of no file of the project',
  async (t) => {
    const accepted = `import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { deepStrictEqual } from 'node:assert'
writeFileSync('package.mjs', 'export default 1')
const imports = "await import('./src/sign.ts'); await import('./package.mjs')"
const used = () => {
  const env = { ...process.env, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', imports], { env, encoding: 'utf8' })
  return [...stderr.matchAll(/(sign\\.ts|package\\.mjs) was accepted/g)].map(([, file]) => file)
}
deepStrictEqual([used(), used()], [[], ['package.mjs']])
${calls(1, -1)}`
    const { isPassed, printed } = await makeProject(t)(accepted)
    t.ok(isPassed, printed)
  }
)
