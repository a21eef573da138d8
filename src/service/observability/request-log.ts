/** What is told of every request: a line of the log, and the metrics. */
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { Failure } from '../../contract/errors.ts'
import { principalOf as contractPrincipalOf } from '../../contract/server.ts'
import { engineErrors } from '../../plants/failures.ts'
import type { Principal } from '../credentials/principal.ts'
import type { Metrics } from './metrics.ts'
import { type Outcome, onOutcome } from './outcome.ts'

export interface Observers {
  readonly log: FastifyBaseLogger | undefined
  readonly metrics: Metrics | undefined
}

/** Undefined before authentication, and where the contract asks for none. */
export const principalOf = (request: FastifyRequest): string | undefined =>
  (contractPrincipalOf(request) as Principal | undefined)?.id

export function observeRequests(app: FastifyInstance, { metrics }: Observers): void {
  onOutcome(app, (outcome) => {
    const operationId = outcome.request.routeOptions.config.operation?.operationId
    logOutcome(outcome, operationId)
    metrics?.request(operationId ?? '', outcome.status, outcome.milliseconds)
  })
}

/** Of the URL only the route, for what stands in paths and queries is the client's own business. */
function logOutcome({ request, status, milliseconds }: Outcome, operationId: string | undefined): void {
  const { method, routeOptions } = request
  const ms = Math.round(milliseconds * 1000) / 1000
  const principal = principalOf(request)
  request.log[levelOf(status, routeOptions.url)](
    { method, route: routeOptions.url, operationId, principal, status, ms },
    'request'
  )
}

/** Health checks come every few seconds; nobody wants to read them unless they fail. */
function levelOf(status: number, route: string | undefined): 'debug' | 'info' | 'error' {
  if (status >= 500) return 'error'
  return route?.includes('/-/') ? 'debug' : 'info'
}

/** The `onFailure` of createContractServer. What never became a request has no other line in the log. */
export function failureTeller({
  log,
  metrics
}: Observers): (failure: Failure, request?: FastifyRequest) => void {
  return ({ code, status }, request) => {
    metrics?.refusal(engineErrors[code])
    if (request === undefined) log?.info({ failure: code, status }, 'request')
  }
}

type Handle = (request: unknown) => unknown

/** Counts the Error bodies that handlers answer with themselves, whichever operation they are of. */
export function countRefusals<All extends object>(handlers: All, { metrics }: Observers): All {
  if (metrics === undefined) return handlers
  const counting = (handle: Handle) => async (request: unknown) => {
    const answer = await handle(request)
    const error: unknown = Object(Object(answer).body).error
    if (error !== undefined) metrics.refusal(Number(error))
    return answer
  }
  const counted = Object.entries(handlers).map(([id, handle]) => [id, counting(handle)])
  return Object.fromEntries(counted) as All
}
