/** The process of this service: settings of V8, whose figures docs/performance.md has, and its end. */
import { executionAsyncResource } from 'node:async_hooks'
import { nextTick } from 'node:process'
import { setFlagsFromString } from 'node:v8'

/**
 * Ends the process. `process.exit` waits for all threads, including those that wait for a lock of the database, a name
 * server or a full pipe. `execve` ends all of them at once.
 */
export function endProcess(code: number): void {
  const { execve, execPath, platform } = process
  const isClean = code === 0 && !process.getActiveResourcesInfo().some(isThreadWork)
  if (isClean || execve === undefined || platform === 'win32') process.exit(code)
  execve(execPath, [execPath, '--eval', `process.exit(${code})`], {})
}

/** Returns true for name look-ups and file-system calls, which run in threads. */
const isThreadWork = (resource: string): boolean => /AddrInfo|NameInfo|^FSReq/.test(resource)

/**
 * Options that V8 reads at run time. On the command line they would make V8 reject Node's cached code. The sizes of the
 * semi-spaces are on the command line, because V8 reads them only at its start.
 */
const v8Options = [
  // Bounds the heap in relation to the live objects, also under overload.
  '--heap-growing-percent=25',
  // Keeps the objects of requests out of the old generation after a burst.
  '--no-allocation-site-pretenuring'
]

const kept: object[] = []

/**
 * Sets the options, and keeps one of the objects that `process.nextTick` creates. V8 refers to their hidden class
 * weakly: a garbage collection while none of them is alive discards it, and each tick then costs several times as much.
 */
export function tuneV8(): void {
  for (const option of v8Options) setFlagsFromString(option)
  nextTick(() => kept.push(executionAsyncResource()))
}
