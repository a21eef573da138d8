/** Formats a report for a terminal, for programs, as annotations of a GitHub workflow, as a comment, or as a page. */
import type { Paint } from '@contract-first/cli/format'
import { printable, printableJson } from '@contract-first/cli/printable'
import {
  type Format,
  fenceOf,
  reportFormats,
  type Report as Shown,
  sentenceOf
} from '../../../compiler/command/generate/report-formats.ts'
import type { Change, List, Report } from '../diff.ts'

interface FormatOptions {
  readonly paint: Paint
  /** Name of the old contract: `HEAD`. */
  readonly base: string
  /** Lists whose changes fail: the breaking ones by default. */
  readonly failing?: readonly List[]
}

export type DiffFormat = Format | 'html'

const appearances = {
  breaking: { title: 'What breaks', level: 'error', colour: 'red' },
  undecided: { title: 'What may break', level: 'warning', colour: 'yellow' },
  compatible: { title: 'What is compatible', level: 'note', colour: 'green' }
} as const

const lists = ['breaking', 'undecided', 'compatible'] as const

export function formatReport(format: DiffFormat, report: Report, options: FormatOptions): string {
  if (format === 'text') return formatText(report, options)
  if (format === 'json') return `${printableJson(JSON.stringify(report, null, 2))}\n`
  if (format === 'markdown') return formatMarkdown(report, options)
  return format === 'html' ? formatHtml(report, options) : reportFormats[format](reportOf(report))
}

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
  const head = `${paint(appearances[list].colour, list.padEnd('compatible'.length))} ${paint('bold', printable(`${file}:${line}:${column}`))}`
  return `${head} ${printable(subject + message)} ${paint('dim', `(${rule})`)}`
}

/** Returns the report for other programs. */
const reportOf = (report: Report): Shown => ({
  tool: 'contract:diff',
  heading: 'Changes of the contract',
  checked: report.breaking.length > 0 ? [] : ['the contract'],
  items: lists.flatMap((list) =>
    report[list].map((change) => ({ ...change, level: appearances[list].level }))
  )
})

interface Group {
  /** Whom the changes concern. */
  readonly who: string
  /** A sentence; empty for changes that break nobody. */
  readonly advice: string
  readonly changes: readonly Change[]
}

interface Section {
  readonly list: List
  readonly title: string
  readonly groups: readonly Group[]
}

interface Audience {
  /** Matches the rule and the place of a change. */
  readonly pattern: RegExp
  readonly who: string
  readonly advice: string
}

/** Whom a change concerns; the first one that matches decides. */
const audiences: readonly Audience[] = [
  {
    pattern: /^(callback|webhook)|^\S+ (callback|webhook)s\//,
    who: 'Receivers of callbacks and webhooks',
    advice: 'Send what was sent before, and accept the same answers; send what is new under another name.'
  },
  {
    pattern: /^(path|operation|sunset)-/,
    who: 'Clients that call these operations',
    advice: 'Keep the operation with `deprecated: true` and an `x-sunset`, and remove it after that date.'
  },
  {
    pattern: /^(security|oauth|open-id)-/,
    who: 'Clients with the credentials of before',
    advice: 'Accept these credentials, too, until the clients have others.'
  },
  {
    pattern: /^server-/,
    who: 'Clients that use these URLs',
    advice: 'Let the old URL answer, or redirect it, until clients have the new one.'
  },
  {
    pattern: /^(response|required-response|optional-response|link)-/,
    who: 'Clients that read these answers',
    advice:
      'Answer within what the old contract allows; add what is new as an optional property, another status or a new operation.'
  }
]

const senders = {
  who: 'Clients that send these requests',
  advice:
    'Accept what the old contract allows, too; where that cannot be, make it a new operation or a new version.'
}

/** Returns the sections that have changes. */
const sectionsOf = (report: Report): Section[] =>
  lists.flatMap((list) =>
    report[list].length === 0
      ? []
      : [{ list, title: appearances[list].title, groups: groupsOf(list, report[list]) }]
  )

function groupsOf(list: List, changes: readonly Change[]): Group[] {
  const grouped = Map.groupBy(
    changes,
    ({ rule, place }) => audiences.find(({ pattern }) => pattern.test(`${rule} ${place}`)) ?? senders
  )
  return [...grouped].map(([{ who, advice }, members]) => ({
    who,
    advice: list === 'breaking' ? advice : '',
    changes: members
  }))
}

/** Returns the sentence above all: how much breaks, since when. */
function summaryOf({ breaking, undecided, compatible }: Report, base: string): string {
  if (breaking.length + undecided.length + compatible.length === 0)
    return `Nothing that matters to a client has changed since ${base}`
  const count = `${breaking.length} breaking, ${undecided.length} undecided, ${compatible.length} compatible since ${base}`
  return breaking.length === 0 ? `Nothing breaks: ${count}` : `This breaks clients: ${count}`
}

/** Returns an entry of contract-accepted.yaml for each change, the reason left to its author. */
const acceptedText = (changes: readonly Change[]): string =>
  changes
    .map(({ rule, operation, place }) => {
      const where = [operation ?? '', place].filter((part) => part !== '').join(' ')
      return `- rule: ${rule}\n  place: ${JSON.stringify(where)}\n  reason: \n`
    })
    .join('')

/** First line, by which a workflow finds its earlier comment. */
const marker = '<!-- contract:diff -->'

/** Most characters of a comment on GitHub are 65,536, counted in UTF-16; the rest is for what a workflow adds. */
const maxLength = 60_000

/** Writes a comment of a pull request: what breaks, for whom, what to do. */
function formatMarkdown(
  report: Report,
  { base, failing = ['breaking'] }: Omit<FormatOptions, 'paint'>
): string {
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
const lineOf = (change: Change): string =>
  `- ${code(sentenceOf(change))} (${code(`${change.file}:${change.line}`)}, \`${change.rule}\`)\n`

/** Returns a code span, shortened. */
function code(text: string): string {
  const line = printable(text)
  const shown = line.length > 400 ? `${line.slice(0, 399).replace(/[\ud800-\udbff]$/, '')}…` : line
  const fence = fenceOf(shown, 1)
  const edge = shown === '' || /^`|`$|^ .* $/.test(shown) ? ' ' : ''
  return `${fence}${edge}${shown}${edge}${fence}`
}

/** Returns what accepts the changes, where there is room. */
function acceptance(changes: readonly Change[], room: number): string {
  if (changes.length === 0) return ''
  const entries = printableLines(acceptedText(changes))
  const fence = fenceOf(entries, 3)
  const text = `\n<details><summary>On purpose? Add these to contract-accepted.yaml, each with a reason</summary>\n\n${fence}yaml\n${entries}${fence}\n\n</details>\n`
  return text.length > room ? '' : text
}

const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')

const style = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h2.breaking { color: #b3261e } h2.undecided { color: #7a5900 } h2.compatible { color: #1b6e2e }
code { font-size: 0.9em; overflow-wrap: anywhere } small { color: #666 }`

/** Writes an HTML page without scripts. */
function formatHtml(report: Report, { base }: { readonly base: string }): string {
  const title = escaped(summaryOf(report, base))
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title><style>${style}</style></head>
<body>
<h1>${title}</h1>
${sectionsOf(report).map(sectionHtml).join('')}</body>
</html>
`
}

const sectionHtml = ({ list, title, groups }: Section): string =>
  `<h2 class="${list}">${title}</h2>\n${groups.map(groupHtml).join('')}`

const groupHtml = ({ who, advice, changes }: Group): string =>
  `<h3>${who}</h3>\n${advice === '' ? '' : `<p>${advice.replaceAll(/`([^`]*)`/g, '<code>$1</code>')}</p>\n`}<ul>\n${changes.map(lineHtml).join('')}</ul>\n`

function lineHtml(change: Change): string {
  const { rule, file, line, column } = change
  return `<li><code>${escaped(sentenceOf(change))}</code> <small>${escaped(`${file}:${line}:${column}`)} ${rule}</small></li>\n`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string =>
  printable(text).replaceAll(/[&<>"]/g, (character) => entities[character] as string)
