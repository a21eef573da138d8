/** Warnings that may be consequences of an error elsewhere: they are left out while there is an error. */
import type { ContractProblem } from './problem.ts'

const followsFromErrors =
  / has no operationId: | declares no response: | is required by no operation: | (is|are) (never|not) (used|referenced)/

export function withoutConsequences(problems: readonly ContractProblem[]): ContractProblem[] {
  return problems.filter(({ severity, message }) => severity === 'error' || !followsFromErrors.test(message))
}
