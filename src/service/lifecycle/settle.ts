/** What waits until the service serves, because it would delay the first answer. */
import { flushCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'

/**
 * Options that V8 reads whenever they count. On the command line they would make Node compile its own modules at each start,
 * because V8 rejects code that was cached with other options: 33 of 240 ms. The sizes of the semi-spaces are on the command
 * line, because V8 reads them only when it starts.
 */
const options = [
  // Bounds how far the heap outgrows the live objects: with the default an overload takes half as much memory again.
  '--heap-growing-percent=25',
  // Keeps objects of a request out of the old generation after a burst, which cost 40 % of the throughput.
  '--no-allocation-site-pretenuring'
]

/** By then the first requests are usually served, and their code is cached as well. */
const cacheDelayMs = 1_000

export function settle(): void {
  for (const option of options) setFlagsFromString(option)
  // A process that is killed has then left its compiled code to the next start, where Node has a cache.
  setTimeout(flushCompileCache, cacheDelayMs).unref()
}
