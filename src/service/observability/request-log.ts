/** Request log line and request metrics. */
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { type Operation, principalOf } from '../../contract/server.ts'
import type { Principal } from '../credentials/principal.ts'
import { isProbe } from '../http/health.ts'
import type { Metrics } from './metrics.ts'
import { type Outcome, onOutcome } from './outcome.ts'
import { refusalOf } from './refusals.ts'

export interface Observers {
  readonly log: FastifyBaseLogger | undefined
  readonly metrics: Metrics | undefined
}

/** Returns undefined before authentication, and where the contract requires none. */
export const principalId = (request: FastifyRequest): string | undefined =>
  (principalOf(request) as Principal | undefined)?.id

export function observeRequests(app: FastifyInstance, { metrics }: Observers): void {
  onOutcome(app, (outcome) => {
    const { operation } = outcome.request.routeOptions.config
    logOutcome(outcome, operation)
    metrics?.request(operation?.operationId ?? '', outcome.status, outcome.milliseconds)
  })
}

/** Logs the path of the contract, never the URL: paths and query strings may hold personal data. */
function logOutcome(outcome: Outcome, operation: Operation | undefined): void {
  const { request, status, milliseconds } = outcome
  const { method, routeOptions } = request
  const fields = {
    method,
    route: operation?.path ?? routeOptions.url,
    ...unknownPath(outcome),
    operationId: operation?.operationId,
    principal: principalId(request),
    remoteAddress: request.ip,
    status,
    ...refusalOf(request),
    ms: Math.round(milliseconds * 1000) / 1000
  }
  request.log[levelOf(outcome)](fields, 'request')
}

/** The path of a 404, at debug only: a wrong BASE_URL, or a proxy that rewrites paths, cannot be found without it. */
function unknownPath({ request, status }: Outcome): { readonly path?: string } {
  const isDebugging = request.log.level === 'debug' || request.log.level === 'trace'
  if (status !== 404 || request.routeOptions.url !== undefined || !isDebugging) return {}
  return { path: request.url.replace(/\?.*$/s, '') }
}

/** Health checks come every few seconds, and a refusal under load says nothing about a defect. */
function levelOf({ request, status }: Outcome): 'debug' | 'info' | 'warn' | 'error' {
  if (isProbe(request)) return 'debug'
  if (status === 503) return 'warn'
  return status >= 500 ? 'error' : 'info'
}
