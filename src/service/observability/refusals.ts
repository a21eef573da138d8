/** Counts error bodies by their label: those that the engine makes, and those that handlers return. */
import type { FastifyRequest } from 'fastify'
import type { Failure } from '../../contract/errors.ts'
import type { ErrorLabel } from './metrics.ts'
import type { Observers } from './request-log.ts'

export interface ErrorBodies {
  /** Makes the body of a failure. */
  readonly errorBody: (failure: Failure & { readonly operationId: string | undefined }) => unknown
  /** Returns the label of an error body. */
  readonly errorLabel: (body: unknown) => ErrorLabel
}

type OnFailure = (failure: Failure, request?: FastifyRequest) => void

/** Returns the `onFailure` of createContractServer. It logs failures without a request, which have no other log line. */
export function failureReporter(
  { log, metrics }: Observers,
  { errorBody, errorLabel }: ErrorBodies
): OnFailure {
  return (failure, request) => {
    const operationId = request?.routeOptions.config.operation?.operationId
    metrics?.refusal(errorLabel(errorBody({ ...failure, operationId })))
    if (request === undefined) log?.info({ failure: failure.code, status: failure.status }, 'request')
  }
}

interface Answer {
  readonly status: number
  readonly body?: unknown
}

type Handle = (request: unknown) => Answer | Promise<Answer>

/** Wraps handlers so that the error bodies that they return are counted as well. */
export function countRefusals<Handlers extends object>(
  handlers: Handlers,
  { metrics }: Observers,
  { errorLabel }: ErrorBodies
): Handlers {
  if (metrics === undefined) return handlers
  const counting = (handle: Handle) => async (request: unknown) => {
    const answer = await handle(request)
    if (answer.status >= 400) metrics.refusal(errorLabel(answer.body))
    return answer
  }
  const counted = Object.entries(handlers).map(([id, handle]) => [id, counting(handle)])
  return Object.fromEntries(counted) as Handlers
}
