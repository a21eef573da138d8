/** Parses the output of a test file: the Test Anything Protocol as tap writes it. */
import { type Effort, effortIn } from './effort.ts'

export interface TestResult {
  readonly file: string
  readonly isOk: boolean
  readonly milliseconds: number
  readonly counts: Counts
  /** Failures with their diagnostics; empty without any. */
  readonly failures: string
  readonly effort: Effort | undefined
}

/** Numbers of assertions: `total`, `pass`, `fail`, `skip`, `todo`. */
export type Counts = Readonly<Record<string, number>>

/** End of a process. */
export interface Ended {
  readonly milliseconds: number
  /** Exit code; undefined after a signal. */
  readonly exitCode: number | undefined
  readonly output: string
  readonly errors: string
}

/** Begins a line of tap when a test begins. */
export const subtest = '# Subtest: '
/** Plan of a test without an assertion, which tap passes. */
const emptyPlan = /^ *1\.\.0\b/m

/**
 * Returns the result. A file passes if it exits with 0, has written its plan, which one that ends early has not, every
 * test in it has an assertion, and none has failed: tap exits with 0 after a test that waits for nothing.
 */
export function testResult({
  file,
  milliseconds,
  exitCode,
  output,
  errors
}: Ended & { readonly file: string }): TestResult {
  const isEmpty = emptyPlan.test(output)
  const isOk = exitCode === 0 && /^1\.\.\d+/m.test(output) && !isEmpty && !hasFailed(output)
  const counts = countsOf(output)
  const effort = effortIn(output)
  if (isOk) return { file, isOk, milliseconds, counts, effort, failures: '' }
  const failures = failuresOf(output) || emptyTestsOf(output) || `# its last lines:\n${lastLines(output)}`
  const end = exitCode === undefined ? 'a signal ended it' : `it exited with ${exitCode}`
  return {
    file,
    isOk,
    milliseconds,
    effort,
    counts: { ...counts, total: (counts['total'] ?? 0) + 1, fail: (counts['fail'] ?? 0) + 1 },
    failures: `${failures}\n# ${end}\n${lastLines(errors)}`
  }
}

/**
 * Returns the results of the files that `several.ts` has run, each a subtest that its counts follow, up to and including
 * the one during which the process has ended.
 */
export function resultsOf(files: readonly string[], ended: Ended): TestResult[] {
  const outputs = ended.output.split(/^(?=# Subtest: )/m).slice(1)
  const isComplete = outputs.length === files.length && outputs.every(hasPassed)
  return files.slice(0, Math.max(1, outputs.length)).map((file, index) => {
    const { [index]: output = ended.output } = outputs
    const isLast = index >= outputs.length - 1
    // The exit code is that of the last file if no other one has failed, or if the process has ended in it.
    const passed = isLast && isComplete ? ended.exitCode : 0
    const failed = isLast && ended.exitCode !== 0 ? ended.exitCode : 1
    const [, milliseconds] = /^(?:not )?ok .* # time=([\d.]+)ms$/m.exec(output) ?? []
    return testResult({
      ...ended,
      file,
      milliseconds: Number(milliseconds ?? ended.milliseconds),
      exitCode: hasPassed(output) ? passed : failed,
      output: output.replaceAll(/^ {4}/gm, '')
    })
  })
}

const hasPassed = (output: string): boolean => /^ok /m.test(output) && !hasFailed(output)

const hasFailed = (output: string): boolean => /^not ok /m.test(output)

function countsOf(output: string): Counts {
  const [, counts = ''] = /^# \{ (total: .*) \}$/m.exec(output) ?? []
  return Object.fromEntries(
    counts.split(', ').flatMap((each) => {
      const [name = '', count] = each.split(': ')
      return count === undefined ? [] : [[name, Number(count)]]
    })
  )
}

/** Returns a line for each test without an assertion; the name of a test is in the line before its plan. */
const emptyTestsOf = (output: string): string =>
  [...output.matchAll(/^ *# Subtest: (.*)\n *1\.\.0\b/gm)]
    .map(([, name]) => `not ok - ${name}: has no assertion`)
    .join('\n')

/** Returns the lines `not ok …`, each with the YAML block that follows it. */
function failuresOf(output: string): string {
  const failures: string[] = []
  let isFailure = false
  for (const line of output.split('\n')) {
    if (/^ *not ok /.test(line)) isFailure = true
    else if (/^ *(?:ok |# |1\.\.)/.test(line)) isFailure = false
    if (isFailure) failures.push(line)
    if (/^ *\.\.\.$/.test(line)) isFailure = false
  }
  return failures.join('\n')
}

const lastLines = (text: string): string => text.trimEnd().split('\n').slice(-40).join('\n')

/** Returns the line of one file, and its failures above it. */
export function lineOf({ file, isOk, milliseconds, failures }: TestResult, number: number): string {
  const line = `${isOk ? 'ok' : 'not ok'} ${number} - ${file} # time=${Math.round(milliseconds)}ms\n`
  return isOk ? line : `${failures}\n${line}`
}

/** Returns the failed files, and tap's last lines. */
export function summaryOf(results: readonly TestResult[], milliseconds: number): string {
  const total = new Map([
    ['total', 0],
    ['pass', 0]
  ])
  for (const { counts } of results)
    for (const [name, count] of Object.entries(counts)) total.set(name, (total.get(name) ?? 0) + count)
  const failed = results.filter(({ isOk }) => !isOk).map(({ file }) => `# failed: node ${file}\n`)
  const counts = [...total].map(([name, count]) => `${name}: ${count}`).join(', ')
  return `1..${results.length}\n${failed.join('')}# { ${counts} }\n# time=${Math.round(milliseconds)}ms\n`
}
