/** `x-body-limit`: the largest body of a request in bytes. */
import type { RequestContent } from '@contract-first/engine/model'
import type { ContractProblem } from '../diagnostics/problem.ts'
import { type JsonObject, own } from '../document/json-value.ts'
import type { LoadedContract } from '../load/load.ts'

const bodyLimitKey = 'x-body-limit'

/** @param nodes objects that may set the limit, the most specific one first */
export function bodyLimit(
  nodes: readonly JsonObject[],
  { locator }: LoadedContract,
  problems: ContractProblem[]
): Pick<RequestContent, 'limit'> {
  const node = nodes.find((candidate) => own(candidate, bodyLimitKey) !== undefined)
  if (node === undefined) return {}
  const limit = own(node, bodyLimitKey)
  if (Number.isSafeInteger(limit) && Number(limit) > 0) return { limit: Number(limit) }
  const message = `${bodyLimitKey} must be a number of bytes, at least 1`
  problems.push(locator.problem('error', message, node, bodyLimitKey))
  return {}
}
