/** Work after the start, which would delay the first response. */
import { flushCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'

/**
 * Options that V8 reads at run time. On the command line they would make V8 reject Node's cached code and compile
 * Node's own modules at each start (33 of 240 ms). The sizes of the semi-spaces are on the command line, because V8
 * reads them only at its start.
 */
const options = [
  // Bounds the heap in relation to the live objects: with the default an overload takes 50 % more memory.
  '--heap-growing-percent=25',
  // Keeps the objects of requests out of the old generation after a burst, which would cost 40 % of the throughput.
  '--no-allocation-site-pretenuring'
]

/** Delay after which the code of the first requests is usually compiled, and can be cached, too. */
const cacheDelayMs = 1_000

export function settle(): void {
  for (const option of options) setFlagsFromString(option)
  // Written before the end of the process, because a killed process would cache nothing for the next start.
  setTimeout(flushCompileCache, cacheDelayMs).unref()
}
