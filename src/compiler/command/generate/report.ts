/**
 * Formats the outcome of a run: problems with their source lines, what a user can fix about files, and what has changed.
 */
import { readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { relative } from 'node:path'
import { type Paint, shortened } from '@contract-first/cli/format'
import { printable } from '@contract-first/cli/printable'
import { ContractError, type ContractProblem, formatProblem, isOfExample } from '@contract-first/contract'
import { stringify } from '@contract-first/engine/json'
import type { Generated } from '../../compiler.ts'

interface ReportOptions {
  /** Folder that paths in messages are relative to; the working directory by default. */
  readonly folder?: string
  readonly paint: Paint
  /** Most errors and warnings to show; the report counts the rest. */
  readonly maxErrors?: number
  readonly maxWarnings?: number
  /** Option of the command that shows every warning. */
  readonly allOption?: string
}

/** Default limit of problems to show, errors and warnings together. */
const maxShown = 20

/**
 * Returns lines without a line feed at the end; an empty list without problems. Errors come first, then warnings about
 * what is served, then those about examples. The report omits these while there are errors, because an error often causes
 * them.
 */
export function formatReport(problems: readonly ContractProblem[], options: ReportOptions): string {
  const maxErrors = options.maxErrors ?? maxShown
  const errors = problems.filter(({ severity }) => severity === 'error')
  const warnings = problems
    .filter((problem) => problem.severity === 'warning' && (errors.length === 0 || !isOfExample(problem)))
    .toSorted((a, b) => Number(isOfExample(a)) - Number(isOfExample(b)))
  const { maxWarnings: most = 10, allOption } = options
  const maxWarnings = most === Infinity ? most : Math.min(most, Math.max(0, maxShown - errors.length))
  const hint = allOption === undefined ? '' : `: ${allOption} lists them`
  const files = new Map<string, readonly string[]>()
  const block = (problem: ContractProblem, head: string) =>
    problemBlock(problem, head, { ...options, line: sourceLine(problem, files) })
  return [
    ...shortened(errors, maxErrors, {
      item: (problem) => block(problem, errorHead(problem, options)),
      rest: (count) => `… and ${count} more errors`
    }),
    ...shortened(warnings, maxWarnings, {
      item: (problem) => block(problem, warningHead(problem, options)),
      rest: (count) => `… and ${count} more warnings${hint}`
    })
  ].join('\n')
}

function errorHead(problem: ContractProblem, { folder = '.', paint }: ReportOptions): string {
  const [place = '', ...words] = formatProblem(problem, folder).split(' ')
  return `${paint('bold', printable(place))} ${paint('red', printable(words.join(' ')))}`
}

function warningHead(problem: ContractProblem, { folder = '.', paint }: ReportOptions): string {
  const label = isOfExample(problem) ? paint('dim', '(example)') : paint('yellow', '(warning)')
  return `${printable(formatProblem(problem, folder))} ${label}`
}

/**
 * Formats a problem with its line and a caret:
 * ```
 * openapi.yaml:31:9 security scheme bearer is not declared
 *   31 |       - bearer: []
 *      |         ^
 * ```
 */
function problemBlock(
  problem: ContractProblem,
  head: string,
  { paint, line }: Pick<ReportOptions, 'paint'> & { readonly line: string | undefined }
): string {
  if (line === undefined) return head
  const { text, column } = excerpt(line, problem.column - 1)
  const number = String(problem.line)
  const margin = ' '.repeat(number.length)
  const caret = `${' '.repeat(column)}${paint(problem.severity === 'error' ? 'red' : 'yellow', '^')}`
  return [head, `${paint('dim', `  ${number} |`)} ${text}`, `${paint('dim', `  ${margin} |`)} ${caret}`].join(
    '\n'
  )
}

/** @param files lines by file; each file is read once for a report */
function sourceLine(
  { file, line, hidesLine }: ContractProblem,
  files: Map<string, readonly string[]>
): string | undefined {
  if (hidesLine === true) return undefined
  const lines = files.get(file) ?? linesOf(file)
  files.set(file, lines)
  return lines[line - 1]
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)
  } catch {
    return []
  }
}

const maxColumns = 100

/** Cuts a long line around the column, so that the caret is below it. */
function excerpt(line: string, column: number): { text: string; column: number } {
  const start = column < maxColumns - 10 ? 0 : column - Math.floor(maxColumns / 2)
  const cut = line.slice(start, start + maxColumns)
  const [before, after] = [start > 0 ? '…' : '', start + maxColumns < line.length ? '…' : '']
  return { text: `${before}${printable(cut)}${after}`, column: column - start + before.length }
}

/** Changes since the contract was compiled last, as sentences by subject: `breaking` → `POST /pets body/name: maxLength now 5 (was 10)`. */
export type Changes = ReadonlyMap<string, readonly string[]>

const textsOnly: Changes = new Map([['descriptions', ['changed; nothing that is sent or received has']]])
const noEarlier: Changes = new Map([['first compile', ['there is no earlier contract to compare with']]])

/** Returns the changes between the documents of a run; none without documents. */
export async function changesOf(documents: Generated['documents'] | undefined): Promise<Changes> {
  if (documents === undefined) return new Map()
  const { before, after } = documents
  if (before === undefined) return noEarlier
  if (stringify(before) === stringify(after)) return new Map()
  const { changeSentences } = await import('../../diff.ts')
  const changes = changeSentences(before, after, new Date())
  return changes.size === 0 ? textsOnly : changes
}

const maxPerSubject = 12
const maxLineLength = 110

/**
 * Returns `compatible: GET /things added   breaking: …`, on several lines when one would be too long.
 */
export function formatChanges(changes: Changes): string {
  if (changes.size === 0) return 'nothing has changed'
  const parts = [...changes].map(([subject, list]) => `${subject}: ${enumerate(list)}`)
  const line = parts.join('   ')
  return line.length <= maxLineLength ? line : parts.join('\n')
}

function enumerate(list: readonly string[]): string {
  const format = { item: printable, rest: (count: number) => `and ${count} more` }
  return shortened(list, maxPerSubject, format).join(', ')
}

/** The contract cannot be read. */
class UnreadableContract extends Error {
  readonly path: string

  constructor(path: string, reason: string) {
    super(reason)
    this.path = path
  }
}

/** @throws {UnreadableContract} when the path is not a file */
export async function assertIsFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() === true) return
  throw new UnreadableContract(path, found === undefined ? 'there is no such file' : 'it is not a file')
}

/**
 * Returns the text about an error that a user can fix.
 * @param report formats the problems of a contract
 * @throws any other error: it is a defect, and keeps its stack
 */
export function problemText(
  error: unknown,
  report: (problems: readonly ContractProblem[]) => string
): string {
  if (error instanceof ContractError) return report(error.problems)
  return fileProblem(error)
}

const remedies: Readonly<Record<string, string>> = {
  EEXIST: 'there is a file where the folder should be; --out names another',
  ENOTDIR: 'there is a file where a folder should be; --out names another',
  ENOENT: 'no folder can be made there; --out names another',
  EACCES: 'this user may not; --out names another folder',
  EROFS: 'this file system is read-only; --out names another folder',
  ENOSPC: 'the disk is full'
}

function fileProblem(error: unknown): string {
  if (error instanceof UnreadableContract)
    return `${shortPath(error.path)} cannot be read: ${error.message}; --contract names the contract`
  if (!isFileError(error)) throw error
  const { code = '', message, path } = error
  const remedy = remedies[code]
  const reason =
    remedy === undefined || path === undefined ? message : `${shortPath(path)}: ${remedy} (${code})`
  return `nothing was written: ${reason}`
}

const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'path' in error

/** Returns the path relative to the working directory, if that is shorter. */
export function shortPath(path: string): string {
  const way = relative('.', path) || '.'
  return way.length < path.length ? way : path
}
