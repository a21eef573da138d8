/** Formats a report as Markdown for a comment of a pull request: what breaks, for whom, what to do. */
import { printable } from '@contract-first/cli/printable'
import type { Change, List, Report } from '../../diff.ts'
import { acceptedText, type Group, type Section, sectionsOf, summaryOf } from './advice.ts'

/** First line, by which a workflow finds its earlier comment. */
export const marker = '<!-- contract:diff -->'

/** Most characters of a comment on GitHub are 65,536, counted in UTF-16; the rest is for what a workflow adds. */
const maxLength = 60_000

interface MarkdownOptions {
  readonly base: string
  /** Lists whose changes fail. */
  readonly failing?: readonly List[]
}

export function formatMarkdown(report: Report, { base, failing = ['breaking'] }: MarkdownOptions): string {
  const head = `${marker}\n### ${summaryOf(report, code(base))}\n`
  const budget = { left: maxLength - head.length - note(0).length }
  const body = sectionsOf(report).map((section) => sectionText(section, budget))
  const cut = body.reduce((sum, { omitted }) => sum + omitted, 0)
  return `${head}${body.map(({ text }) => text).join('')}${cut > 0 ? note(cut) : ''}${acceptance(
    failing.flatMap((list) => report[list]),
    budget.left
  )}`
}

const note = (count: number): string =>
  `\n${count.toLocaleString('en')} more changes: \`npm run contract:diff\` lists all of them.\n`

interface Budget {
  left: number
}

interface Written {
  readonly text: string
  /** Number of changes without room. */
  readonly omitted: number
}

function sectionText({ list, title, groups }: Section, budget: Budget): Written {
  const [open, close] =
    list === 'compatible'
      ? [`\n<details><summary>${title}</summary>\n`, '\n</details>\n']
      : [`\n#### ${title}\n`, '']
  budget.left -= open.length + close.length
  const written = groups.map((group) => groupText(group, budget))
  const texts = written.map(({ text }) => text).join('')
  return {
    text: texts === '' ? '' : `${open}${texts}${close}`,
    omitted: written.reduce((sum, { omitted }) => sum + omitted, 0)
  }
}

function groupText({ who, advice, changes }: Group, budget: Budget): Written {
  const head = `\n**${who}**${advice === '' ? '' : `: ${advice}`}\n\n`
  const lines: string[] = []
  budget.left -= head.length
  for (const change of changes) {
    const line = lineOf(change)
    if (line.length > budget.left) break
    budget.left -= line.length
    lines.push(line)
  }
  return {
    text: lines.length === 0 ? '' : `${head}${lines.join('')}`,
    omitted: changes.length - lines.length
  }
}

/** Writes all that comes from contracts as code: nothing in it is a link, a mention or HTML. */
function lineOf({ rule, operation, message, file, line }: Change): string {
  const subject = operation === null || message.startsWith(operation) ? message : `${operation} ${message}`
  return `- ${code(subject)} (${code(`${file}:${line}`)}, \`${rule}\`)\n`
}

/** Returns a code span, shortened; its fence is longer than any in the text (CommonMark 0.31, section 6.1). */
function code(text: string): string {
  const line = printable(text)
  const shown = line.length > 400 ? `${line.slice(0, 399).replace(/[\ud800-\udbff]$/, '')}…` : line
  const fence = '`'.repeat(1 + Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length)))
  const edge = shown === '' || /^`|`$|^ .* $/.test(shown) ? ' ' : ''
  return `${fence}${edge}${shown}${edge}${fence}`
}

/** Returns what accepts the changes, where there is room. */
function acceptance(changes: readonly Change[], room: number): string {
  if (changes.length === 0) return ''
  const entries = printableLines(acceptedText(changes))
  const fence = '`'.repeat(1 + Math.max(2, ...[...entries.matchAll(/`+/g)].map(([run]) => run.length)))
  const text = `\n<details><summary>On purpose? Add these to contract-accepted.yaml, each with a reason</summary>\n\n${fence}yaml\n${entries}${fence}\n\n</details>\n`
  return text.length > room ? '' : text
}

const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')
