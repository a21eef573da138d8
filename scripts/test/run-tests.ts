/** Runs test files, checks their coverage if required, and prints the outcome. */
import type { CoverageGate, CoverageReport } from '../coverage/gate.ts'
import type { Group } from './groups.ts'
import { type Options, runTestFiles } from './run-test-files.ts'
import { lineOf, summaryOf, type TestResult } from './test-result.ts'

export interface TestOptions extends Omit<Options, 'onStart' | 'onResult' | 'onEnd'> {
  readonly print: (text: string) => void
  /** Number of rounds: two runs of a file at the same time would share its folder of `t.testdir`. */
  readonly times?: number
  readonly coverage?: CoverageGate | undefined
  /** True to run each file that has failed beside others once more, alone: on a busy machine one may be late. */
  readonly retries?: boolean
  /** Longest time without a line, after which the running files are printed. */
  readonly maxSilenceMs?: number
}

/** Name of the coverage gate beside those of the files. */
const coverageName = 'scripts/test.ts --coverage'
/** Maximum of files that run again: more of them fail for another reason than a busy machine. */
const maxRetried = 5
/** Maximum of printed lines; a run of few files covers hardly any line of src/. */
const maxShown = 30

export interface Outcome {
  /** True if every file and the coverage gate have passed. */
  readonly isOk: boolean
  readonly results: readonly TestResult[]
  readonly report: CoverageReport | undefined
}

export async function runTests(groups: readonly Group[], options: TestOptions): Promise<Outcome> {
  const { coverage, print } = options
  const started = performance.now()
  print('TAP version 14\n')
  const results = await runRounds(groups, options)
  if (options.retries === true) await runFailedAlone(results, options)
  const report = results.every(({ isOk }) => isOk) ? coverage?.report() : undefined
  if (report !== undefined) {
    for (const line of report.figures) print(`# coverage ${line}\n`)
    const result = coverageResult(report)
    print(lineOf(result, results.length + 1))
    results.push(result)
  }
  print(summaryOf(results, performance.now() - started))
  return { isOk: results.every(({ isOk }) => isOk), results, report }
}

/** Prints a line for each file that ends, and the files that are running when none has ended for a while. */
async function runRounds(groups: readonly Group[], options: TestOptions): Promise<TestResult[]> {
  const { print, times = 1, maxSilenceMs = 10_000 } = options
  const results: TestResult[] = []
  const running = new Set<Group>()
  const silence = setInterval(
    () => print(`# running: ${[...running].map(nameOf).join(', ')}\n`),
    maxSilenceMs
  )
  const onStart = (group: Group) => void running.add(group)
  const onEnd = (group: Group) => void running.delete(group)
  const onResult = (result: TestResult) => {
    silence.refresh()
    print(lineOf(result, results.push(result)))
  }
  for (let round = 0; round < times; round++)
    await runTestFiles(groups, { ...options, onStart, onResult, onEnd })
  clearInterval(silence)
  return results
}

/** Puts the result of a second run in the place of each failure. */
async function runFailedAlone(results: TestResult[], options: TestOptions): Promise<void> {
  const failed = results.filter(({ isOk }) => !isOk)
  if (failed.length > maxRetried) return
  for (const { file } of failed) {
    options.print(`# again, alone: ${file}\n`)
    const [result] = await runTestFiles([[file]], { ...options, jobs: 1 })
    if (result === undefined) continue
    options.print(lineOf(result, results.length))
    results.splice(
      results.findIndex((each) => each.file === file),
      1,
      result
    )
  }
}

const nameOf = ([file = '', ...others]: Group): string =>
  others.length === 0 ? file : `${file} and ${others.length} more`

/** Reports the coverage as the result of one more file. */
function coverageResult({ problems, figures, others }: CoverageReport): TestResult {
  const isOk = problems.length === 0
  const shown = (lines: readonly string[]) => [
    ...lines.slice(0, maxShown),
    ...(lines.length > maxShown ? [`… and ${lines.length - maxShown} more`] : [])
  ]
  const lines = [...shown(problems), ...figures, ...shown(others)].map((line) => `  ${line}\n`)
  return {
    file: coverageName,
    isOk,
    milliseconds: 0,
    effort: undefined,
    counts: { total: 1, [isOk ? 'pass' : 'fail']: 1 },
    failures: `not ok - src/ is covered\n  ---\n${lines.join('')}  ...\n`
  }
}
