/** Changes since the contract was compiled last, found by the comparison of `contract:diff`, and their line on a terminal. */
import { shortened } from '@contract-first/cli/format'
import { printable } from '@contract-first/cli/printable'
import { type Generated, stringify } from '../../compiler.ts'

/** Sentences by subject: `breaking` → `POST /pets body/name: maxLength now 5 (was 10)`. */
export type Changes = ReadonlyMap<string, readonly string[]>

const textsOnly: Changes = new Map([['descriptions', ['changed; nothing that is sent or received has']]])

/** Returns the changes between the documents of a run; everything is new to a run without an earlier document. */
export async function changesOf({ before, after }: Generated['documents']): Promise<Changes> {
  if (before !== undefined && stringify(before) === stringify(after)) return new Map()
  const { changeSentences } = await import('../../diff.ts')
  const changes = changeSentences({ old: before ?? {}, now: after }, new Date())
  return changes.size === 0 && before !== undefined ? textsOnly : changes
}

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
