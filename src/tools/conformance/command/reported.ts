/** Result of a run as its reports show it: what a review has accepted is apart, and operations have places. */
import { counted, type Paint, shortened } from '@contract-first/cli/format'
import { printable } from '@contract-first/cli/printable'
import type { Contract, SourcePosition } from '@contract-first/contract'
import { coverageText } from '@contract-first/engine/coverage'
import { shortPath } from '../../../compiler/command/generate/report.ts'
import type { Report, ReportItem } from '../../../compiler/command/generate/report-formats.ts'
import {
  type AcceptedFinding,
  type Checked,
  checks,
  type Finding,
  maxCharacters,
  maxValues
} from '../conformance.ts'

export interface Reported extends Checked {
  readonly accepted: readonly AcceptedFinding[]
  readonly place: Place
}

/** Place of an operation in the contract; its file is relative to the working directory. */
type Place = (operation: string) => SourcePosition & { readonly file: string }

/** Returns the status and the beginning of an answer. */
function answerOf({ response }: Finding, max = Number.POSITIVE_INFINITY): string {
  if (response === null) return 'no answer'
  const { body } = response
  return `${response.status} ${body.length > max ? `${body.slice(0, max)}…` : body}`
}

const summaryOf = ({ operations, requests, seed }: Checked['report']): string =>
  `${counted(operations, 'operation')}, ${counted(requests, 'request')}, seed ${seed}`

/** Returns the report for other programs. */
export function reportOf({ report, accepted, checked, place }: Reported): Report {
  const { findings, seed, operations, requests, coverage } = report
  const itemOf = (finding: Finding | AcceptedFinding): ReportItem => ({
    ...{ level: 'error', rule: finding.check, operation: finding.operation, message: finding.message },
    ...place(finding.operation),
    evidence: [finding.curl, answerOf(finding)],
    ...('reason' in finding && { accepted: finding.reason })
  })
  return {
    tool: 'conformance',
    heading:
      findings.length === 0 ? 'The server does what its contract says' : counted(findings.length, 'finding'),
    summary: summaryOf(report),
    items: [...findings, ...accepted].map(itemOf),
    rules: checks,
    checked,
    properties: { operations, requests, seed },
    appendix: ['Seen of the contract', coverageText(coverage)]
  }
}

/** Returns the places of the operations of a contract by their methods and paths. */
export function operationPlaces({ origin }: Contract): Place {
  return (operation) => {
    const [method = '', ...rest] = operation.split(' ')
    const { file, line, column } = origin.at('paths', rest.join(' '), method.toLowerCase())
    return { file: shortPath(file), line, column }
  }
}

/** Returns the report for a terminal: lists each finding with the line that shows it, then the next step. */
export function textReport(reported: Reported, paint: Paint): string {
  const { report, locked, unchecked, cut, skipped, accepted } = reported
  const { findings, seed } = report
  const of = summaryOf(report)
  const notes = [
    ...note(locked, 'no credentials were given, so only their absence was checked; --token T gives one'),
    ...note(unchecked, 'no valid request was found, so nothing was checked'),
    ...note(cut, `requests of more than ${maxValues} values or ${maxCharacters} characters were left out`),
    ...note(skipped, 'left out by --only or --skip'),
    ...accepted.map(({ message, reason }) => printable(`accepted: ${message} (${reason})`)),
    ...coverageLines(report.coverage)
  ]
  if (findings.length === 0) return [paint('green', `no finding: ${of}`), ...notes, ''].join('\n')
  const shown = findings.map((finding, index) => findingText(finding, index + 1, paint))
  const head = paint('bold', `${counted(findings.length, 'finding')}: ${of}`)
  const next = `Next: run the curl line of a finding; --seed ${seed} finds the same again`
  return [...shown, head, ...notes, next, ''].join('\n')
}

function findingText(finding: Finding, number: number, paint: Paint): string {
  const { check, message, curl } = finding
  return [
    `${paint('red', String(number))}  ${printable(message)}`,
    `   ${paint('dim', `${check}; ${printable(answerOf(finding, maxShown))}`)}`,
    `   ${printable(curl)}`,
    ''
  ].join('\n')
}

function note(operations: readonly string[], text: string): string[] {
  if (operations.length === 0) return []
  const [first = ''] = operations
  return [`${operations.length === 1 ? printable(first) : counted(operations.length, 'operation')}: ${text}`]
}

const maxShown = 200

const maxListed = 12

/** Lists what was seen of the contract, and the first of what was never seen. */
function coverageLines(coverage: Reported['report']['coverage']): string[] {
  return coverageText(coverage)
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [counts = '', never] = line.split('; never seen: ')
      const names = never?.split(', ') ?? []
      const listed = shortened(names, maxListed, { item: printable, rest: (count) => `and ${count} more` })
      return names.length === 0 ? `seen: ${counts}` : `seen: ${counts}; never: ${listed.join(', ')}`
    })
}
