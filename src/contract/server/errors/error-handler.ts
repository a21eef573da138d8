/** Every error that ends a request above the socket, as the answer that the contract declares for it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CompiledCode, LoadCode } from '../../model/compiled-contract.ts'
import { asItIs } from '../responses/send.ts'
import { type ErrorBody, operationAnswer, plainAnswer } from './error-response.ts'
import { type Failure, type FailureCode, FailureError } from './failure.ts'

/** Told of every failure that is answered; without a request where it never became one. It must not throw. */
export type OnFailure = (failure: Failure, request: FastifyRequest | undefined) => void

type FailureHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

export function failureHandler(
  load: LoadCode,
  { errorBody, onFailure }: { readonly errorBody: ErrorBody; readonly onFailure: OnFailure }
): FailureHandler {
  return async (error, request, reply) => {
    const failed = asFailure(error)
    const { failure } = failed
    onFailure(failure, request)
    if (failure.status >= 500)
      request.log.error({ err: failed.cause ?? error, failure: failure.code }, failure.message)
    const { operation } = request.routeOptions.config
    const context = { errorBody, log: request.log }
    const code = operation === undefined ? undefined : await loaded(load)
    const { status, headers, body } =
      operation === undefined || code === undefined
        ? plainAnswer(failure, context)
        : operationAnswer(failure, operation, code, context)
    return reply.code(status).headers(headers).serializer(asItIs).send(body)
  }
}

/** Undefined where it can not be loaded: then that is what failed, and has to be answered without it. */
async function loaded(load: LoadCode): Promise<CompiledCode | undefined> {
  try {
    return await load()
  } catch {
    return undefined
  }
}

/** Plugins say by a status what failed; anything that is not known to be the client's fault is ours. */
function asFailure(error: unknown): FailureError {
  if (error instanceof FailureError) return error
  const status: unknown = error instanceof Error ? Reflect.get(error, 'statusCode') : undefined
  const code = byStatus[String(status)] ?? 'internal'
  return new FailureError(code, { cause: error })
}

const byStatus: Readonly<Record<string, FailureCode>> = {
  400: 'malformed-body',
  413: 'body-too-large',
  415: 'unsupported-media-type',
  429: 'too-many-requests',
  503: 'overloaded'
}
