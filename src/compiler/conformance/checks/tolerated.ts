/** Refusals of valid requests that a correct server may give, because they depend on its state, not on the contract. */
import { declaredResponse } from '@contract-first/engine/model'
import type { Draft } from '../../instances/requests/draft.ts'
import { partOf } from '../requests/draft-part.ts'

/**
 * Statuses that depend on the state of the resource, of the account or of the server (RFC 9110, section 15.5; RFC
 * 6585).
 */
const byState = new Set([402, 409, 412, 423, 424, 425, 428, 429])
const byUnknown = new Set([403, 404, 410])
const bySize = new Set([413, 414, 431])

/**
 * Returns whether a correct server may refuse the request with the status: with 403 where the operation requires scopes,
 * which the given credential may lack, otherwise with a status that the operation declares.
 */
export function isTolerated(draft: Draft, status: number): boolean {
  const { operation } = draft.subject
  if (status === 403 && operation.security.flat().some(({ scopes }) => scopes.length > 0)) return true
  if (declaredResponse(operation, status) === undefined) return false
  if (byState.has(status)) return true
  if (byUnknown.has(status)) return namesOther(draft)
  return bySize.has(status) ? isLarge(draft) : !isUnicode(draft)
}

/**
 * Returns true when a parameter, or a property of the body named after another resource, may refer to a missing
 * resource.
 */
function namesOther(draft: Draft): boolean {
  const body = Object.keys(Object(draft.body?.value))
  return (
    draft.values.some((value) => value !== undefined) ||
    body.some((name) => /[a-z\d](Id|_id|-id)s?$/.test(name))
  )
}

const isLarge = (draft: Draft): boolean => textOf(draft).length > 4000

/**
 * Returns false for lone surrogates: they are well-formed JSON, but many languages have no string for them (RFC 8259,
 * section 8.2).
 */
const isUnicode = (draft: Draft): boolean => !/\\ud[89a-f][\da-f]{2}/i.test(textOf(draft))

/** Returns the draft as JSON, in which lone surrogates are escaped. */
function textOf(draft: Draft): string {
  const parts = [partOf(draft, 'body'), ...draft.values]
  return JSON.stringify(parts, (_key, value) => (typeof value === 'bigint' ? String(value) : value))
}
