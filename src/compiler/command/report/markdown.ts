/** Report as Markdown, for a comment of a pull request or the summary of a workflow. */
import { printable } from '@contract-first/cli/printable'
import { type Report, type ReportItem, sentenceOf } from './report.ts'

/** Longest text that shows an item. */
const maxEvidence = 500
/** Longest comment that GitHub takes is 65,536 characters. */
const maxShown = 50

export function markdownReport({ heading, summary, items, appendix }: Report): string {
  const open = items.filter(({ accepted }) => accepted === undefined)
  const accepted = items.filter((item) => item.accepted !== undefined)
  const left = open.length - maxShown
  return [
    `### ${text(heading)}`,
    ...(summary === undefined ? [] : [summary]),
    ...open.slice(0, maxShown).map(itemText),
    ...(left > 0 ? [`… and ${left} more.`] : []),
    ...(accepted.length > 0
      ? [
          accepted
            .map((item) => `- accepted: ${text(sentenceOf(item))} (${text(String(item.accepted))})`)
            .join('\n')
        ]
      : []),
    ...(appendix ? [`<details><summary>${appendix[0]}</summary>\n\n${fenced(appendix[1])}\n</details>`] : []),
    ''
  ].join('\n\n')
}

function itemText(item: ReportItem): string {
  const { rule, file, line, evidence = [] } = item
  const head = `- **${text(sentenceOf(item))}** (\`${rule}\`, ${text(file)}:${line})`
  if (evidence.length === 0) return head
  const details = evidence.map((each) => fenced(shortened(each))).join('\n\n')
  return `${head}\n\n  <details><summary>The line that shows it again, and its answer</summary>\n\n${indented(details)}\n\n  </details>`
}

const shortened = (written: string): string =>
  written.length > maxEvidence ? `${written.slice(0, maxEvidence)}…` : written

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
