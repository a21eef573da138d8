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

type Audiences = readonly (readonly [audience: Omit<Audience, 'pattern'>, changes: readonly Change[]])[]

/** Returns the changes of a list by whom they concern. */
const audiencesOf = (changes: readonly Change[]): Audiences => [
  ...Map.groupBy(
    changes,
    ({ rule, place }) => audiences.find(({ pattern }) => pattern.test(`${rule} ${place}`)) ?? senders
  )
]

/** Returns the sentence above all: how much breaks, since when. */
function summaryOf({ breaking, undecided, compatible }: Report, base: string): string {
  if (breaking.length + undecided.length + compatible.length === 0)
    return `Nothing that matters to a client has changed since ${base}`
  const count = `${breaking.length} breaking, ${undecided.length} undecided, ${compatible.length} compatible since ${base}`
  return breaking.length === 0 ? `Nothing breaks: ${count}` : `This breaks clients: ${count}`
}

/** First line, by which a workflow finds its earlier comment. */
const marker = '<!-- contract:diff -->'

/** Most characters of a comment on GitHub are 65,536, counted in UTF-16; the rest is for what a workflow adds. */
const maxLength = 60_000
/** Characters of the lines; the others are for what stands above them and between. */
const maxLines = 54_000

/** Writes a comment of a pull request: what breaks, for whom, what to do. */
function formatMarkdown(
  report: Report,
  { base, failing = ['breaking'] }: Omit<FormatOptions, 'paint'>
): string {
  let [room, omitted] = [maxLines, 0]
  const isShown = (change: Change) => {
    room -= lineOf(change).length
    if (room < 0) omitted++
    return room >= 0
  }
  const body = lists.map((list) => sectionText(list, report[list].filter(isShown)))
  const note =
    omitted === 0
      ? ''
      : `\n${omitted.toLocaleString('en')} more changes: \`npm run contract:diff\` lists all of them.\n`
  const text = `${marker}\n### ${summaryOf(report, code(base))}\n${body.join('')}${note}`
  const further = acceptance(failing.flatMap((list) => report[list]))
  return text.length + further.length > maxLength ? text : text + further
}

function sectionText(list: List, changes: readonly Change[]): string {
  if (changes.length === 0) return ''
  const { title } = appearances[list]
  const groups = audiencesOf(changes).map(([{ who, advice }, members]) => {
    const head = list === 'breaking' ? `**${who}**: ${advice}` : `**${who}**`
    return `\n${head}\n\n${members.map(lineOf).join('')}`
  })
  return list === 'compatible'
    ? `\n<details><summary>${title}</summary>\n${groups.join('')}\n</details>\n`
    : `\n#### ${title}\n${groups.join('')}`
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

/** Returns an entry of contract-accepted.yaml for each change, the reason left to its author. */
function acceptance(changes: readonly Change[]): string {
  if (changes.length === 0) return ''
  const entries = changes.map(({ rule, operation, place }) => {
    const where = [operation ?? '', place].filter((part) => part !== '').join(' ')
    return `- rule: ${rule}\n  place: ${printable(JSON.stringify(where))}\n  reason: \n`
  })
  const fence = fenceOf(entries.join(''), 3)
  return `\n<details><summary>On purpose? Add these to contract-accepted.yaml, each with a reason</summary>\n\n${fence}yaml\n${entries.join('')}${fence}\n\n</details>\n`
}

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
${lists.map((list) => sectionHtml(list, report[list])).join('')}</body>
</html>
`
}

function sectionHtml(list: List, changes: readonly Change[]): string {
  if (changes.length === 0) return ''
  const groups = audiencesOf(changes).map(([{ who, advice }, members]) => {
    const sentence = advice.replaceAll(/`([^`]*)`/g, '<code>$1</code>')
    const what = list === 'breaking' ? `<p>${sentence}</p>\n` : ''
    return `<h3>${who}</h3>\n${what}<ul>\n${members.map(lineHtml).join('')}</ul>\n`
  })
  return `<h2 class="${list}">${appearances[list].title}</h2>\n${groups.join('')}`
}

function lineHtml(change: Change): string {
  const { rule, file, line, column } = change
  return `<li><code>${escaped(sentenceOf(change))}</code> <small>${escaped(`${file}:${line}:${column}`)} ${rule}</small></li>\n`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string =>
  printable(text).replaceAll(/[&<>"]/g, (character) => entities[character] as string)
