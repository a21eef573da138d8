/** Counts header lines, because Node keeps only the first line of some headers and joins those of others. */
import type { IncomingMessage } from 'node:http'

/**
 * Returns the number of lines of a header.
 * @param name the name in lower case
 */
export function headerLines({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const line = rawHeaders[index]
    if (line !== undefined && line.length === name.length && line.toLowerCase() === name) count++
  }
  return count
}
