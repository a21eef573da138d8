/** Fastify's error handler: answers every error of a request with the response that the contract declares for it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CompiledCode, LoadCode } from '../../model/compiled-contract.ts'
import { notify, resultOf } from './callbacks.ts'
import { type ErrorContext, errorResponse, sendError } from './error-response.ts'
import {
  type Failure,
  type FailureCode,
  FailureError,
  failureStatus,
  propertyOf,
  statusCodeOf
} from './failure.ts'
import { requestLog } from './standard-error-log.ts'

/** Failure with the value that `errorBody` has returned for it; undefined where its response has no body. */
interface SentFailure extends Failure {
  readonly body: unknown
}

/**
 * Callback for every failure that is answered, without a request when none was parsed. Its errors are logged.
 * @param peer the connection of a failure without a request; a Socket has the property `remoteAddress`
 */
export type OnFailure = (failure: SentFailure, request: FastifyRequest | undefined, peer?: object) => unknown

interface ErrorHandlerOptions {
  readonly context: () => ErrorContext
  readonly onFailure: OnFailure
  /** Returns the file of an operation's handler, which the log names. */
  readonly handlerFile?: ((operationId: string) => string) | undefined
}

export type ErrorHandler = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply
) => Promise<FastifyReply>

export function errorHandler(
  load: LoadCode,
  { context, onFailure, handlerFile }: ErrorHandlerOptions
): ErrorHandler {
  return async (error, request, reply) => {
    if (isUnsent(error, reply)) return reply
    const failed = asFailure(error)
    const { failure } = failed
    const log = requestLog(request)
    const { operation } = request.routeOptions.config
    logFailure(failed, error, request, handlerFile)
    const code = operation === undefined ? undefined : await loaded(load)
    const response =
      code === undefined
        ? errorResponse(failure, undefined, { ...context(), log })
        : errorResponse(failure, operation, { ...context(), code, log })
    notify('onFailure', log, () => onFailure({ ...failure, body: response.made }, request))
    return sendError(reply, response)
  }
}

/** Returns true for the end of a payload whose response was closed before it: its client has left. */
const isUnsent = (error: unknown, { raw }: FastifyReply): boolean =>
  propertyOf(error, 'code') === 'ERR_STREAM_PREMATURE_CLOSE' && raw.destroyed

/** Returns a function that reports a failure whose status cannot be sent any more, because the body has begun. */
export function lateFailureReporter({
  onFailure,
  handlerFile
}: Omit<ErrorHandlerOptions, 'context'>): (failed: FailureError, request: FastifyRequest) => void {
  return (failed, request) => {
    const { failure, cause = failed } = failed
    const log = requestLog(request)
    const text = failure.code === 'response-mismatch' ? Object(cause).message : failure.reason
    const level = failure.status >= 500 ? 'error' : 'warn'
    const message = `${text ?? failure.message}${placeOf(handlerFile, request)}: the connection is closed`
    log[level]({ err: cause, failure: failure.code }, message)
    notify('onFailure', log, () => onFailure({ ...failure, body: undefined }, request))
  }
}

/** Returns the file of the handler in parentheses; `''` without one. */
function placeOf(handlerFile: ErrorHandlerOptions['handlerFile'], request: FastifyRequest): string {
  const { operation } = request.routeOptions.config
  if (operation === undefined || handlerFile === undefined) return ''
  const call = () => handlerFile(operation.operationId)
  const file = resultOf('handlerFile', requestLog(request), {
    call,
    accepts: (value) => typeof value === 'string'
  })
  return file === undefined ? '' : ` (${file})`
}

/** Logs defects as errors, and a 503 as a warning if it has a cause: overload would repeat it for every request. */
function logFailure(
  { failure, cause }: FailureError,
  error: unknown,
  request: FastifyRequest,
  handlerFile: ErrorHandlerOptions['handlerFile']
): void {
  if (failure.status === 503 && cause === undefined) return
  if (failure.status < 500) return
  const level = failure.status === 503 ? 'warn' : 'error'
  const isBroken = failure.code === 'response-mismatch' && cause instanceof Error
  const message = isBroken ? `${cause.message}${placeOf(handlerFile, request)}` : failure.message
  const operationId = request.routeOptions.config.operation?.operationId
  const fields = { err: cause ?? error, failure: failure.code, reason: failure.reason, operationId }
  requestLog(request)[level](fields, message)
}

/** Returns undefined when the code cannot be loaded; the failure is then answered without it. */
async function loaded(load: LoadCode): Promise<CompiledCode | undefined> {
  try {
    return await load()
  } catch {
    return undefined
  }
}

/**
 * Maps an error of a hook or a plugin by its status, which the client gets if it is its mistake. Any other error is
 * internal, also a failure that the table lacks. The schema of a route beside the contract says what a request lacks.
 */
function asFailure(error: unknown): FailureError {
  if (error instanceof FailureError && Object.hasOwn(failureStatus, error.failure.code)) return error
  if (propertyOf(error, 'code') === 'FST_ERR_VALIDATION')
    return new FailureError('mismatch', { message: String(propertyOf(error, 'message')), cause: error })
  const status = statusCodeOf(error)
  const code = byStatus.get(status)
  if (code !== undefined) return new FailureError(code, { cause: error })
  return isClientError(status)
    ? new FailureError('mismatch', { status, message: 'the request was refused', cause: error })
    : new FailureError('internal', { cause: error })
}

function isClientError(status: unknown): status is number {
  return Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 499
}

const byStatus: ReadonlyMap<unknown, FailureCode> = new Map([
  [400, 'malformed-body'],
  [401, 'credentials-refused'],
  [403, 'forbidden'],
  [404, 'not-found'],
  [405, 'method-not-allowed'],
  [406, 'not-acceptable'],
  [408, 'timeout'],
  [412, 'precondition-failed'],
  [413, 'body-too-large'],
  [415, 'unsupported-media-type'],
  [417, 'expectation-failed'],
  [429, 'too-many-requests'],
  [431, 'headers-too-large'],
  [501, 'not-implemented'],
  [503, 'overloaded']
])
