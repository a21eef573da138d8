/** The gate of `npm run coverage`, with real processes in a small project. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { gateProblems } from '../../../scripts/coverage/gate.ts'
import type { Exception } from '../../../scripts/coverage/uncovered-lines.ts'

const source = `export function sign(value: number): string {
  if (value < 0) return 'negative'
  return 'positive'
}
`
const calls = (...values: readonly number[]): string =>
  `import { sign } from './src/sign.ts'\nfor (const value of [${values.join()}]) sign(value)\n`

/** Makes a project, and returns a function that runs a text as its test. */
function makeProject(t: Test, exceptions: readonly Exception[] = []): (text: string) => string[] | undefined {
  const project = t.testdir({ src: { 'sign.ts': source } })
  return (text) => {
    writeFileSync(join(project, 'test.ts'), text)
    const command: [string, string] = [process.execPath, 'test.ts']
    return gateProblems({ project, reports: join(project, 'reports'), command, exceptions })
  }
}

const negative: Exception = { file: 'src/sign.ts', text: "'negative'", reason: 'because' }

t.test('tests that run every branch pass', async (t) => {
  t.strictSame(makeProject(t)(calls(1, -1)), [])
})

t.test('a branch that was not taken fails', async (t) => {
  t.strictSame(makeProject(t)(calls(1)), ["src/sign.ts:2 is not covered: if (value < 0) return 'negative'"])
})

t.test('a listed line may be uncovered', async (t) => {
  t.strictSame(makeProject(t, [negative])(calls(1)), [])
})

t.test('a listed line that is covered fails', async (t) => {
  t.match(makeProject(t, [negative])(calls(1, -1)), [/^src\/sign\.ts: "'negative'" is listed as uncovered/])
})

t.test('a file that no test loads fails', async (t) => {
  t.equal(makeProject(t)('')?.length, 3)
})

t.test('reports of an earlier run do not count', async (t) => {
  const run = makeProject(t)
  t.strictSame(run(calls(1, -1)), [])
  t.equal(run(calls(1))?.length, 1)
})

t.test('a failed test has no coverage', async (t) => {
  t.equal(makeProject(t)('process.exitCode = 1'), undefined)
})

t.test('Node caches no compiled code, because V8 reports less of it', async (t) => {
  const run = makeProject(t)
  const text = `import { enableCompileCache, getCompileCacheDir } from 'node:module'
enableCompileCache('cache')
process.exitCode = getCompileCacheDir() === undefined ? 0 : 1
`
  t.not(run(text), undefined)
})
