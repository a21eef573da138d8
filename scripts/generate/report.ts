/** How problems of a contract look in a terminal: errors in one block each, warnings in a line each. */
import { readFileSync } from 'node:fs'
import type { styleText } from 'node:util'
import { type ContractProblem, formatProblem } from '../../src/contract/compile/diagnostics/problem.ts'

/** Colours a text, or does not: `util.styleText` for the stream that the text is for. */
export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string

export const plain: Paint = (_style, text) => text

export interface ReportOptions {
  /** Files are named relative to it. */
  readonly folder: string
  readonly paint: Paint
  /** Errors and warnings that are told each; what is left is counted. */
  readonly errors?: number
  readonly warnings?: number
}

/** Lines, without a line feed at the end; empty when there is nothing to tell. Errors come last, where the eye is. */
export function formatReport(problems: readonly ContractProblem[], options: ReportOptions): string {
  const errors = problems.filter(({ severity }) => severity === 'error')
  const warnings = problems.filter(({ severity }) => severity === 'warning')
  return [
    ...bounded(warnings, options.warnings ?? 10, 'warning', (problem) => warningLine(problem, options)),
    ...bounded(errors, options.errors ?? Infinity, 'error', (problem) => errorBlock(problem, options))
  ].join('\n')
}

function bounded(
  problems: readonly ContractProblem[],
  limit: number,
  noun: string,
  format: (problem: ContractProblem) => string
): string[] {
  const left = problems.length - limit
  const shown = left > 1 ? problems.slice(0, limit) : problems
  return [...shown.map(format), ...(left > 1 ? [`… and ${left} more ${noun}s`] : [])]
}

function warningLine(problem: ContractProblem, { folder, paint }: ReportOptions): string {
  return `${printable(formatProblem(problem, folder))} ${paint('yellow', '(warning)')}`
}

/**
 * ```
 * openapi.yaml:31:9 security scheme bearer is not declared
 *   31 |       - bearer: []
 *      |         ^
 * ```
 */
export function errorBlock(problem: ContractProblem, { folder, paint }: ReportOptions): string {
  const [place = '', ...words] = formatProblem(problem, folder).split(' ')
  const head = `${paint('bold', place)} ${paint('red', printable(words.join(' ')))}`
  const line = sourceLine(problem)
  if (line === undefined) return head
  const { text, column } = excerpt(line, problem.column - 1)
  const number = String(problem.line)
  const margin = ' '.repeat(number.length)
  const caret = `${' '.repeat(column)}${paint('red', '^')}`
  return [head, `${paint('dim', `  ${number} |`)} ${text}`, `${paint('dim', `  ${margin} |`)} ${caret}`].join(
    '\n'
  )
}

function sourceLine({ file, line }: ContractProblem): string | undefined {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)[line - 1]
  } catch {
    return undefined
  }
}

const width = 100

/** A long line is cut around the column, so that the caret stands under it. */
function excerpt(line: string, column: number): { text: string; column: number } {
  const start = column < width - 10 ? 0 : column - Math.floor(width / 2)
  const cut = line.slice(start, start + width)
  const [before, after] = [start > 0 ? '…' : '', start + width < line.length ? '…' : '']
  return { text: `${before}${printable(cut)}${after}`, column: column - start + before.length }
}

/** One column each, and none that a terminal would obey. */
function printable(text: string): string {
  return text.replaceAll('\t', ' ').replaceAll(/\p{Cc}/gu, '�')
}
