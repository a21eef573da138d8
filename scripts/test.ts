/**
 * `npm test`: runs test files side by side, the slowest first, and prints the Test Anything Protocol. tap's own runner
 * loads a hook into every process that a test starts, which costs a quarter of the processor time of all tests.
 */
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { command, Mistake } from '@contract-first/service/command/command'
import { emptyFullCache } from './test/empty-full-cache.ts'
import { inOrder } from './test/order.ts'
import { runTestFiles } from './test/run-test-files.ts'
import { summaryOf } from './test/test-result.ts'

const usage = `usage: npm test [-- FILE… | --jobs N]

  Runs the test files, all of test/ by default, and exits 1 when one fails.
  node FILE runs one of them, and prints every assertion.

  --jobs N         runs N files at a time; 4 by default`

const project = resolve(import.meta.dirname, '..')
/** More than two cores: many files wait for servers, time-outs and disks most of the time. */
const defaultJobs = 4
/** About 200 MB. */
const maxCachedFiles = 40_000

/** Those of test/projects/ install packages, which takes minutes: `npm run test:projects` runs them. */
const testFiles = () => globSync('test/**/*.test.ts', { cwd: project, exclude: ['test/projects/**'] })

await command({ usage, values: ['jobs'], words: true }, async ({ words, value }) => {
  const jobs = Number(value('jobs') ?? defaultJobs)
  if (!Number.isInteger(jobs) || jobs < 1)
    throw new Mistake([`--jobs must be a number of files, not ${value('jobs')}`], { exitCode: 2 })
  const files = words.length > 0 ? words : inOrder(testFiles())
  emptyFullCache(process.env['NODE_COMPILE_CACHE'], maxCachedFiles)
  const started = performance.now()
  const results = await runTestFiles(files, { jobs, project, print: (text) => process.stdout.write(text) })
  process.stdout.write(summaryOf(results, performance.now() - started))
  if (results.some(({ isOk }) => !isOk)) process.exitCode = 1
})
