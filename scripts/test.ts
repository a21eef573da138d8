/**
 * `npm test`: runs test files side by side, the slowest first, and prints the Test Anything Protocol. tap's own runner
 * loads a hook into every process that a test starts, which costs 25 % of the CPU time of all tests.
 */
import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, setPriority } from 'node:os'
import { dirname, relative, resolve } from 'node:path'
import { command, Mistake } from '@contract-first/cli/command'
import { choose } from './coverage/choose.ts'
import { CoverageGate } from './coverage/gate.ts'
import { bundleTap } from './test/bundle-tap.ts'
import { emptyFullCache } from './test/empty-full-cache.ts'
import { inGroups } from './test/groups.ts'
import { installPackagesFor } from './test/install-packages.ts'
import { runTests } from './test/run-tests.ts'
import { Suites } from './test/suites.ts'

const usage = `usage: npm test [-- FILE… | --full | --coverage | --repeat N | --jobs N]

  Runs the quick test files and those of rooms with a change since the last commit, and exits 1 when one fails.
  node FILE runs one of them, and prints every assertion.`
const options = {
  '--full': 'runs all test files: npm run test:full',
  '--write': 'with --full: writes the suites and CPU times of test/suites.txt anew',
  '--coverage': 'runs all test files, and fails also where too little of src/ has run',
  '--choose': 'with --coverage: chooses anew which files are measured',
  '--retry': 'runs up to five files that fail once more, alone, as CI does',
  '--repeat N': 'runs each file N times',
  '--jobs N':
    'runs N files at a time; 3 for each core by default, because many wait for servers, time-outs and disks'
}

const project = resolve(import.meta.dirname, '..')
/** File of the bundle. tap omits files below a folder of this name from the stacks that it prints. */
const tapBundle = resolve(project, 'node_modules/.cache/node_modules/@tapjs/bundle.mjs')
const reports = resolve(project, 'node_modules/.cache/coverage')
const uncovered = resolve(project, 'test-results/uncovered.txt')
/** Maximum of files in the compile cache, about 200 MB. */
const maxCachedFiles = 40_000

/** Lists the test files but those of test/projects/, which take minutes: `npm run test:projects` runs them. */
const testFiles = () => globSync('test/**/*.test.ts', { cwd: project, exclude: ['test/projects/**'] })

await command({ usage, options, words: true }, async ({ words, value, is }) => {
  const jobs = countOf('jobs', value('jobs') ?? String(2 * availableParallelism()))
  const times = countOf('repeat', value('repeat') ?? '1')
  const suites = Suites.read(project)
  const isFull = is('full') || is('coverage')
  const files = isFull ? testFiles() : suites.quickOf(testFiles(), project)
  const isAlone = words.length > 0 || is('choose')
  const chosen = words.length > 0 ? words : files
  const groups = isAlone ? chosen.map((file) => [file]) : inGroups(chosen, project, suites)
  await installPackagesFor(chosen)
  await bundleTap(project, tapBundle)
  emptyFullCache(process.env['NODE_COMPILE_CACHE'], maxCachedFiles)
  const isMeasured = is('choose') ? () => true : suites.isMeasured
  const coverage = is('coverage')
    ? new CoverageGate({ project, reports, isMeasured, keepsEach: is('choose') })
    : undefined
  const print = (text: string) => process.stdout.write(text)
  // That of the type checker, which would wait for all other files otherwise.
  setPriority(10)
  const { isOk, results, report } = await runTests(groups, {
    ...{ jobs, times, project, tapBundle, print, coverage },
    retries: is('retry')
  })
  if (!isOk) process.exitCode = 1
  if (report !== undefined) {
    mkdirSync(dirname(uncovered), { recursive: true })
    writeFileSync(uncovered, [...report.problems, ...report.others, ''].join('\n'))
    print(`# every line that has not run, or only in part: ${relative(project, uncovered)}\n`)
  }
  // A slower machine than that of the table would name files in every quick run.
  if (isFull)
    for (const line of suites.misplaced(results, is('coverage'))) print(`# in the wrong suite: ${line}\n`)
  if (is('write')) suites.after(results).write(project)
  if (is('choose') && coverage !== undefined) {
    const candidates = results.map(({ file, effort }) => ({
      file,
      cost: effort?.cpuMs ?? 0,
      covered: coverage.each.get(file) ?? new Map()
    }))
    suites.measuring(choose(candidates, coverage.sources, project)).write(project)
  }
})

function countOf(option: string, given: string): number {
  if (/^[1-9]\d*$/.test(given)) return Number(given)
  throw new Mistake([`--${option} must be a whole number above 0, not ${given}`], { exitCode: 2 })
}
