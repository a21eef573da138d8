/** Log line and metrics of each request, and the reason of its refusal: errors of the engine and of handlers, by label. */

import { type Failure, resultOf } from '@contract-first/engine/errors'
import {
  type Contract,
  type OnErrorResponse,
  type OnFailure,
  type Operation,
  operationOf,
  principalOf
} from '@contract-first/engine/server'
import { withinTrace } from '@contract-first/engine/tracing'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { levels } from 'pino'
import { credentialProblemOf, ipAddressOf, principalId } from '../credentials/scopes.ts'
import { patternBeside } from '../http/routes-beside.ts'
import type { ErrorLabel, Observers } from './metrics.ts'

/** Step at the beginning of each request. */
type RequestStep = (request: FastifyRequest, reply: FastifyReply) => void

/** Takes the steps in one hook of all routes: a hook for each costs more than most steps do. */
export function onEachRequest(app: FastifyInstance, ...steps: readonly RequestStep[]): void {
  app.addHook('onRequest', (request, reply, next) => {
    for (const step of steps) step(request, reply)
    next()
  })
}

/**
 * Returns the step after which a request is logged and counted once: when its response was sent or its client has
 * disconnected.
 */
export function observed(
  { metrics, tracing }: Observers,
  contract: Pick<Contract, 'securitySchemes'>
): RequestStep {
  const keys = Object.values(contract.securitySchemes).flatMap((scheme) =>
    scheme.type === 'apiKey' && scheme.in === 'query' ? [scheme.name] : []
  )
  const report = (request: FastifyRequest, status: number, milliseconds: number): void => {
    const operation = operationOf(request)
    const { config, url } = operation === undefined ? request.routeOptions : ofOperation
    const level = levelOf(status, config.isProbe === true)
    if (isWritten(level, request.log)) {
      const fields = {
        method: request.method,
        // The pattern, never the URL: paths and query strings may hold personal data.
        route: operation?.path ?? url,
        ...(isWritten('debug', request.log) && clientFields(request, status, keys)),
        operationId: operation?.operationId,
        principal: principalId(principalOf(request)),
        remoteAddress: ipAddressOf(request.ip),
        ...(closingOf(request) ?? refusalOf(request)),
        status,
        ms: Math.round(milliseconds * 1000) / 1000
      }
      request.log[level](fields, 'request')
    }
    metrics?.request(operation?.operationId ?? labelBeside(request), status, milliseconds)
  }
  return (request, reply) => {
    const began = performance.now()
    reply.raw.on('close', () => {
      const end = () => report(request, statusOf(reply, request), performance.now() - began)
      // In an event, where an exception ends the process.
      try {
        if (tracing === undefined) end()
        else withinTrace(tracing, request, end)
      } catch (err) {
        request.log.error({ err }, 'the outcome of a request could not be reported')
      }
    })
  }
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

const maxPath = 1_000

/**
 * Returns data of the client for the level debug: the path of a 404, which reveals a wrong BASE_URL, and the names of
 * undeclared query parameters.
 */
function clientFields(request: FastifyRequest, status: number, keys: readonly string[]) {
  const { url } = request
  const operation = operationOf(request)
  if (operation === undefined) {
    const isNowhere = status === 404 && request.routeOptions.url === undefined
    return isNowhere && { path: url.replace(/\?.*$/s, '').slice(0, maxPath) }
  }
  const names = unknownQuery(url, operation, keys)
  return names.length > 0 && { unknownQuery: names }
}

const clientLeft = 499

/**
 * Returns the status of the response. Of one that the service has not completed, the status of the failure; otherwise
 * 499, as in nginx: the client disconnected.
 */
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
 * Returns the names in a URL that its operation does not declare, without their values. OpenAPI neither defines nor
 * forbids such parameters, and links carry those of proxies and campaigns: they are ignored, and logged at debug to reveal
 * a misspelt one.
 * @param keys API keys in the query
 */
export function unknownQuery(
  url: string,
  { parameters }: Operation,
  keys: readonly string[]
): readonly string[] {
  // What stands in a query that is one value are no names.
  if (parameters.some((parameter) => parameter.in === 'querystring')) return []
  const declared = parameters.filter((parameter) => parameter.in === 'query')
  const sent = new Set(new URLSearchParams(/\?(.*)/s.exec(url)?.[1]).keys())
  const unknown = [...sent].filter(
    (name) => !keys.includes(name) && !declared.some((parameter) => takes(parameter, name))
  )
  return unknown.slice(0, maxNames).map((name) => name.slice(0, maxLength))
}

/** Returns true if a parameter has this name; the properties of an exploded object count, too. */
function takes({ key, explode, shape, style }: Query, name: string): boolean {
  if (key === name || (style === 'deepObject' && name.startsWith(`${key}[`))) return true
  return explode && (shape.additional !== undefined || Object.hasOwn(shape.properties ?? {}, name))
}

export interface ErrorBodies {
  /** Returns the body of a failure. */
  readonly errorBody: (failure: Failure & { readonly operationId: string | undefined }) => unknown
  /** Returns the label of an error body; default: the status of the response. */
  readonly errorLabel?: (body: unknown) => ErrorLabel
  /** Returns the reason for a handler's error body, without data of the client. Absent: log lines have no reason. */
  readonly errorReason?: (body: unknown) => string | undefined
}

interface Refusal {
  readonly status: number
  readonly error: ErrorLabel
  readonly reason: string | undefined
}

/** Maximum of characters of a label, and of a reason: clients choose how many problems their bodies have. */
const maxLabel = 64
const maxReason = 1_000

const refusals = new WeakMap<FastifyRequest, Refusal>()

export const refusalOf = (request: FastifyRequest): Refusal | undefined => refusals.get(request)

interface Closing extends Refusal {
  readonly failure: string
}

const closings = new WeakMap<object, Closing>()

/** Returns the failure for which the connection of a request was closed before the end of its response. */
const closingOf = ({ raw }: FastifyRequest): Closing | undefined => closings.get(raw.socket)

/**
 * Returns the `onFailure` of createContractServer. Logs failures without a request, which have no other log line.
 * @param names all names that the contract declares
 * @param isResponding returns true if a request of the connection has no complete response
 */
export function failureReporter(
  { log, metrics }: Observers,
  { errorLabel }: Pick<ErrorBodies, 'errorLabel'>,
  names: ReadonlySet<string>,
  isResponding: (peer: object) => boolean
): OnFailure {
  return (failure, request, peer) => {
    const error = labelOf(failure, errorLabel, log)
    metrics?.refusal(error)
    const { code, status } = failure
    const refusal = { status, error, reason: reasonOf(failure, names, request).slice(0, maxReason) }
    if (request !== undefined) return void refusals.set(request, refusal)
    // A URL that no router reads is answered, and its connection stays open.
    const isClosing = peer !== undefined && code !== 'malformed-url' && isResponding(peer)
    if (isClosing) closings.set(peer, { failure: code, ...refusal })
    // The request that is one too many has no other line.
    if (isClosing && code !== 'too-many-requests') return
    const remoteAddress = ipAddressOf(peer && Reflect.get(peer, 'remoteAddress'))
    log.info({ failure: code, remoteAddress, ...refusal }, 'request')
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
    const reason = resultOf('errorReason', log, { call, accepts: isReason })?.slice(0, maxReason)
    refusals.set(request, { status, error, reason })
  }
}

/** Returns the label of an error body; the status where it has none, or `errorLabel` fails. */
function labelOf(
  { status, body }: { readonly status: number; readonly body?: unknown },
  errorLabel: ErrorBodies['errorLabel'],
  log: Observers['log']
): ErrorLabel {
  if (errorLabel === undefined || body === undefined) return status
  const label = resultOf('errorLabel', log, { call: () => errorLabel(body), accepts: isLabel }) ?? status
  return typeof label === 'string' ? label.slice(0, maxLabel) : label
}

const isLabel = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'
const isReason = (value: unknown): boolean => value === undefined || typeof value === 'string'

/** Scalar on one line (YAML 1.2.2, sections 7.3.1 to 7.3.3), which JSON writes in double quotes. */
const scalar = /"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([^\s"'{}[\],:#][^\n{}[\],:#]*)/.source
const keys = new RegExp(`(?:^[ \\t-]*|[{,]\\s*)(?:${scalar})\\s*:`, 'gm')
const named = new RegExp(`\\bname["']?\\s*:\\s*(?:${scalar})`, 'g')

/**
 * Returns all names in a text of YAML or JSON: property names, and the names of parameters. Does not parse it, which
 * takes seconds for a contract of 13 MB; a name that YAML spells in another way is hidden in the log.
 */
export function namesIn(text: string): ReadonlySet<string> {
  const namesBy = (pattern: RegExp) =>
    text.matchAll(pattern).map(([, double, single, plain]) => double ?? single ?? String(plain).trim())
  const names = new Set(namesBy(keys))
  for (const name of namesBy(named)) names.add(name.toLowerCase()).add(name)
  return names
}

const rooms = new Set(['body', 'query', 'params', 'headers', 'cookies'])

/** Replaces each segment that is neither an index nor a name of the contract: `body/labels/*`. */
export function placesOf(place: string, names: ReadonlySet<string>): string {
  const isKnown = (segment: string) => rooms.has(segment) || names.has(segment) || /^\d{1,6}$/.test(segment)
  return place
    .split('/')
    .map((segment) => (isKnown(segment) ? segment : '*'))
    .join('/')
}
