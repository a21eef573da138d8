/** Fastify's error handler: answers every error of a request with the response that the contract declares for it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CompiledCode, LoadCode } from '../../model/compiled-contract.ts'
import { type ErrorContext, operationErrorResponse, plainErrorResponse } from './error-response.ts'
import { type Failure, type FailureCode, FailureError } from './failure.ts'

/**
 * Callback for every failure that is answered, without a request when none was parsed. It must not throw.
 * @param peer the connection of a failure without a request; a Socket has the property `remoteAddress`
 */
export type OnFailure = (failure: Failure, request: FastifyRequest | undefined, peer?: object) => void

export interface ErrorHandlerOptions {
  readonly context: () => ErrorContext
  readonly onFailure: OnFailure
  /** Returns the file of an operation's handler, which the log names. */
  readonly handlerFile?: ((operationId: string) => string) | undefined
}

type ErrorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

export function errorHandler(
  load: LoadCode,
  { context, onFailure, handlerFile }: ErrorHandlerOptions
): ErrorHandler {
  return async (error, request, reply) => {
    const failed = asFailure(error)
    const { failure } = failed
    onFailure(failure, request)
    const { operation } = request.routeOptions.config
    const file = operation === undefined ? undefined : handlerFile?.(operation.operationId)
    logFailure(failed, error, { log: request.log, file })
    const code = operation === undefined ? undefined : await loaded(load)
    const { status, headers, body } =
      operation === undefined || code === undefined
        ? plainErrorResponse(failure, { ...context(), log: request.log })
        : operationErrorResponse(failure, operation, { ...context(), code, log: request.log })
    return reply.code(status).headers(headers).serializer(String).send(body)
  }
}

/** Logs defects as errors, and a 503 as a warning if it has a cause: overload would repeat it for every request. */
function logFailure({ failure, cause }: FailureError, error: unknown, { log, file }: FailureLog): void {
  if (failure.status === 503 && cause === undefined) return
  if (failure.status < 500) return
  const level = failure.status === 503 ? 'warn' : 'error'
  const isBroken = failure.code === 'response-mismatch' && cause instanceof Error
  const where = file === undefined ? '' : ` (${file})`
  const message = isBroken ? `${cause.message}${where}` : failure.message
  log[level]({ err: cause ?? error, failure: failure.code }, message)
}

interface FailureLog {
  readonly log: FastifyRequest['log']
  readonly file: string | undefined
}

/** Returns undefined when the code cannot be loaded; the failure is then answered without it. */
async function loaded(load: LoadCode): Promise<CompiledCode | undefined> {
  try {
    return await load()
  } catch {
    return undefined
  }
}

/** Maps an error of a plugin by its status; any other error is internal. */
function asFailure(error: unknown): FailureError {
  if (error instanceof FailureError) return error
  const status: unknown = error instanceof Error ? Reflect.get(error, 'statusCode') : undefined
  const code = byStatus.get(status) ?? 'internal'
  return new FailureError(code, { cause: error })
}

const byStatus: ReadonlyMap<unknown, FailureCode> = new Map([
  [400, 'malformed-body'],
  [413, 'body-too-large'],
  [415, 'unsupported-media-type'],
  [429, 'too-many-requests'],
  [503, 'overloaded']
])
