/** Runs test files in processes, several processes at a time, in the given order. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Group } from './groups.ts'
import { type Ended, resultsOf, subtest, type TestResult, testResult } from './test-result.ts'

export interface Options {
  readonly jobs: number
  /** Working directory of the processes. */
  readonly project: string
  /** Called when a process begins. */
  readonly onStart?: (group: Group) => void
  /** Called when a file has ended. */
  readonly onResult?: (result: TestResult) => void
  /** Called when a process has ended. */
  readonly onEnd?: (group: Group) => void
  readonly coverage?: Coverage | undefined
  /** File that `bundleTap` has written; if absent, test files load the package. */
  readonly tapBundle?: string | undefined
}

export interface Coverage {
  /** Returns variables for the environment of a process, by its first file. */
  readonly environmentOf: (file: string) => NodeJS.ProcessEnv
  /** Called when the process and those that it started have ended. */
  readonly collect: (file: string) => void
}

/** Time-out of tap for a file; a file may set a longer one. */
const timeoutSeconds = '900'
/** Memory in huge pages, kept when it is freed: half the page faults, 0.82 of the CPU of a compilation. For glibc. */
const hugePages =
  'glibc.malloc.hugetlb=1:glibc.malloc.top_pad=33554432:glibc.malloc.mmap_threshold=1073741824:glibc.malloc.trim_threshold=1073741824'
const fasterTap = import.meta.resolve('./faster-tap.ts')
const several = join(import.meta.dirname, './several.ts')
/** Time-out that also ends a file with a blocked event loop. */
const hardTimeoutMs = 1_800_000
/** Longest time to wait for the end of an output after its process has ended. */
const leftBehindMs = 5_000

/** @param groups the files of each process */
export async function runTestFiles(groups: readonly Group[], options: Options): Promise<TestResult[]> {
  const results: TestResult[] = []
  const queue = groups.values()
  const onResult = (result: TestResult) => {
    results.push(result)
    options.onResult?.(result)
  }
  const work = async () => {
    for (const group of queue) {
      options.onStart?.(group)
      await runGroup(group, { ...options, onResult })
      options.onEnd?.(group)
    }
  }
  await Promise.all(Array.from({ length: options.jobs }, work))
  return results
}

/** Runs files in one process, and those that its early end has prevented in another one. */
async function runGroup(group: Group, options: Options & Required<Pick<Options, 'onResult'>>): Promise<void> {
  const { onResult } = options
  const [file = '', ...others] = group
  if (others.length === 0) {
    onResult(testResult({ file, ...(await runProcess(file, file, {}, options)) }))
    return
  }
  let count = 0
  const report = (results: readonly TestResult[]) => {
    for (const result of results.slice(count)) onResult(result)
    count = Math.max(count, results.length)
  }
  const onOutput = (soFar: Ended) => report(resultsOf(group, soFar).slice(0, -1))
  const ended = await runProcess(several, file, { TEST_FILES: group.join('\n') }, { ...options, onOutput })
  report(resultsOf(group, ended))
  if (count < group.length) await runGroup(group.slice(count), options)
}

/** @param first first file of the process */
async function runProcess(
  module: string,
  first: string,
  variables: NodeJS.ProcessEnv,
  { project, tapBundle, coverage, onOutput }: Options & { readonly onOutput?: (soFar: Ended) => void }
): Promise<Ended> {
  const started = performance.now()
  const child = spawn(process.execPath, ['--import', fasterTap, module], {
    cwd: project,
    env: {
      TAP_TIMEOUT: timeoutSeconds,
      GLIBC_TUNABLES: hugePages,
      ...process.env,
      ...(tapBundle !== undefined && { TAP_BUNDLE: pathToFileURL(tapBundle).href }),
      ...coverage?.environmentOf(first),
      ...variables
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: hardTimeoutMs,
    killSignal: 'SIGKILL'
  })
  const [output, errors] = [child.stdout, child.stderr].map(collected) as [() => string, () => string]
  const endedWith = (exitCode: number | undefined): Ended => ({
    milliseconds: performance.now() - started,
    exitCode,
    output: output(),
    errors: errors()
  })
  if (onOutput !== undefined)
    child.stdout.on('data', (piece: string) => {
      if (piece.includes(subtest)) onOutput(endedWith(0))
    })
  const closed = once(child, 'close')
  const [exitCode] = await once(child, 'exit')
  // A process that the test has not ended may hold the pipes.
  await Promise.race([closed, sleep(leftBehindMs, undefined, { ref: false })])
  for (const stream of [child.stdout, child.stderr]) stream.destroy()
  coverage?.collect(first)
  return endedWith(exitCode ?? undefined)
}

/** Returns a function that returns the text received so far. */
function collected(stream: Readable): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (piece) => {
    text += piece
  })
  return () => text
}
