/** Runs test files as processes, several at a time, in the given order. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type TestResult, testResult } from './test-result.ts'

export interface Options {
  readonly jobs: number
  /** Working directory of the processes. */
  readonly project: string
  /** Called when a file begins. */
  readonly onStart?: (file: string) => void
  /** Called when a file has ended. */
  readonly onResult?: (result: TestResult) => void
  readonly coverage?: Coverage | undefined
  /** File that `bundleTap` has written; if absent, test files load the package. */
  readonly tapBundle?: string | undefined
}

export interface Coverage {
  /** Returns variables for the environment of a file. */
  readonly environmentOf: (file: string) => NodeJS.ProcessEnv
  /** Called when the processes of a file have ended. */
  readonly collect: (file: string) => void
}

/** Time-out of tap for a file; a file may set a longer one. */
const timeoutSeconds = '900'
const fasterTap = import.meta.resolve('./faster-tap.ts')
/** Time-out that also ends a file with a blocked event loop. */
const hardTimeoutMs = 1_800_000
/** Longest time to wait for the end of an output after its process has ended. */
const leftBehindMs = 5_000

export async function runTestFiles(
  files: readonly string[],
  { jobs, project, onStart, onResult, coverage, tapBundle }: Options
): Promise<TestResult[]> {
  const environment = tapBundle === undefined ? {} : { TAP_BUNDLE: pathToFileURL(tapBundle).href }
  const results: TestResult[] = []
  const queue = files.values()
  const work = async () => {
    for (const file of queue) {
      onStart?.(file)
      const result = await runTestFile(file, project, { ...environment, ...coverage?.environmentOf(file) })
      coverage?.collect(file)
      results.push(result)
      onResult?.(result)
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  return results
}

async function runTestFile(
  file: string,
  project: string,
  environment: NodeJS.ProcessEnv
): Promise<TestResult> {
  const started = performance.now()
  const child = spawn(process.execPath, ['--import', fasterTap, file], {
    cwd: project,
    env: { TAP_TIMEOUT: timeoutSeconds, ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: hardTimeoutMs,
    killSignal: 'SIGKILL'
  })
  const [output, errors] = [child.stdout, child.stderr].map(collected) as [() => string, () => string]
  const closed = once(child, 'close')
  const [exitCode] = await once(child, 'exit')
  // A process that the test has not ended may hold the pipes.
  await Promise.race([closed, sleep(leftBehindMs, undefined, { ref: false })])
  child.stdout.destroy()
  child.stderr.destroy()
  const milliseconds = performance.now() - started
  return testResult({
    file,
    milliseconds,
    exitCode: exitCode ?? undefined,
    output: output(),
    errors: errors()
  })
}

/** Returns a function that returns the text received so far. */
function collected(stream: Readable): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (piece) => {
    text += piece
  })
  return () => text
}
