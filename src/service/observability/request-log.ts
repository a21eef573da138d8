/** Request log line and request metrics. */

import { type Contract, type Operation, operationOf, principalOf } from '@contract-first/engine/server'
import { withinTrace } from '@contract-first/engine/tracing'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { levels } from 'pino'
import { principalId } from '../credentials/principal.ts'
import { ipAddressOf } from '../http/ip-address.ts'
import { patternBeside } from '../http/routes-beside.ts'
import type { Observers } from './metrics.ts'
import { closingOf, refusalOf } from './refusals.ts'

/** Step at the beginning of each request. */
export type RequestStep = (request: FastifyRequest, reply: FastifyReply) => void

/** Takes the steps in one hook of all routes: a hook for each costs more than most steps do. */
export function onEachRequest(app: FastifyInstance, ...steps: readonly RequestStep[]): void {
  app.addHook('onRequest', (request, reply, next) => {
    for (const step of steps) step(request, reply)
    next()
  })
}

/** Returns the step after which the outcome of a request is logged and counted. */
export function observed(
  { metrics, tracing }: Observers,
  contract: Pick<Contract, 'securitySchemes'>
): RequestStep {
  const details = debugDetails(contract)
  const report = (outcome: Outcome): void => {
    const operation = operationOf(outcome.request)
    const { config, url } = operation === undefined ? outcome.request.routeOptions : ofOperation
    const level = levelOf(outcome.status, config.isProbe === true)
    if (isWritten(level, outcome.request.log)) logOutcome(outcome, { level, operation, url }, details)
    const label = operation?.operationId ?? labelBeside(outcome.request)
    metrics?.request(label, outcome.status, outcome.milliseconds)
  }
  return onOutcome(
    tracing === undefined ? report : (outcome) => withinTrace(tracing, outcome.request, () => report(outcome))
  )
}

/** Options of every operation's route; Fastify would create them at each access. */
const ofOperation = { config: { isProbe: false }, url: undefined }

/** Label of a route outside the contract: its pattern for one of `extend`, otherwise none. */
function labelBeside(request: FastifyRequest): string {
  const pattern = patternBeside(request)
  return pattern === undefined ? '' : `${request.method} ${pattern}`
}

type Level = 'debug' | 'info' | 'warn' | 'error'

/** Returns debug for frequent health checks, and warn for a refusal under load, which is not a defect. */
function levelOf(status: number, isProbe: boolean): Level {
  if (isProbe) return 'debug'
  if (status === 503) return 'warn'
  return status >= 500 ? 'error' : 'info'
}

/** Returns false for a log without a level, which writes nothing. */
const isWritten = (level: Level, { level: least }: FastifyBaseLogger): boolean =>
  (levels.values[level] as number) >= (levels.values[least] ?? Number.POSITIVE_INFINITY)

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
    ...(closingOf(request) ?? refusalOf(request)),
    status,
    ms: Math.round(milliseconds * 1000) / 1000
  }
  request.log[level](fields, 'request')
}

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

export interface Outcome {
  readonly request: FastifyRequest
  /**
   * Status of the response. Of one that the service has not completed, the status of the failure; otherwise 499, as in
   * nginx: the client disconnected.
   */
  readonly status: number
  readonly milliseconds: number
}

const clientLeft = 499

/** Returns the step that reports the outcome of a request once: when its response was sent or its client disconnected. */
export function onOutcome(report: (outcome: Outcome) => void): RequestStep {
  return (request, reply) => {
    const began = performance.now()
    reply.raw.on('close', () => {
      // In an event, where an exception ends the process.
      try {
        report({ request, status: statusOf(reply, request), milliseconds: performance.now() - began })
      } catch (err) {
        request.log.error({ err }, 'the outcome of a request could not be reported')
      }
    })
  }
}

function statusOf({ raw }: FastifyReply, request: FastifyRequest): number {
  if (raw.writableFinished) return raw.statusCode
  const closing = closingOf(request)
  if (closing !== undefined) return closing.status
  const refusal = refusalOf(request)
  // An error response has the status of its failure; a stream that has failed was begun with another one.
  const isBroken = refusal !== undefined && raw.headersSent && refusal.status !== raw.statusCode
  return isBroken ? refusal.status : clientLeft
}

const maxNames = 10
const maxLength = 64

type Query = Operation['parameters'][number]

/**
 * Returns a function that returns the names in a URL that its operation does not declare, without their values. OpenAPI
 * neither defines nor forbids such parameters, and links carry those of proxies and campaigns: they are ignored, and
 * logged at debug to reveal a misspelt one.
 */
export function unknownQuery({
  securitySchemes
}: Pick<Contract, 'securitySchemes'>): (url: string, operation: Operation) => readonly string[] {
  const keys = Object.values(securitySchemes).map((scheme) =>
    scheme.type === 'apiKey' && scheme.in === 'query' ? scheme.name : undefined
  )
  return (url, { parameters }) => {
    // What stands in a query that is one value are no names.
    if (parameters.some((parameter) => parameter.in === 'querystring')) return []
    const declared = parameters.filter((parameter) => parameter.in === 'query')
    const sent = new Set(new URLSearchParams(/\?(.*)/s.exec(url)?.[1]).keys())
    const unknown = [...sent].filter(
      (name) => !keys.includes(name) && !declared.some((parameter) => takes(parameter, name))
    )
    return unknown.slice(0, maxNames).map((name) => name.slice(0, maxLength))
  }
}

/** Returns true if a parameter has this name; the properties of an exploded object count, too. */
function takes({ key, explode, shape, style }: Query, name: string): boolean {
  if (key === name || (style === 'deepObject' && name.startsWith(`${key}[`))) return true
  return explode && (shape.additional !== undefined || Object.hasOwn(shape.properties ?? {}, name))
}
