import { once } from 'node:events'
import type { Writable } from 'node:stream'

/** Writes to a stream, and waits for a slow reader. */
export async function writeLines(out: Writable, lines: readonly string[]): Promise<void> {
  if (lines.length > 0 && !out.write(lines.join(''))) await once(out, 'drain')
}
