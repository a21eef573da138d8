/** Report of the conformance check as Markdown, for a comment of a pull request or the summary of a workflow. */

import { counted } from '@contract-first/cli/format'
import { printable } from '@contract-first/cli/printable'
import { coverageText } from '@contract-first/engine/coverage'
import type { Finding } from '../../conformance.ts'
import { answerOf, type Reported } from './reported.ts'

const maxAnswer = 500
/** Longest comment that GitHub takes is 65,536 characters. */
const maxShown = 50

export function markdownReport({ report, accepted, place }: Reported): string {
  const { findings, operations, requests, seed, coverage } = report
  const of = `${counted(operations, 'operation')}, ${counted(requests, 'request')}, seed ${seed}`
  const shown = findings.slice(0, maxShown).map((finding) => findingText(finding, place(finding.operation)))
  const left = findings.length - shown.length
  return [
    `### ${findings.length === 0 ? 'The server does what its contract says' : counted(findings.length, 'finding')}`,
    of,
    ...shown,
    ...(left > 0 ? [`… and ${left} more.`] : []),
    ...(accepted.length > 0
      ? [accepted.map(({ message, reason }) => `- accepted: ${text(message)} (${text(reason)})`).join('\n')]
      : []),
    `<details><summary>Seen of the contract</summary>\n\n${fenced(coverageText(coverage))}\n</details>`,
    ''
  ].join('\n\n')
}

function findingText(finding: Finding, { file, line }: ReturnType<Reported['place']>): string {
  const { check, message, curl } = finding
  const details = `${fenced(answerOf(finding, maxAnswer))}\n\n${fenced(curl)}`
  return `- **${text(message)}** (\`${check}\`, ${text(file)}:${line})\n\n  <details><summary>Answer, and the line that shows it again</summary>\n\n${indented(details)}\n\n  </details>`
}

const indented = (lines: string): string => lines.replaceAll(/^(?=.)/gm, '  ')

/** Escapes what Markdown and HTML interpret. */
const text = (written: string): string =>
  printable(written).replaceAll(/[\\`*_{}[\]<>&|~#]/g, String.raw`\$&`)

/** Encloses a text in more backticks than it has in a row. */
function fenced(written: string): string {
  const longest = Math.max(2, ...[...written.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${written.trimEnd().split('\n').map(printable).join('\n')}\n${fence}`
}
