/** Runs the conformance check once: compiles the contract, checks the server, formats the report. */
import { Mistake, type Paints } from '@contract-first/cli/command'
import { counted, type Paint } from '@contract-first/cli/format'
import { printable, printableJson } from '@contract-first/cli/printable'
import { compileInMemory, type InMemory } from '../compiler.ts'
import {
  type Checked,
  checkConformance,
  type Finding,
  maxCharacters,
  maxValues,
  NoAnswer,
  type Progress
} from '../conformance.ts'
import { formatReport } from './generate/report.ts'
import { assertIsFile, type ContractFile, problemText } from './project/contract-command.ts'

export type Format = 'text' | 'json' | 'junit'

export interface Options extends ContractFile {
  readonly url: URL
  readonly token: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly seed: number
  /** Number of requests per operation. */
  readonly requests: number
  readonly format: Format
}

interface Terminal {
  readonly paints: Paints
  /** Writes to a terminal; undefined without a terminal. */
  readonly progress: ((text: string) => void) | undefined
}

/** Erases the line (ECMA-48, section 8.3.41). */
const eraseLine = '\r\u001b[2K'
const reports = { text: textReport, json: jsonReport, junit: junitReport }

/** @throws {Mistake} when the contract cannot be compiled, or no server answers */
export async function runConformance(
  options: Options,
  { paints, progress }: Terminal
): Promise<{ readonly text: string; readonly findings: number }> {
  const { contract, document } = await compiled(options, paints.errors)
  try {
    const onProgress = (now: Progress) => progress?.(`${eraseLine}${progressText(now)}`)
    const checked = await checkConformance({ ...options, contract, document, onProgress })
    return { text: reports[options.format](checked, paints.output), findings: checked.report.findings.length }
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    throw new Mistake([error.message], { exitCode: 2, next: 'start the server, or give another --url' })
  } finally {
    progress?.(eraseLine)
  }
}

function progressText({ operation, index, operations, requests, findings }: Progress): string {
  const found = findings === 0 ? '' : `, ${findings} found`
  return `${index + 1}/${operations}  ${printable(operation)}  ${requests} requests${found}`
}

async function compiled({ contract: path, root }: Options, paint: Paint): Promise<InMemory> {
  try {
    await assertIsFile(path)
    return await compileInMemory(path, { root })
  } catch (error) {
    const text = problemText(error, (problems) =>
      formatReport(
        problems.filter(({ severity }) => severity === 'error'),
        { paint }
      )
    )
    throw new Mistake([text], { exitCode: 2 })
  }
}

/** Lists each finding with the line that shows it, then the next step. */
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

export function jsonReport({ report }: Checked): string {
  const { seed, operations, requests, findings } = report
  return `${printableJson(JSON.stringify({ seed, operations, requests, findings }, null, 2))}\n`
}

export function junitReport({ report, checked }: Checked): string {
  const { findings, seed, requests } = report
  const byOperation = Map.groupBy(findings, ({ operation }) => operation)
  for (const name of checked) if (!byOperation.has(name)) byOperation.set(name, [])
  const cases = [...byOperation].flatMap(([operation, found]) => casesOf(operation, found))
  const counts = `tests="${cases.length}" failures="${findings.length}" errors="0"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="conformance" ${counts}>`,
    `  <testsuite name="conformance" ${counts}>`,
    `    <properties><property name="seed" value="${seed}"/><property name="requests" value="${requests}"/></properties>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    ''
  ].join('\n')
}

function casesOf(operation: string, findings: readonly Finding[]): string[] {
  if (findings.length === 0) return [`    <testcase classname="conformance" name="${escaped(operation)}"/>`]
  return findings.map(({ check, message, curl, response }) => {
    const answer = response === null ? 'no answer' : `${response.status} ${response.body}`
    return [
      `    <testcase classname="conformance" name="${escaped(`${operation} ${check}`)}">`,
      `      <failure type="${escaped(check)}" message="${escaped(message)}">${escaped(`${curl}\n${answer}`)}</failure>`,
      '    </testcase>'
    ].join('\n')
  })
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;'
}

/** Writes characters that XML forbids (XML 1.0, section 2.2) as JSON escapes. */
function escaped(text: string): string {
  return text
    .replaceAll(
      /[\p{Cs}\p{Bidi_Control}\p{Zl}\p{Zp}\ufffe\uffff]|(?![\t\n\r])\p{Cc}/gu,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
    )
    .replaceAll(/[&<>"']/g, (character) => String(entities[character]))
    .replaceAll(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
}
