/** Request log line and request metrics. */
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { principalOf } from '../../contract/server.ts'
import type { Principal } from '../credentials/principal.ts'
import { isProbe } from '../http/health.ts'
import type { Metrics } from './metrics.ts'
import { type Outcome, onOutcome } from './outcome.ts'

export interface Observers {
  readonly log: FastifyBaseLogger | undefined
  readonly metrics: Metrics | undefined
}

/** Returns undefined before authentication, and where the contract requires none. */
export const principalId = (request: FastifyRequest): string | undefined =>
  (principalOf(request) as Principal | undefined)?.id

export function observeRequests(app: FastifyInstance, { metrics }: Observers): void {
  onOutcome(app, (outcome) => {
    const operationId = outcome.request.routeOptions.config.operation?.operationId
    logOutcome(outcome, operationId)
    metrics?.request(operationId ?? '', outcome.status, outcome.milliseconds)
  })
}

/** Logs the route pattern, never the URL: paths and query strings may hold personal data. */
function logOutcome(outcome: Outcome, operationId: string | undefined): void {
  const { request, status, milliseconds } = outcome
  const { method, routeOptions } = request
  const ms = Math.round(milliseconds * 1000) / 1000
  const principal = principalId(request)
  request.log[levelOf(outcome)](
    { method, route: routeOptions.url, operationId, principal, status, ms },
    'request'
  )
}

/** Health checks come every few seconds, so a successful one is logged at debug only. */
function levelOf({ request, status }: Outcome): 'debug' | 'info' | 'error' {
  if (status >= 500) return 'error'
  return isProbe(request) ? 'debug' : 'info'
}
