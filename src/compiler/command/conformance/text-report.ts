/** The report for a person: each finding with the line that shows it, then the next step. */

import type { Paint } from '@contract-first/cli/format'
import { printable } from '@contract-first/cli/printable'
import { type Checked, type Finding, maxCharacters, maxValues } from '../../conformance.ts'

export function textReport({ report, locked, unchecked, cut }: Checked, paint: Paint): string {
  const { findings, operations, requests, seed } = report
  const of = `${counted(operations, 'operation')}, ${counted(requests, 'request')}, seed ${seed}`
  const notes = [
    ...note(locked, 'no credentials were given, so only their absence was checked; --token T gives one'),
    ...note(unchecked, 'no valid request was found, so nothing was checked'),
    ...note(cut, `requests of more than ${maxValues} values or ${maxCharacters} characters were left out`)
  ]
  if (findings.length === 0) return [paint('green', `no finding: ${of}`), ...notes, ''].join('\n')
  const shown = findings.map((finding, index) => findingText(finding, index + 1, paint))
  const head = paint('bold', `${counted(findings.length, 'finding')}: ${of}`)
  const next = `Next: run the curl line of a finding; --seed ${seed} finds the same again`
  return [...shown, head, ...notes, next, ''].join('\n')
}

function findingText({ check, message, response, curl }: Finding, number: number, paint: Paint): string {
  const answer = response === null ? 'no answer' : `${response.status} ${shortened(response.body)}`
  return [
    `${paint('red', String(number))}  ${printable(message)}`,
    `   ${paint('dim', `${check}; ${printable(answer)}`)}`,
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

const shortened = (text: string): string => (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text)

const counted = (count: number, unit: string): string =>
  `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`
