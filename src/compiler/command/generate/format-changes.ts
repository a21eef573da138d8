/** Formats the changes of a contract for a terminal. */

import { shortened } from '@contract-first/cli/format'
import { printable } from '@contract-first/cli/printable'
import type { Changes } from './changes.ts'

const maxPerSubject = 12
const maxLineLength = 110

/**
 * Returns `compatible: GET /things added   breaking: …`, on several lines when one would be too long.
 */
export function formatChanges(changes: Changes): string {
  if (changes.size === 0) return 'nothing has changed'
  const parts = [...changes].map(([subject, list]) => `${subject}: ${enumerate(list)}`)
  const line = parts.join('   ')
  return line.length <= maxLineLength ? line : parts.join('\n')
}

function enumerate(list: readonly string[]): string {
  const format = { item: printable, rest: (count: number) => `and ${count} more` }
  return shortened(list, maxPerSubject, format).join(', ')
}
