/** Formats a report for a terminal, for programs, as annotations of a GitHub workflow, as a comment, or as a page. */

import type { Paint } from '@contract-first/cli/format'
import { printable, printableJson } from '@contract-first/cli/printable'
import type { Change, List, Report } from '../../diff.ts'
import type { Format } from '../report/formats.ts'
import type { Report as Shown } from '../report/report.ts'
import { reportFormats } from '../report/write-report.ts'
import { formatHtml } from './html.ts'
import { formatMarkdown } from './markdown.ts'

interface FormatOptions {
  readonly paint: Paint
  /** Name of the old contract: `HEAD`. */
  readonly base: string
  /** Lists whose changes fail: the breaking ones by default. */
  readonly failing?: readonly List[]
}

export type DiffFormat = Format | 'html'

const lists = ['breaking', 'undecided', 'compatible'] as const

export function formatReport(format: DiffFormat, report: Report, options: FormatOptions): string {
  if (format === 'text') return formatText(report, options)
  if (format === 'json') return `${printableJson(JSON.stringify(report, null, 2))}\n`
  if (format === 'markdown') return formatMarkdown(report, options)
  return format === 'html' ? formatHtml(report, options) : reportFormats[format](reportOf(report))
}

const colours = { breaking: 'red', undecided: 'yellow', compatible: 'green' } as const

function formatText(report: Report, { paint, base }: FormatOptions): string {
  const lines = lists.flatMap((list) => report[list].map((change) => textLine(list, change, paint)))
  const count = lists.map((list) => `${report[list].length} ${list}`).join(', ')
  const summary =
    lines.length === 0
      ? `nothing that matters to a client has changed since ${printable(base)}`
      : `${count} since ${printable(base)}`
  return [...lines, paint('bold', summary), ''].join('\n')
}

/** Formats as `openapi.yaml:31:9 POST /pets body/name: … breaking request-…`. */
function textLine(
  list: List,
  { rule, operation, message, file, line, column }: Change,
  paint: Paint
): string {
  const subject = operation === null ? '' : `${operation} `
  const head = `${paint(colours[list], list.padEnd('compatible'.length))} ${paint('bold', printable(`${file}:${line}:${column}`))}`
  return `${head} ${printable(subject + message)} ${paint('dim', `(${rule})`)}`
}

const levels = { breaking: 'error', undecided: 'warning', compatible: 'note' } as const

/** Returns the report for other programs. */
const reportOf = (report: Report): Shown => ({
  tool: 'contract:diff',
  heading: 'Changes of the contract',
  checked: report.breaking.length > 0 ? [] : ['the contract'],
  items: lists.flatMap((list) => report[list].map((change) => ({ ...change, level: levels[list] })))
})
