/** Runs test files many times, and stores the output of the first failure of each. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Options, runTestFiles } from './run-test-files.ts'
import type { TestResult } from './test-result.ts'

export interface RepeatOptions extends Omit<Options, 'onResult' | 'coverage'> {
  readonly times: number
  /** Folder for the failures, which is removed first. */
  readonly reports: string
  readonly print: (text: string) => void
}

interface Runs {
  readonly count: number
  readonly failures: number
}

const none: Runs = { count: 0, failures: 0 }

/** @returns true if every run has passed */
export async function repeatTests(files: readonly string[], options: RepeatOptions): Promise<boolean> {
  const { times, print, project, reports } = options
  const runs = new Map<string, Runs>()
  rmSync(reports, { recursive: true, force: true })
  const onResult = (result: TestResult) => {
    const { count, failures } = runs.get(result.file) ?? none
    const now = { count: count + 1, failures: failures + (result.isOk ? 0 : 1) }
    runs.set(result.file, now)
    if (now.failures === 1 && !result.isOk)
      print(`${result.file} fails in run ${now.count}: ${relative(project, written(reports, result))}\n`)
    if (now.count === times) print(`${times} runs, ${now.failures} failed  ${result.file}\n`)
  }
  let isPassed = true
  // Runs in rounds, because two runs of a file at the same time would share its folder of `t.testdir`.
  for (let round = 0; round < times; round++) {
    const results = await runTestFiles(files, { ...options, onResult })
    isPassed &&= results.every(({ isOk }) => isOk)
  }
  return isPassed
}

function written(reports: string, { file, failures }: TestResult): string {
  const path = join(reports, `${file.replaceAll(/[^\w.-]/g, '-')}.txt`)
  mkdirSync(reports, { recursive: true })
  writeFileSync(path, failures)
  return path
}
