/** Notes the reason of each refusal for its log line, and counts the error bodies of engine and handlers by label. */
import { type Failure, resultOf } from '@contract-first/engine/errors'
import type { OnErrorResponse, OnFailure } from '@contract-first/engine/server'
import type { FastifyRequest } from 'fastify'
import { credentialProblemOf } from '../credentials/principal.ts'
import { ipAddressOf } from '../http/ip-address.ts'
import type { ErrorLabel, Observers } from './metrics.ts'

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
export const closingOf = ({ raw }: FastifyRequest): Closing | undefined => closings.get(raw.socket)

interface Known {
  /** All names that the contract declares. */
  readonly names?: ReadonlySet<string>
  /** Returns true if a request of the connection has no complete response. */
  readonly isResponding?: (peer: object) => boolean
}

/** Returns the `onFailure` of createContractServer. Logs failures without a request, which have no other log line. */
export function failureReporter(
  { log, metrics }: Observers,
  { errorLabel }: Pick<ErrorBodies, 'errorLabel'>,
  { names = new Set(), isResponding = () => false }: Known = {}
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
    log?.info({ failure: code, remoteAddress, ...refusal }, 'request')
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
  const names = new Set<string>()
  for (const name of namesOf(text, keys)) names.add(name)
  for (const name of namesOf(text, named)) names.add(name.toLowerCase()).add(name)
  return names
}

function* namesOf(text: string, pattern: RegExp): Generator<string> {
  for (const [, double, single, plain] of text.matchAll(pattern))
    yield double ?? single ?? String(plain).trim()
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
