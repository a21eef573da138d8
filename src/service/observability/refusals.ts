/** Notes why each request is refused, for its log line, and counts error bodies by their label: those of the engine, and those that handlers return. */

import type { Failure } from '@contract-first/engine/errors'
import { operationOf } from '@contract-first/engine/server'
import type { FastifyRequest } from 'fastify'
import { credentialProblemOf } from '../credentials/problem.ts'
import type { ErrorLabel } from './metrics.ts'
import { placesOf } from './places.ts'
import type { Observers } from './request-log.ts'

export interface ErrorBodies {
  /** Makes the body of a failure. */
  readonly errorBody: (failure: Failure & { readonly operationId: string | undefined }) => unknown
  /** Returns the label of an error body. Absent: it is the status of the answer. */
  readonly errorLabel?: (body: unknown) => ErrorLabel
  /** Says in words why a handler returned an error body, without data of the client. Absent: such log lines have no reason. */
  readonly errorReason?: (body: unknown) => string | undefined
}

/** For the log only. */
export interface Refusal {
  readonly error: ErrorLabel
  readonly reason: string | undefined
}

/** By the log of the request, which is one object for each: a handler knows no other part of the request. */
const refusals = new WeakMap<object, Refusal>()

export const refusalOf = ({ log }: Pick<FastifyRequest, 'log'>): Refusal | undefined => refusals.get(log)

type OnFailure = (failure: Failure, request?: FastifyRequest, peer?: object) => void

/**
 * Returns the `onFailure` of createContractServer. It logs failures without a request, which have no other log line.
 * @param names every name that the contract declares
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
    if (request !== undefined) refusals.set(request.log, refusal)
    else {
      const remoteAddress = peer && Reflect.get(peer, 'remoteAddress')
      log?.info({ failure: failure.code, remoteAddress, status: failure.status, ...refusal }, 'request')
    }
  }
}

/** A reason quotes the contract, never the request. Places may hold names that the client made. */
function reasonOf(failure: Failure, names: ReadonlySet<string>, request: FastifyRequest | undefined): string {
  if (failure.code === 'credentials-refused' && request !== undefined)
    return credentialProblemOf(request) ?? 'the credentials do not have the form that the contract declares'
  if (failure.problems.length === 0) return failure.reason ?? failure.message
  return failure.problems.map(({ place, message }) => `${placesOf(place, names)} ${message}`).join('; ')
}

interface Answer {
  readonly status: number
  readonly body?: unknown
}

type Handle = (request: unknown) => Answer | Promise<Answer>

/** Wraps handlers so that the error bodies that they return are noted and counted as well. */
export function countRefusals<Handlers extends object>(
  handlers: Handlers,
  { metrics }: Observers,
  { errorLabel, errorReason }: ErrorBodies
): Handlers {
  const counting = (handle: Handle) => async (request: unknown) => {
    const answer = await handle(request)
    if (answer.status >= 400) {
      const error = errorLabel?.(answer.body) ?? answer.status
      metrics?.refusal(error)
      refusals.set((request as Pick<FastifyRequest, 'log'>).log, {
        error,
        reason: errorReason?.(answer.body)
      })
    }
    return answer
  }
  const counted = Object.entries(handlers).map(([id, handle]) => [id, counting(handle)])
  return Object.fromEntries(counted) as Handlers
}
