import { once } from 'node:events'

/** Writes to standard output, and waits for a reader that is slower. */
export async function writeLines(lines: readonly string[]): Promise<void> {
  if (lines.length > 0 && !process.stdout.write(lines.join(''))) await once(process.stdout, 'drain')
}
