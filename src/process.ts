/** Settings of V8, whose figures docs/performance.md has. */
import { setFlagsFromString } from 'node:v8'

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

export function tuneV8(): void {
  for (const option of v8Options) setFlagsFromString(option)
}
