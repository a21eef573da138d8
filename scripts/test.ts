/**
 * `npm test`: runs test files side by side, the slowest first, and prints the Test Anything Protocol. tap's own runner
 * loads a hook into every process that a test starts, which costs a quarter of the processor time of all tests.
 */
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { command, Mistake } from '@contract-first/service/command/command'
import { exceptions, pending } from '../test/uncovered-lines.ts'
import { CoverageGate } from './coverage/gate.ts'
import { isMeasured } from './coverage/measured.ts'
import { bundleTap } from './test/bundle-tap.ts'
import { emptyFullCache } from './test/empty-full-cache.ts'
import { inOrder } from './test/order.ts'
import { runTests } from './test/run-tests.ts'

const usage = `usage: npm test [-- FILE… | --coverage | --jobs N]

  Runs the test files, all of test/ by default, and exits 1 when one fails.
  node FILE runs one of them, and prints every assertion.

  --coverage       fails also where a line or a branch of src/ has not run, unless
                   test/uncovered-lines.ts lists it with a reason
  --jobs N         runs N files at a time; 6 by default`

const project = resolve(import.meta.dirname, '..')
/** Below a folder of that name, tap leaves it out of the stacks that it prints. */
const tapBundle = resolve(project, 'node_modules/.cache/node_modules/@tapjs/bundle.js')
const reports = resolve(project, 'node_modules/.cache/coverage')
/** More than two cores: many files wait for servers, time-outs and disks most of the time. */
const defaultJobs = 6
/** About 200 MB. */
const maxCachedFiles = 40_000

/** Those of test/projects/ install packages, which takes minutes: `npm run test:projects` runs them. */
const testFiles = () => globSync('test/**/*.test.ts', { cwd: project, exclude: ['test/projects/**'] })

await command({ usage, values: ['jobs'], flags: ['coverage'], words: true }, async ({ words, value, is }) => {
  const jobs = Number(value('jobs') ?? defaultJobs)
  if (!Number.isInteger(jobs) || jobs < 1)
    throw new Mistake([`--jobs must be a number of files, not ${value('jobs')}`], { exitCode: 2 })
  const files = words.length > 0 ? words : inOrder(testFiles())
  await bundleTap(project, tapBundle)
  emptyFullCache(process.env['NODE_COMPILE_CACHE'], maxCachedFiles)
  const isPassed = await runTests(files, {
    jobs,
    project,
    tapBundle,
    print: (text) => process.stdout.write(text),
    coverage: is('coverage')
      ? new CoverageGate({ project, reports, exceptions, pending, isMeasured })
      : undefined
  })
  if (!isPassed) process.exitCode = 1
})
