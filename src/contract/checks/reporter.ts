/** Collects the problems that the checks find, each with the place of its node. */
import type { Locator } from '../diagnostics/locator.ts'
import type { ContractProblem } from '../diagnostics/problem.ts'
import { type ContractNode, contractNodes } from '../document/walk.ts'
import type { JsonObject } from '../model/json.ts'

/**
 * @param key a property of the node, when the problem is there
 * @param onName false to point at the value of the property, not at its name
 */
type Report = (message: string, node: unknown, key?: string, onName?: boolean) => void

export interface Reporter {
  /** Reports that the contract breaks OpenAPI, or cannot be served as written. */
  readonly error: Report
  /** Reports a part without effect; the contract is served. */
  readonly warn: Report
  /** Objects of the contract, listed once for all checks. */
  readonly nodes: readonly ContractNode[]
}

/** @returns a reporter for the checks of a rule */
export function reportersInto(
  problems: ContractProblem[],
  document: JsonObject,
  locator: Locator
): (rule: string) => Reporter {
  const nodes = [...contractNodes(document)]
  return (rule) => {
    const report =
      (severity: ContractProblem['severity']): Report =>
      (message, node, key, onName) =>
        problems.push({ ...locator.problem(severity, message, node, key, onName), rule })
    return { error: report('error'), warn: report('warning'), nodes }
  }
}

/** Yields each item that has the key of an earlier one, with that one. */
export function* repeated<T>(
  items: Iterable<T>,
  keyOf: (item: T) => string | undefined
): Generator<readonly [item: T, earlier: T]> {
  const seen = new Map<string, T>()
  for (const item of items) {
    const key = keyOf(item)
    if (key === undefined) continue
    const earlier = seen.get(key)
    if (earlier === undefined) seen.set(key, item)
    else yield [item, earlier]
  }
}
