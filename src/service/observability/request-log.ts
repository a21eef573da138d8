/** Request log line and request metrics. */
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { type Contract, type Operation, principalOf } from '../../contract/server.ts'
import type { Principal } from '../credentials/principal.ts'
import { isProbe } from '../http/health.ts'
import type { Metrics } from './metrics.ts'
import { type Outcome, onOutcome } from './outcome.ts'
import { refusalOf } from './refusals.ts'
import { unknownQuery } from './unknown-query.ts'

export interface Observers {
  readonly log: FastifyBaseLogger | undefined
  readonly metrics: Metrics | undefined
}

/** Returns undefined before authentication, and where the contract requires none. */
export const principalId = (request: FastifyRequest): string | undefined =>
  (principalOf(request) as Principal | undefined)?.id

export function observeRequests(
  app: FastifyInstance,
  { metrics }: Observers,
  contract: Pick<Contract, 'securitySchemes'>
): void {
  const details = debugDetails(contract)
  onOutcome(app, (outcome) => {
    const { operation } = outcome.request.routeOptions.config
    logOutcome(outcome, operation, details)
    metrics?.request(operation?.operationId ?? '', outcome.status, outcome.milliseconds)
  })
}

/** Logs the path of the contract, never the URL: paths and query strings may hold personal data. */
function logOutcome(outcome: Outcome, operation: Operation | undefined, details: Details): void {
  const { request, status, milliseconds } = outcome
  const { method, routeOptions } = request
  const fields = {
    method,
    route: operation?.path ?? routeOptions.url,
    ...(isDebugging(request) && details(outcome, operation)),
    operationId: operation?.operationId,
    principal: principalId(request),
    remoteAddress: request.ip,
    status,
    ...refusalOf(request),
    ms: Math.round(milliseconds * 1000) / 1000
  }
  request.log[levelOf(outcome)](fields, 'request')
}

type Details = (outcome: Outcome, operation: Operation | undefined) => object

const isDebugging = ({ log }: FastifyRequest): boolean => log.level === 'debug' || log.level === 'trace'

/** What a client chose, at debug only: the path of a 404, without which a wrong BASE_URL cannot be found; undeclared parameters. */
function debugDetails(contract: Pick<Contract, 'securitySchemes'>): Details {
  const unknownNames = unknownQuery(contract)
  return ({ request, status }, operation) => {
    const { url, routeOptions } = request
    const names = operation === undefined ? [] : unknownNames(url, operation)
    return {
      ...(status === 404 && routeOptions.url === undefined && { path: url.replace(/\?.*$/s, '') }),
      ...(names.length > 0 && { unknownQuery: names })
    }
  }
}

/** Health checks come every few seconds, and a refusal under load says nothing about a defect. */
function levelOf({ request, status }: Outcome): 'debug' | 'info' | 'warn' | 'error' {
  if (isProbe(request)) return 'debug'
  if (status === 503) return 'warn'
  return status >= 500 ? 'error' : 'info'
}
