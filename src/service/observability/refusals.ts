/** Notes the reason of each refusal for its log line, and counts the error bodies of engine and handlers by label. */

import type { Failure } from '@contract-first/engine/errors'
import { type OnErrorResponse, operationOf } from '@contract-first/engine/server'
import type { FastifyRequest } from 'fastify'
import { credentialProblemOf } from '../credentials/problem.ts'
import type { ErrorLabel } from './metrics.ts'
import { placesOf } from './places.ts'
import type { Observers } from './request-log.ts'

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

const refusals = new WeakMap<FastifyRequest, Refusal>()

export const refusalOf = (request: FastifyRequest): Refusal | undefined => refusals.get(request)

type OnFailure = (failure: Failure, request?: FastifyRequest, peer?: object) => void

/**
 * Returns the `onFailure` of createContractServer. Logs failures without a request, which have no other log line.
 * @param names all names that the contract declares
 */
export function failureReporter(
  { log, metrics }: Observers,
  { errorBody, errorLabel }: ErrorBodies,
  names: ReadonlySet<string> = new Set()
): OnFailure {
  return (failure, request, peer) => {
    const operationId = request && operationOf(request)?.operationId
    const error = errorLabel?.(errorBody({ ...failure, operationId })) ?? failure.status
    metrics?.refusal(error)
    const refusal = { error, reason: reasonOf(failure, names, request) }
    if (request !== undefined) refusals.set(request, refusal)
    else {
      const remoteAddress = peer && Reflect.get(peer, 'remoteAddress')
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
  { metrics }: Observers,
  { errorLabel, errorReason }: ErrorBodies
): OnErrorResponse {
  return ({ status, body }, request) => {
    const error = errorLabel?.(body) ?? status
    metrics?.refusal(error)
    refusals.set(request, { error, reason: errorReason?.(body) })
  }
}
