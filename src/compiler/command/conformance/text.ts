/** Report of the conformance check for a terminal. */

import { counted, type Paint, shortened } from '@contract-first/cli/format'
import { printable } from '@contract-first/cli/printable'
import { coverageText } from '@contract-first/engine/coverage'
import { type Finding, maxCharacters, maxValues } from '../../conformance.ts'
import { answerOf, type Reported } from './reported.ts'

/** Lists each finding with the line that shows it, then the next step. */
export function textReport(reported: Reported, paint: Paint): string {
  const { report, locked, unchecked, cut, skipped, accepted } = reported
  const { findings, operations, requests, seed } = report
  const of = `${counted(operations, 'operation')}, ${counted(requests, 'request')}, seed ${seed}`
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
