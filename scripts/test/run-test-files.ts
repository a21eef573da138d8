/** Runs test files as processes, some at a time, in the order given. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { lineOf, type TestResult, testResult } from './test-result.ts'

export interface Options {
  readonly jobs: number
  /** The folder that the processes run in. */
  readonly project: string
  readonly print: (text: string) => void
}

/** tap ends a file after this time; a file may ask for more. */
const timeoutSeconds = '300'
/** Ends a file whose event loop is blocked. */
const hardTimeoutMs = 900_000

export async function runTestFiles(
  files: readonly string[],
  { jobs, project, print }: Options
): Promise<TestResult[]> {
  const results: TestResult[] = []
  const queue = files.values()
  print('TAP version 14\n')
  const work = async () => {
    for (const file of queue) {
      const result = await runTestFile(file, project)
      results.push(result)
      print(lineOf(result, results.length))
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  return results
}

async function runTestFile(file: string, project: string): Promise<TestResult> {
  const started = performance.now()
  const child = spawn(process.execPath, [file], {
    cwd: project,
    env: { TAP_TIMEOUT: timeoutSeconds, ...process.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: hardTimeoutMs,
    killSignal: 'SIGKILL'
  })
  const closed = once(child, 'close')
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [exitCode] = await closed
  const milliseconds = performance.now() - started
  return testResult({ file, milliseconds, exitCode: exitCode ?? undefined, output, errors })
}
