/** Report as annotations of a workflow (GitHub Actions, “Workflow commands”). */
import { printable } from '@contract-first/cli/printable'
import { type Report, type ReportItem, sentenceOf } from './report.ts'

const levels = { error: 'error', warning: 'warning', note: 'notice' } as const

export const githubReport = ({ items }: Report): string =>
  items
    .filter(({ accepted }) => accepted === undefined)
    .map((item) => `${annotation(item)}\n`)
    .join('')

function annotation(item: ReportItem): string {
  const { level, rule, file, line, column, evidence = [] } = item
  const properties = Object.entries({ file, line, col: column, title: rule }).map(
    ([name, value]) => `${name}=${escapedProperty(String(value))}`
  )
  const text = [sentenceOf(item), ...evidence.slice(0, 1)].join('\n')
  return `::${levels[level]} ${properties.join()}::${escapedData(text)}`
}

/** Leaves no line feed, which would begin another command. */
const escapedData = (text: string): string =>
  printable(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'))

const escapedProperty = (text: string): string =>
  escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
