/** Problems of a contract with their places, in the form in which every part of the compiler reports, and their list. */
import { relative } from 'node:path'
import type { Problem, SourcePosition } from '../model/origin.ts'

export interface ContractProblem extends SourcePosition {
  readonly severity: 'error' | 'warning'
  /** Name of what is checked: `schema-keyword`; absent for what keeps the contract from being read. */
  readonly rule?: string
  /** True when the line is not shown: it is no contract's. */
  readonly hidesLine?: boolean
  readonly file: string
  readonly message: string
}

/** Returns a problem with its place. */
export function contractProblem({ severity, rule, message, origin }: Problem): ContractProblem {
  const { file, line, column } = origin
  return { severity, rule, file, message, line, column }
}

/** Formats as `openapi.yaml:31:9 message`, the file relative to `folder`. */
export function formatProblem(problem: ContractProblem, folder: string): string {
  const file = relative(folder, problem.file) || problem.file
  return `${file}:${problem.line}:${problem.column} ${problem.message}`
}

/** Returns the message of an error that a package threw; some throw strings. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** The contract cannot be compiled; `problems` holds at least one error. */
export class ContractError extends Error {
  override readonly name = 'ContractError'
  readonly problems: readonly ContractProblem[]

  constructor(problems: readonly ContractProblem[]) {
    const errors = problems.filter((problem) => problem.severity === 'error')
    super(errors.map((problem) => formatProblem(problem, '.')).join('\n'))
    this.problems = problems
  }
}

/**
 * Returns the error as a ContractError.
 * @throws the error itself when the contract is not the cause: it is a defect, and keeps its stack
 */
export function contractError(error: unknown): ContractError {
  if (error instanceof ContractError) return error
  throw error
}

export function hasErrors(problems: readonly ContractProblem[]): boolean {
  return problems.some(({ severity }) => severity === 'error')
}

/** Adds the problems of a later stage, except those on the line of an earlier error: they are its consequences. */
export function addProblems(
  earlier: readonly ContractProblem[],
  later: readonly ContractProblem[]
): ContractProblem[] {
  const wrong = new Set(earlier.filter(({ severity }) => severity === 'error').map(lineOf))
  return [...earlier, ...later.filter((problem) => !wrong.has(lineOf(problem)))]
}

/**
 * Turns every warning into an error, except warnings about examples.
 * @throws {ContractError} with every problem
 */
export function assertNoWarnings(problems: readonly ContractProblem[]): void {
  const strict = problems.map((problem) =>
    isOfExample(problem) ? problem : { ...problem, severity: 'error' as const }
  )
  if (hasErrors(strict)) throw new ContractError(strict)
}

/** Returns true for a warning about an example, which has no effect on what is served. */
export const isOfExample = ({ rule }: ContractProblem): boolean => rule === 'example'

/**
 * Sorts by file, line and column, and drops duplicates and echoes: warnings about the structure that repeat a problem which
 * a check reports at the same place, with its consequence.
 */
export function sortProblems(problems: readonly ContractProblem[]): ContractProblem[] {
  const unique = new Map(withoutEchoes(problems).map((problem) => [formatProblem(problem, '/'), problem]))
  return [...unique.values()].sort(
    (a, b) => byCodeUnits(a.file, b.file) || a.line - b.line || a.column - b.column
  )
}

/** Matches messages about a misplaced member or a wrong value (load/structure.ts). */
const doubted =
  /^(?:Property|The field) `(?<stray>[^`]+)` is not|^`(?<value>[^`]+)` can be one of|^Expected type .* at `(?<typed>[^`]+)`$/s

function withoutEchoes(problems: readonly ContractProblem[]): ContractProblem[] {
  const byLine = Map.groupBy(problems, lineOf)
  return problems.filter((problem) => {
    const { stray, value, typed } = doubted.exec(problem.message)?.groups ?? {}
    const member = stray ?? value ?? typed
    if (problem.severity === 'error' || member === undefined) return true
    const others = byLine.get(lineOf(problem)) ?? []
    return !others.some((other) => !doubted.test(other.message) && names(other.message, member))
  })
}

const lineOf = ({ file, line }: ContractProblem): string => `${file}:${line}`

const names = (message: string, member: string): boolean => message.split(/[^\w$-]+/).includes(member)

/**
 * Orders texts by their UTF-16 code units, for `sort`: the same under every locale, unlike `localeCompare`.
 * @returns a negative number, zero or a positive number
 */
export function byCodeUnits(a: string, b: string): number {
  return Number(a > b) - Number(a < b)
}

/** Messages that differ in names alone, and are one cause: many of them would hide the other warnings. */
const families: readonly { readonly message: RegExp; readonly noun: string }[] = [
  { message: /^Paths should resolve unambiguously/, noun: 'pairs of paths' },
  { message: / has no operationId: /, noun: 'operations' }
]

/** Returns a problem for each cause, at its first place; the message counts the others. */
export function byCause(problems: readonly ContractProblem[]): ContractProblem[] {
  return [...Map.groupBy(problems, causeOf).values()].flatMap((places) =>
    places.slice(0, 1).map((first) => ({ ...first, message: countedMessage(first.message, places.length) }))
  )
}

const familyOf = (message: string) => families.find((family) => family.message.test(message))

const causeOf = ({ severity, message }: ContractProblem): string =>
  `${severity} ${familyOf(message)?.noun ?? message}`

function countedMessage(message: string, count: number): string {
  if (count === 1) return message
  const { noun } = familyOf(message) ?? {}
  const others = `and at ${count - 1} other ${count === 2 ? 'place' : 'places'}`
  return `${message.replace(/\.$/, '')} (${noun === undefined ? others : `the first of ${count} ${noun}`})`
}

const followsFromErrors = / has no operationId: | declares no response: | is required by no operation: /

/** Leaves out warnings that may be consequences of an error elsewhere, while there is an error. */
export function withoutConsequences(problems: readonly ContractProblem[]): ContractProblem[] {
  return problems.filter(({ severity, message }) => severity === 'error' || !followsFromErrors.test(message))
}
