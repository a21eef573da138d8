/** Judges an exchange by its request: valid, breaking the contract, or without the right credentials. */
import { isObject } from '@contract-first/contract'
import { type CompiledCode, declaredResponse } from '@contract-first/engine/model'
import { withValueAt } from '../samples/paths.ts'
import type { Draft } from '../samples/requests/draft.ts'
import { opensStream } from '../samples/requests/sequence.ts'
import { generalPlace } from '../samples/requests/verdict.ts'
import { checkResponse } from './check-response.ts'
import { type Deviation, deviation, type Exchange } from './finding.ts'
import { type HttpResponse, isResponse } from './http-client.ts'
import { type Change, changedValue, exactValue } from './requests/changed-value.ts'
import { type Place, partOf, placesIn } from './requests/draft-part.ts'
import { type Expectation, mayBeAccepted } from './requests/expectation.ts'
import type { KnownValues } from './requests/known-values.ts'
import { comparableName, cursorsOf, ownerOf } from './requests/known-values.ts'

/**
 * Statuses that depend on the state of the resource, of the account or of the server (RFC 9110, section 15.5; RFC
 * 6585).
 */
const byState = new Set([402, 409, 412, 423, 424, 425, 428, 429])
/** An operation without security may check credentials in its body: a login. */
const byLogin = new Set([401, 403])
/** A cursor that nobody issued may be malformed. */
const byCursor = new Set([400, 422])
const byUnknown = new Set([403, 404, 410])
const bySize = new Set([413, 414, 431])

/**
 * Returns whether a correct server may refuse the request with the status: with 403 where the operation requires scopes,
 * which the given credential may lack, otherwise with a status that the operation declares.
 */
function isTolerated(draft: Draft, status: number): boolean {
  const { operation } = draft.subject
  if (status === 403 && operation.security.flat().some(({ scopes }) => scopes.length > 0)) return true
  if (declaredResponse(operation, status) === undefined) return false
  if (byState.has(status) || (operation.security.length === 0 && byLogin.has(status))) return true
  if (status === 422 && declaredResponse(operation, 400) !== undefined) return true
  if (byCursor.has(status) && cursorsOf(draft).length > 0) return true
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

const isLarge = (draft: Draft): boolean => draftText(draft).length > 4000

/**
 * Returns false for lone surrogates: they are well-formed JSON, but many languages have no string for them (RFC 8259,
 * section 8.2).
 */
const isUnicode = (draft: Draft): boolean => !/\\ud[89a-f][\da-f]{2}/i.test(draftText(draft))

/** Returns the draft as JSON, in which lone surrogates are escaped. */
function draftText(draft: Draft): string {
  const parts = [partOf(draft, 'body'), ...draft.values]
  return JSON.stringify(parts, (_key, value) => (typeof value === 'bigint' ? String(value) : value))
}

interface Knowledge {
  readonly code: CompiledCode
  readonly known: KnownValues
}

export function deviationsOf(
  { draft, outcome }: Exchange,
  expectation: Expectation,
  knowledge: Knowledge
): readonly Deviation[] {
  const { kind, request, place } = expectation
  if (mayBeAccepted(expectation) && isSilentStream({ draft, outcome })) return []
  if (!isResponse(outcome)) return [deviation(outcome.kind, place, `${outcome.reason}, after ${request}`)]
  if (kind === 'answered' && outcome.status >= 400 && outcome.status < 500) return []
  const found = unexpected(draft, outcome.status, expectation, knowledge.known)
  if (found !== undefined) return [found]
  const undeclared = checkResponse(draft.subject, outcome, knowledge.code)
  if (undeclared.length > 0 || kind !== 'accepted' || outcome.status >= 300) return undeclared
  return changeDeviations(draft, outcome)
}

/** Returns true when a stream is open and has no item yet, with which a server may send the status. */
export const isSilentStream = ({ draft, outcome }: Pick<Exchange, 'draft' | 'outcome'>): boolean =>
  !isResponse(outcome) && outcome.kind === 'time-out' && opensStream(draft.subject.operation)

/** Returns the deviation of a status that a correct server does not send for this request. */
function unexpected(
  draft: Draft,
  status: number,
  { kind, request, place }: Expectation,
  known: KnownValues
): Deviation | undefined {
  const message = `answers ${status} to ${request}`
  if (status >= 500) return deviation('server-error', place, message)
  if (kind === 'answered' || kind === 'declared') return undefined
  if (kind === 'refused')
    return status >= 400 ? undefined : deviation('invalid-request-accepted', place, message)
  if (kind !== 'accepted') return unauthorized(status, `${kind}-accepted`, message)
  const isRead = ['GET', 'HEAD'].includes(draft.subject.operation.method)
  if ((status === 404 || status === 410) && isRead && known.isAlive(draft))
    return deviation('created-not-found', '', `answers ${status} for what was created before`)
  const isRefused = status >= 400 && !isTolerated(draft, status)
  return isRefused ? deviation('valid-request-refused', place, message) : undefined
}

/** A server may hide what the client must not see with 404 (RFC 9110, section 15.5.5), and an error is not an acceptance. */
function unauthorized(status: number, check: Deviation['check'], message: string): Deviation | undefined {
  if ([401, 403, 404, 429].includes(status)) return undefined
  return deviation(status < 400 ? check : 'unauthorized-status', '', `${message}; expected is 401 or 403`)
}

function changeDeviations(draft: Draft, response: HttpResponse): Deviation[] {
  const change = changeIn(draft, response)
  if (change === undefined) return []
  const value = typeof change.sent === 'string' ? 'text' : 'number'
  const message = `answers ${response.status}: ${change.place} comes back as another ${value}`
  return [deviation('value-changed', generalPlace(change.place), message)]
}

/** Finds a parameter of the path or a property of the body that comes back changed under the same name. */
function changeIn(draft: Draft, { body }: HttpResponse): Change | undefined {
  const { subject, values } = draft
  const received = exactValue(body.toString())
  if (!isObject(received)) return undefined
  const path = subject.parameters.flatMap(({ spec }, index) =>
    spec.in === 'path' && identifiesAnswer(subject.operation.path, spec.name)
      ? [[spec.name, values[index]] as const]
      : []
  )
  return changedValue(sentBody(draft), received) ?? changedValue(Object.fromEntries(path), received)
}

/** Returns false for a name such as `id` of a resource above: `POST /maps/{id}/comments` answers the id of a comment. */
function identifiesAnswer(path: string, name: string): boolean {
  const owner = ownerOf(path, name)
  return path.endsWith(`{${name}}`) || (owner !== '' && comparableName(name).startsWith(owner))
}

/**
 * Returns the body without texts that have a format or a list of values: a server may write them in another way, or
 * change a state.
 */
function sentBody(draft: Draft): unknown {
  const { body } = draft
  if (body === undefined || !['json', 'form'].includes(String(body.of.content.kind))) return undefined
  const isBound = ({ value, schemas }: Place) =>
    typeof value === 'string' &&
    schemas.some((schema) => (['format', 'enum', 'const'] as const).some((key) => schema[key] !== undefined))
  const bound = placesIn(draft, 'body').filter(isBound)
  return bound.reduceRight<unknown>(
    (value, { path }) => withValueAt(value, path, path.length === 0 ? null : undefined),
    body.value
  )
}
