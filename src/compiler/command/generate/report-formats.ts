/** Report of what a command has found in a contract or a server, and the formats that other programs read. */

import { pathToFileURL } from 'node:url'
import { printable, printableJson } from '@contract-first/cli/printable'

export interface ReportItem {
  readonly level: 'error' | 'warning' | 'note'
  /** Name of the rule that is broken: `response-body`. */
  readonly rule: string
  /** Method and path: `POST /pets`; null for the contract as a whole. */
  readonly operation: string | null
  readonly message: string
  /** File relative to the working directory. */
  readonly file: string
  /** Line and column from 1. */
  readonly line: number
  readonly column: number
  /** Texts that show the finding: a command line, its answer. */
  readonly evidence?: readonly string[]
  /** Reason of a review that has accepted the finding. */
  readonly accepted?: string
}

export interface Report {
  /** Command that reports: `conformance`. */
  readonly tool: string
  /** Sentence above the items. */
  readonly heading: string
  /** Line below the heading. */
  readonly summary?: string
  readonly items: readonly ReportItem[]
  /** Names of all rules, where they are known. */
  readonly rules?: readonly string[]
  /** Operations that were checked, also those without an item. */
  readonly checked?: Iterable<string>
  /** Numbers of the run: its seed, its requests. */
  readonly properties?: Readonly<Record<string, number>>
  /** Title and text of what stands below the items. */
  readonly appendix?: readonly [title: string, text: string]
}

/** Returns the message, with the operation that it is about. */
export const sentenceOf = ({ operation, message }: Pick<ReportItem, 'operation' | 'message'>): string =>
  operation === null || message.startsWith(operation) ? message : `${operation} ${message}`

/** Formats of every report. */
export const formats = ['text', 'json', 'markdown', 'github', 'sarif', 'junit'] as const
export type Format = (typeof formats)[number]

/** Longest text that shows an item. */
const maxEvidence = 500
/** Longest comment that GitHub takes is 65,536 characters. */
const maxShown = 50

/** Writes Markdown, for a comment of a pull request or the summary of a workflow. */
function markdownReport({ heading, summary, items, appendix }: Report): string {
  const open = items.filter(({ accepted }) => accepted === undefined)
  const accepted = items.filter((item) => item.accepted !== undefined)
  const left = open.length - maxShown
  return [
    `### ${markdownOf(heading)}`,
    ...(summary === undefined ? [] : [summary]),
    ...open.slice(0, maxShown).map(itemText),
    ...(left > 0 ? [`… and ${left} more.`] : []),
    ...(accepted.length > 0
      ? [
          accepted
            .map(
              (item) => `- accepted: ${markdownOf(sentenceOf(item))} (${markdownOf(String(item.accepted))})`
            )
            .join('\n')
        ]
      : []),
    ...(appendix ? [`<details><summary>${appendix[0]}</summary>\n\n${fenced(appendix[1])}\n</details>`] : []),
    ''
  ].join('\n\n')
}

function itemText(item: ReportItem): string {
  const { rule, file, line, evidence = [] } = item
  const head = `- **${markdownOf(sentenceOf(item))}** (\`${rule}\`, ${markdownOf(file)}:${line})`
  if (evidence.length === 0) return head
  const shown = evidence.map((each) => (each.length > maxEvidence ? `${each.slice(0, maxEvidence)}…` : each))
  const details = shown
    .map(fenced)
    .join('\n\n')
    .replaceAll(/^(?=.)/gm, '  ')
  return `${head}\n\n  <details><summary>The line that shows it again, and its answer</summary>\n\n${details}\n\n  </details>`
}

/** Escapes what Markdown and HTML interpret. */
const markdownOf = (written: string): string =>
  printable(written).replaceAll(/[\\`*_{}[\]<>&|~#]/g, String.raw`\$&`)

/** Returns more backticks than the text has in a row (CommonMark 0.31.2, sections 4.5 and 6.1). */
export const fenceOf = (written: string, least: number): string =>
  '`'.repeat(Math.max(least, ...[...written.matchAll(/`+/g)].map(([run]) => run.length + 1)))

function fenced(written: string): string {
  const fence = fenceOf(written, 3)
  return `${fence}\n${written.trimEnd().split('\n').map(printable).join('\n')}\n${fence}`
}

/** Levels of annotations. */
const annotated = { error: 'error', warning: 'warning', note: 'notice' } as const

/** Writes annotations of a workflow (GitHub Actions, “Workflow commands”). */
const githubReport = ({ items }: Report): string =>
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
  return `::${annotated[level]} ${properties.join()}::${escapedData(text)}`
}

/** Leaves no line feed, which would begin another command. */
const escapedData = (text: string): string =>
  printable(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'))

const escapedProperty = (text: string): string =>
  escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** Writes SARIF 2.1.0, which code scanning shows at its place in the contract. */
function sarifReport({ tool, items, rules = [], properties }: Report): string {
  const ids = [...new Set([...rules, ...items.map(({ rule }) => rule)])]
  const run = {
    tool: { driver: { name: tool, rules: ids.map((id) => ({ id })) } },
    results: items.map((item) => resultOf(item, ids)),
    ...(properties && { properties })
  }
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }
  return `${printableJson(JSON.stringify(log, null, 2))}\n`
}

/** @returns a result; a suppressed one for a finding that a review has accepted (section 3.27.23) */
function resultOf(item: ReportItem, ids: readonly string[]): object {
  const { level, rule, operation, file, line, column, evidence, accepted } = item
  const message = sentenceOf(item)
  return {
    ruleId: rule,
    ruleIndex: ids.indexOf(rule),
    level,
    message: { text: printable(message) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(file) },
          region: { startLine: line, startColumn: column }
        },
        ...(operation !== null && { logicalLocations: [{ name: operation, kind: 'function' }] })
      }
    ],
    // Equal findings of two runs are one alert.
    partialFingerprints: { 'finding/v1': `${rule} ${message}` },
    ...(evidence && { properties: { evidence } }),
    ...(accepted !== undefined && {
      suppressions: [{ kind: 'external', status: 'accepted', justification: accepted }]
    })
  }
}

/** Returns a relative reference for a relative path. */
const uriOf = (path: string): string =>
  path.startsWith('/') ? pathToFileURL(path).href : path.split('/').map(encodeURIComponent).join('/')

/** Writes JUnit XML, for build servers: a failure for each error, and a case for each operation without one. */
function junitReport({ tool, items, checked = [], properties = {} }: Report): string {
  const failures = items.filter(({ level, accepted }) => level === 'error' && accepted === undefined)
  const failed = new Set(failures.map(({ operation }) => operation))
  const passed = [...checked].filter((operation) => !failed.has(operation))
  const counts = `tests="${failures.length + passed.length}" failures="${failures.length}" errors="0"`
  const values = Object.entries(properties).map(
    ([name, value]) => `<property name="${name}" value="${value}"/>`
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${tool}" ${counts}>`,
    `  <testsuite name="${tool}" ${counts}>`,
    ...(values.length > 0 ? [`    <properties>${values.join('')}</properties>`] : []),
    ...failures.map((item) => failureXml(tool, item)),
    ...passed.map((operation) => `    <testcase classname="${tool}" name="${xmlOf(operation)}"/>`),
    '  </testsuite>',
    '</testsuites>',
    ''
  ].join('\n')
}

function failureXml(
  tool: string,
  { rule, operation, message, file, line, evidence = [] }: ReportItem
): string {
  const shown = evidence.length > 0 ? evidence : [`${file}:${line}`]
  return [
    `    <testcase classname="${tool}" name="${xmlOf(`${operation ?? file} ${rule}`)}">`,
    `      <failure type="${xmlOf(rule)}" message="${xmlOf(message)}">${xmlOf(shown.join('\n'))}</failure>`,
    '    </testcase>'
  ].join('\n')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;'
}

/** Writes characters that XML forbids (XML 1.0, section 2.2) as JSON escapes. */
function xmlOf(text: string): string {
  return text
    .replaceAll(
      /[\p{Cs}\p{Bidi_Control}\p{Zl}\p{Zp}\ufffe\uffff]|(?![\t\n\r])\p{Cc}/gu,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
    )
    .replaceAll(/[&<>"']/g, (character) => String(entities[character]))
    .replaceAll(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
}

export const reportFormats: Readonly<Record<Exclude<Format, 'text' | 'json'>, (report: Report) => string>> = {
  markdown: markdownReport,
  github: githubReport,
  sarif: sarifReport,
  junit: junitReport
}
