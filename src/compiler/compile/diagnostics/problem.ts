/** Problems of a contract with their places; every part of the compiler reports in this form. */
import { relative } from 'node:path'

export interface ContractProblem {
  readonly severity: 'error' | 'warning'
  /** True for a warning about style, without an effect on what is served. */
  readonly isStyle?: true
  /** True when the line is not shown: it is no contract's. */
  readonly hidesLine?: boolean
  readonly file: string
  /** Line number, from 1. */
  readonly line: number
  /** Column number, from 1, in UTF-16 code units. */
  readonly column: number
  readonly message: string
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
  const lineOf = ({ file, line }: ContractProblem) => `${file}:${line}`
  const wrong = new Set(earlier.filter(({ severity }) => severity === 'error').map(lineOf))
  return [...earlier, ...later.filter((problem) => !wrong.has(lineOf(problem)))]
}

/**
 * Turns every warning into an error, except warnings about style.
 * @throws {ContractError} with every problem
 */
export function assertNoWarnings(problems: readonly ContractProblem[]): void {
  const strict = problems.map((problem) => (problem.isStyle === true ? problem : asError(problem)))
  if (hasErrors(strict)) throw new ContractError(strict)
}

const asError = (problem: ContractProblem): ContractProblem => ({ ...problem, severity: 'error' })
