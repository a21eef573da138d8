/** The gate of `npm test -- --coverage`, with real processes in a small project. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { CoverageGate } from '../../../scripts/coverage/gate.ts'
import { runTests } from '../../../scripts/test/run-tests.ts'

t.setTimeout(900_000)

const sign = `/** A comment inside of nothing. */
export function sign(value: number): string {
  if (value < 0) return 'negative'
  return 'positive'
}
`
const plan = "console.log('ok 1 - ran\\n1..1')\n"
const calls = (...values: readonly number[]): string =>
  `import { sign } from './src/sign.ts'\nfor (const value of [${values.join()}]) sign(value)\n${plan}`
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
const branches = (count: number) => {
  const lines = numbers(count).map((index) => `  if (value === ${index}) text = '${index}'\n`)
  return `export function sign(value: number): string {\n  let text = ''\n${lines.join('')}  return text\n}\n`
}
const inCopy = (text: string) => `import { mkdirSync, writeFileSync } from 'node:fs'
mkdirSync('copy/src', { recursive: true })
writeFileSync('copy/src/sign.ts', ${JSON.stringify(text)})
const { sign } = await import('./copy/src/sign.ts')
sign(1)
sign(-1)
${plan}`
const inPackage = `import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
mkdirSync('node_modules/some', { recursive: true })
writeFileSync('node_modules/some/program.js', "import { sign } from '../../src/sign.ts'\\nsign(1)\\nsign(-1)\\n")
execFileSync(process.execPath, ['node_modules/some/program.js'])
${plan}`
const atTheTop = "export const word: string = process.env['WORD'] === 'b' ? 'bb' : 'aa'\n"
const importing = (word: string) => `process.env.WORD = '${word}'\nawait import('./src/sign.ts')\n${plan}`
const long = 'export let count = 0\n'.padEnd(1000, 'count += 1\n')

interface Row {
  readonly what: string
  readonly tests: readonly string[]
  readonly isPassed: boolean
  readonly printed: RegExp
  /** Text of the source; that of `sign` by default. */
  readonly text?: string
  readonly file?: string
}

const uncovered = /^ {2}src\/sign\.ts:3 is not covered: if \(value < 0\) return 'negative'$/m
const passed = /^ok \d+ - scripts\/test\.ts --coverage # time=\d+ms$/m
const rows: readonly Row[] = [
  { what: 'every branch, of two files', tests: [calls(1), calls(-1)], isPassed: true, printed: passed },
  { what: 'a branch that was not taken', tests: [calls(1)], isPassed: false, printed: uncovered },
  {
    what: 'one branch of few',
    text: branches(20),
    tests: [calls(-1), calls(...numbers(19))],
    isPassed: false,
    printed: /src\/sign\.ts:22 is not covered/
  },
  {
    what: 'one branch of many',
    text: branches(60),
    tests: [calls(-1), calls(...numbers(59))],
    isPassed: true,
    printed: passed
  },
  {
    what: 'one branch of many where requests are served',
    file: 'src/store/sign.ts',
    text: branches(60),
    tests: [calls(-1, ...numbers(59)).replace('src/', 'src/store/')],
    isPassed: false,
    printed: /^ {2}src\/store\/sign\.ts:62 is not covered: if \(value === 59\) text = '59'$/m
  },
  {
    what: 'no test loads the file',
    tests: [plan],
    isPassed: false,
    printed: /src\/sign\.ts:2 is not covered/
  },
  { what: 'only types', text: 'export type A = 1\n', tests: [plan], isPassed: true, printed: passed },
  { what: 'a copy', tests: [inCopy(sign), calls(1)], isPassed: false, printed: uncovered },
  {
    what: 'an import with a query',
    tests: [calls(1, -1).replace('sign.ts', 'sign.ts?again')],
    isPassed: true,
    printed: passed
  },
  {
    what: 'a file that is not measured',
    tests: [calls(1), `${calls(-1)}// unmeasured\n`],
    isPassed: false,
    printed: uncovered
  },
  {
    what: 'a test that has failed',
    tests: [`${calls(1)}process.exitCode = 1\n`],
    isPassed: false,
    printed: /^(?![\s\S]*is not covered)/
  },
  {
    what: 'more than thirty lines',
    text: long,
    tests: [plan],
    isPassed: false,
    printed: /^(?:[\s\S]*?is not covered){30}(?![\s\S]*is not covered)[\s\S]*\n {2}… and \d\d more\n/
  },
  {
    what: 'both branches at the top of a module',
    text: atTheTop,
    tests: [importing('a'), importing('b')],
    isPassed: true,
    printed: passed
  },
  {
    what: 'one of them twice, in code that an earlier process has compiled',
    text: atTheTop,
    tests: [importing('a'), importing('a')],
    isPassed: false,
    printed: /\n {2}src\/sign\.ts:1 is not covered/
  },
  { what: 'a program of a package', tests: [inPackage], isPassed: false, printed: uncovered }
]

/** Makes a project; returns a function that runs texts as its tests. */
function makeProject(t: Test, { text = sign, file = 'src/sign.ts' }: Pick<Row, 'text' | 'file'> = {}) {
  const source = { [basename(file)]: text }
  const folder = basename(dirname(file))
  const project = t.testdir({ src: folder === 'src' ? source : { [folder]: source } })
  const reports = join(project, 'reports')
  return async (...texts: readonly string[]) => {
    const files = texts.map((text, index) => {
      const name = `${index}${text.includes('unmeasured') ? '-unmeasured' : ''}.test.ts`
      writeFileSync(join(project, name), text)
      return name
    })
    const isMeasured = (file: string) => !file.includes('unmeasured')
    const coverage = new CoverageGate({ project, reports, isMeasured })
    let printed = ''
    const print = (text: string) => (printed += text)
    const groups = files.map((file) => [file])
    const { isOk } = await runTests(groups, { jobs: 1, project, coverage, print })
    return { isOk, printed, left: existsSync(reports) ? readdirSync(reports) : [] }
  }
}

for (const row of rows)
  t.test(`${row.what} ${row.isPassed ? 'passes' : 'fails'}`, async (t) => {
    const { isOk, printed, left } = await makeProject(t, row)(...row.tests)
    t.equal(isOk, row.isPassed, printed)
    t.match(printed, row.printed)
    if (isOk) t.strictSame(left, [], 'no report is left behind')
  })

t.test('an earlier run does not count', async (t) => {
  const run = makeProject(t)
  t.ok((await run(calls(1, -1))).isOk)
  t.notOk((await run(calls(1))).isOk)
})
