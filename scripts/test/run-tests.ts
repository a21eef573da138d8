/** Runs test files, checks their coverage if required, and prints the outcome. */
import type { CoverageGate } from '../coverage/gate.ts'
import type { Group } from './groups.ts'
import { type Options, runTestFiles } from './run-test-files.ts'
import { lineOf, summaryOf, type TestResult } from './test-result.ts'

export interface TestOptions extends Omit<Options, 'onStart' | 'onResults'> {
  readonly print: (text: string) => void
  /** Number of rounds: two runs of a file at the same time would share its folder of `t.testdir`. */
  readonly times?: number
  readonly coverage?: CoverageGate | undefined
  /** Longest time without a line, after which the running files are printed. */
  readonly maxSilenceMs?: number
}

/** Maximum of printed lines; a run of few files covers hardly any line of src/. */
const maxShown = 30

/** @returns true if every file and the coverage gate have passed */
export async function runTests(groups: readonly Group[], options: TestOptions): Promise<boolean> {
  const { coverage, print } = options
  const started = performance.now()
  print('TAP version 14\n')
  const results = await runRounds(groups, options)
  if (coverage !== undefined && results.every(({ isOk }) => isOk)) {
    const result = coverageResult(coverage)
    print(lineOf(result, results.length + 1))
    results.push(result)
  }
  print(summaryOf(results, performance.now() - started))
  return results.every(({ isOk }) => isOk)
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
  const onResults = (group: Group, own: readonly TestResult[]) => {
    running.delete(group)
    silence.refresh()
    for (const result of own) print(lineOf(result, results.push(result)))
  }
  for (let round = 0; round < times; round++) await runTestFiles(groups, { ...options, onStart, onResults })
  clearInterval(silence)
  return results
}

const nameOf = ([file = '', ...others]: Group): string =>
  others.length === 0 ? file : `${file} and ${others.length} more`

/** Reports the uncovered lines as the result of one more file. */
function coverageResult(coverage: CoverageGate): TestResult {
  const started = performance.now()
  const problems = coverage.problems()
  const isOk = problems.length === 0
  const more = problems.length > maxShown ? [`… and ${problems.length - maxShown} more`] : []
  const lines = [...problems.slice(0, maxShown), ...more].map((problem) => `  ${problem}\n`)
  return {
    file: 'scripts/test.ts --coverage',
    isOk,
    milliseconds: performance.now() - started,
    counts: { total: 1, [isOk ? 'pass' : 'fail']: 1 },
    failures: `not ok - every line and branch of src/ runs\n  ---\n${lines.join('')}  ...\n`
  }
}
