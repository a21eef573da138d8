/** Door for handlers that know the current tag or date: conditions of a request (RFC 9110, section 13.2). */
import { declaredResponse } from './model/compiled-contract.ts'
import { HandlerRequest } from './server/handlers/handler-request.ts'
import { isEntityTag, outcomeOf } from './server/responses/conditions.ts'

export { entityTag } from './server/responses/conditions.ts'

/** Parts of the request of a handler that its conditions stand in. */
export type Conditional = Pick<HandlerRequest, 'method' | 'allHeaders'>

/**
 * Refuses a request whose `If-Match` does not name the current tag, whose `If-Unmodified-Since` is earlier than the last
 * change, or whose `If-None-Match` names the tag and which is neither GET nor HEAD. Called before anything is changed, in
 * the transaction that changes it.
 * @param current entity tag, `"7"` with its quotes; undefined where the resource does not exist, or has a date alone
 * @param modified last change, of which the fraction of a second does not count
 * @throws {FailureError} `precondition-failed`, 412
 * @throws {Error} for a text that is no entity tag, and where the operation declares no response 412
 */
export function checkPreconditions(request: Conditional, current: string | undefined, modified?: Date): void {
  const operation = HandlerRequest.operationOf(request)
  if (operation !== undefined && declaredResponse(operation, 412) === undefined)
    throw new Error(`checkPreconditions: ${operation.operationId} declares no response 412`)
  const found = outcome(request, current, modified)
  if (typeof found === 'object') throw found
}

/**
 * Returns true for a GET or HEAD whose `If-None-Match` names the current tag, or whose `If-Modified-Since` is not earlier
 * than the last change, so that a handler can answer 304 before it reads the rest. Where a handler does not ask, its
 * response is compared when it is sent.
 * @throws {Error} for a text that is no entity tag
 */
export const isNotModified = (request: Conditional, current: string | undefined, modified?: Date): boolean =>
  outcome(request, current, modified) === 'not-modified'

function outcome(
  { method, allHeaders }: Conditional,
  current: string | undefined,
  modified: Date | undefined
): ReturnType<typeof outcomeOf> {
  if (current !== undefined && !isEntityTag(current))
    throw new Error(`${JSON.stringify(current)} is no entity tag: its text stands in double quotes`)
  const tag = current ?? (modified === undefined ? undefined : '')
  return outcomeOf({ method, headers: allHeaders }, tag, modified?.toUTCString())
}
