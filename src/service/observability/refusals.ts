/** Notes the reason of each refusal for its log line, and counts the error bodies of engine and handlers by label. */

import { answerOf, type Failure } from '@contract-first/engine/errors'
import type { OnErrorResponse, OnFailure } from '@contract-first/engine/server'
import type { FastifyRequest } from 'fastify'
import { credentialProblemOf } from '../credentials/problem.ts'
import { ipAddressOf } from '../http/ip-address.ts'
import type { ErrorLabel, Observers } from './metrics.ts'
import { placesOf } from './places.ts'

export interface ErrorBodies {
  /** Returns the body of a failure. */
  readonly errorBody: (failure: Failure & { readonly operationId: string | undefined }) => unknown
  /** Returns the label of an error body; default: the status of the response. */
  readonly errorLabel?: (body: unknown) => ErrorLabel
  /** Returns the reason for a handler's error body, without data of the client. Absent: log lines have no reason. */
  readonly errorReason?: (body: unknown) => string | undefined
}

/** Reason of a refusal, for the log only. */
export interface Refusal {
  readonly error: ErrorLabel
  readonly reason: string | undefined
}

/** Maximum of characters of a label, and of a reason: clients choose how many problems their bodies have. */
const maxLabel = 64
const maxReason = 1_000

const refusals = new WeakMap<FastifyRequest, Refusal>()

export const refusalOf = (request: FastifyRequest): Refusal | undefined => refusals.get(request)

/**
 * Returns the `onFailure` of createContractServer. Logs failures without a request, which have no other log line.
 * @param names all names that the contract declares
 */
export function failureReporter(
  { log, metrics }: Observers,
  { errorLabel }: Pick<ErrorBodies, 'errorLabel'>,
  names: ReadonlySet<string> = new Set()
): OnFailure {
  return (failure, request, peer) => {
    const error = labelOf(failure, errorLabel, log)
    metrics?.refusal(error)
    const refusal = { error, reason: reasonOf(failure, names, request).slice(0, maxReason) }
    if (request !== undefined) refusals.set(request, refusal)
    else {
      const remoteAddress = ipAddressOf(peer && Reflect.get(peer, 'remoteAddress'))
      log?.info({ failure: failure.code, remoteAddress, status: failure.status, ...refusal }, 'request')
    }
  }
}

/** Returns the reason, which never quotes the request: names in places that the client chose are replaced. */
function reasonOf(failure: Failure, names: ReadonlySet<string>, request: FastifyRequest | undefined): string {
  if (failure.code === 'credentials-refused' && request !== undefined)
    return credentialProblemOf(request) ?? 'the credentials do not have the form that the contract declares'
  if (failure.problems.length === 0) return failure.reason ?? failure.message
  return failure.problems.map(({ place, message }) => `${placesOf(place, names)} ${message}`).join('; ')
}

/** Returns the `onErrorResponse` of createContractServer, which notes and counts the error bodies of handlers. */
export function errorResponseReporter(
  { log, metrics }: Observers,
  { errorLabel, errorReason }: Pick<ErrorBodies, 'errorLabel' | 'errorReason'>
): OnErrorResponse {
  return ({ status, body }, request) => {
    const error = labelOf({ status, body }, errorLabel, log)
    metrics?.refusal(error)
    const call = () => errorReason?.(body)
    const reason = answerOf('errorReason', log, { call, accepts: isReason })?.slice(0, maxReason)
    refusals.set(request, { error, reason })
  }
}

/** Returns the label of an error body; the status where it has none, or `errorLabel` fails. */
function labelOf(
  { status, body }: { readonly status: number; readonly body?: unknown },
  errorLabel: ErrorBodies['errorLabel'],
  log: Observers['log']
): ErrorLabel {
  if (errorLabel === undefined || body === undefined) return status
  const label = answerOf('errorLabel', log, { call: () => errorLabel(body), accepts: isLabel }) ?? status
  return typeof label === 'string' ? label.slice(0, maxLabel) : label
}

const isLabel = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'
const isReason = (value: unknown): boolean => value === undefined || typeof value === 'string'
