/** Request log line and request metrics. */

import { type Contract, type Operation, operationOf, principalOf } from '@contract-first/engine/server'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { principalId } from '../credentials/principal.ts'
import { ipAddressOf } from '../http/ip-address.ts'
import type { Observers } from './metrics.ts'
import { type Outcome, onOutcome } from './outcome.ts'
import { refusalOf } from './refusals.ts'
import { unknownQuery } from './unknown-query.ts'

export function observeRequests(
  app: FastifyInstance,
  { metrics }: Observers,
  contract: Pick<Contract, 'securitySchemes'>
): void {
  const details = debugDetails(contract)
  onOutcome(app, (outcome) => {
    const operation = operationOf(outcome.request)
    const { config, url } = operation === undefined ? outcome.request.routeOptions : ofOperation
    const level = levelOf(outcome.status, config.isProbe === true)
    if (isWritten(level, outcome.request.log)) logOutcome(outcome, { level, operation, url }, details)
    metrics?.request(operation?.operationId ?? '', outcome.status, outcome.milliseconds)
  })
}

/** Options of every operation's route; Fastify would create them at each access. */
const ofOperation = { config: { isProbe: false }, url: undefined }

type Level = 'debug' | 'info' | 'warn' | 'error'

/** Returns debug for frequent health checks, and warn for a refusal under load, which is not a defect. */
function levelOf(status: number, isProbe: boolean): Level {
  if (isProbe) return 'debug'
  if (status === 503) return 'warn'
  return status >= 500 ? 'error' : 'info'
}

const severity: Readonly<Record<string, number>> = {
  trace: 0,
  debug: 1,
  info: 2,
  warn: 3,
  error: 4,
  fatal: 5,
  silent: 6
}

function isWritten(level: Level, log: FastifyBaseLogger): boolean {
  return Number(severity[level]) >= Number(severity[log.level])
}

interface Line {
  readonly level: Level
  readonly operation: Operation | undefined
  /** Path of the route; undefined where no route matches. */
  readonly url: string | undefined
}

/** Logs the path of the contract, never the URL: paths and query strings may hold personal data. */
function logOutcome(outcome: Outcome, { level, operation, url }: Line, details: Details): void {
  const { request, status, milliseconds } = outcome
  const fields = {
    method: request.method,
    route: operation?.path ?? url,
    ...(isWritten('debug', request.log) && details(outcome, { operation, url })),
    operationId: operation?.operationId,
    principal: principalId(principalOf(request)),
    remoteAddress: ipAddressOf(request.ip),
    status,
    ...refusalOf(request),
    ms: Math.round(milliseconds * 1000) / 1000
  }
  request.log[level](fields, 'request')
}

/** Maximum of characters of a path in the log. */
const maxPath = 1_000

type Details = (outcome: Outcome, route: Pick<Line, 'operation' | 'url'>) => object

/**
 * Returns data of the client for the level debug: the path of a 404, which reveals a wrong BASE_URL, and the names of
 * undeclared query parameters.
 */
function debugDetails(contract: Pick<Contract, 'securitySchemes'>): Details {
  const unknownNames = unknownQuery(contract)
  return ({ request, status }, { operation, url: route }) => {
    const { url } = request
    const names = operation === undefined ? [] : unknownNames(url, operation)
    return {
      ...(status === 404 && route === undefined && { path: url.replace(/\?.*$/s, '').slice(0, maxPath) }),
      ...(names.length > 0 && { unknownQuery: names })
    }
  }
}
