/** Formats a report for a terminal, for programs, as annotations of a GitHub workflow, as a comment, or as a page. */

import type { Paint } from '@contract-first/cli/format'
import { printable, printableJson } from '@contract-first/cli/printable'
import type { Change, List, Report } from '../../diff.ts'
import { formatHtml } from './html.ts'
import { formatMarkdown } from './markdown.ts'

interface FormatOptions {
  readonly paint: Paint
  /** Name of the old contract: `HEAD`. */
  readonly base: string
  /** Lists whose changes fail: the breaking ones by default. */
  readonly failing?: readonly List[]
}

export type Format = 'text' | 'json' | 'github' | 'markdown' | 'html'

const lists = ['breaking', 'undecided', 'compatible'] as const

const formats: Readonly<Record<Format, (report: Report, options: FormatOptions) => string>> = {
  text: formatText,
  json: (report) => `${printableJson(JSON.stringify(report, null, 2))}\n`,
  github: formatAnnotations,
  markdown: formatMarkdown,
  html: formatHtml
}

export const formatReport = (format: Format, report: Report, options: FormatOptions): string =>
  formats[format](report, options)

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

const levels = { breaking: 'error', undecided: 'warning', compatible: 'notice' } as const

function formatAnnotations(report: Report): string {
  return lists
    .flatMap((list) => report[list].map((change) => `${annotation(levels[list], change)}\n`))
    .join('')
}

/** Writes a workflow command (GitHub Actions, “Workflow commands”). */
function annotation(level: string, { rule, operation, message, file, line, column }: Change): string {
  const properties = Object.entries({ file, line, col: column, title: rule }).map(
    ([name, value]) => `${name}=${escapeProperty(String(value))}`
  )
  const text = operation === null ? message : `${operation} ${message}`
  return `::${level} ${properties.join()}::${escapeData(text)}`
}

/** Leaves no line feed, which would begin another command. */
const escapeData = (text: string): string =>
  printable(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'))

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
