/** The strict reading of a contract, for owners who can change what the compiler warns about. */
import { ContractError, type ContractProblem, hasErrors } from './problem.ts'

/**
 * Turns every warning into an error, except warnings about style.
 * @throws {ContractError} with every problem
 */
export function assertNoWarnings(problems: readonly ContractProblem[]): void {
  const strict = problems.map((problem) => (problem.isStyle === true ? problem : asError(problem)))
  if (hasErrors(strict)) throw new ContractError(strict)
}

const asError = (problem: ContractProblem): ContractProblem => ({ ...problem, severity: 'error' })
