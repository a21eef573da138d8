/**
 * `npm test`: runs test files side by side, the slowest first, and prints the Test Anything Protocol. tap's own runner
 * loads a hook into every process that a test starts, which costs 25 % of the CPU time of all tests.
 */
import { globSync } from 'node:fs'
import { setPriority } from 'node:os'
import { resolve } from 'node:path'
import { command, Mistake } from '@contract-first/cli/command'
import { CoverageGate } from './coverage/gate.ts'
import { isMeasured } from './coverage/measured.ts'
import { bundleTap } from './test/bundle-tap.ts'
import { emptyFullCache } from './test/empty-full-cache.ts'
import { inGroups } from './test/groups.ts'
import { inOrder } from './test/order.ts'
import { runTests } from './test/run-tests.ts'

const usage = `usage: npm test [-- FILE… | --coverage | --repeat N | --jobs N]

  Runs the test files, all of test/ by default, and exits 1 when one fails.
  node FILE runs one of them, and prints every assertion.`
const options = {
  '--coverage': 'fails also where a line or a branch of src/ has not run',
  '--repeat N': 'runs each file N times',
  '--jobs N': 'runs N files at a time; 6 by default'
}

const project = resolve(import.meta.dirname, '..')
/** File of the bundle. tap omits files below a folder of this name from the stacks that it prints. */
const tapBundle = resolve(project, 'node_modules/.cache/node_modules/@tapjs/bundle.mjs')
const reports = resolve(project, 'node_modules/.cache/coverage')
/** Number of files at a time; more than two cores, because many files mostly wait for servers, time-outs and disks. */
const defaultJobs = '6'
/** Maximum of files in the compile cache, about 200 MB. */
const maxCachedFiles = 40_000

/** Lists the test files but those of test/projects/, which take minutes: `npm run test:projects` runs them. */
const testFiles = () => globSync('test/**/*.test.ts', { cwd: project, exclude: ['test/projects/**'] })

await command({ usage, options, words: true }, async ({ words, value, is }) => {
  const jobs = countOf('jobs', value('jobs') ?? defaultJobs)
  const times = countOf('repeat', value('repeat') ?? '1')
  const groups =
    words.length > 0 ? words.map((file) => [file]) : inGroups(inOrder(testFiles()), project, isMeasured)
  await bundleTap(project, tapBundle)
  emptyFullCache(process.env['NODE_COMPILE_CACHE'], maxCachedFiles)
  const coverage = is('coverage') ? new CoverageGate({ project, reports, isMeasured }) : undefined
  const print = (text: string) => process.stdout.write(text)
  // That of the type checker, which would wait for all other files otherwise.
  setPriority(10)
  if (!(await runTests(groups, { jobs, times, project, tapBundle, print, coverage }))) process.exitCode = 1
})

function countOf(option: string, given: string): number {
  if (/^[1-9]\d*$/.test(given)) return Number(given)
  throw new Mistake([`--${option} must be a whole number above 0, not ${given}`], { exitCode: 2 })
}
