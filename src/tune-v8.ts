/** Settings of V8 for the load of this service; docs/performance.md has the figure of each. */
import { executionAsyncResource } from 'node:async_hooks'
import { nextTick } from 'node:process'
import { setFlagsFromString } from 'node:v8'

/**
 * Options that V8 reads at run time. On the command line they would make V8 reject Node's cached code. The sizes of the
 * semi-spaces are on the command line, because V8 reads them only at its start.
 */
export const v8Options = [
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
