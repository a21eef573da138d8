/** Route of one operation: admit, read, handle, answer. It awaits only the body and the handler. */
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { negotiate } from '../model/accept.ts'
import type { CompiledCode, LoadCode, Operation } from '../model/compiled-contract.ts'
import { type Admission, admission, admitted } from './admission.ts'
import {
  bodyExpectation,
  bodyValue,
  type ExpectedBody,
  type Received,
  type Receiving,
  receiveBody
} from './body/receive.ts'
import { isThenable } from './errors/callbacks.ts'
import { FailureError, isFailure } from './errors/failure.ts'
import { type Surroundings, surrounded } from './handlers/around.ts'
import { type Handler, HandlerRequest } from './handlers/handler-request.ts'
import type { OpenRequests } from './handlers/open-requests.ts'
import { noParameters } from './parameters/decoded.ts'
import { parameterReader } from './parameters/read-parameters.ts'
import { type HandlerResponse, offers } from './responses/body.ts'
import { responseSender, type Sending, type SendResponse } from './responses/send.ts'

export interface RouteContext extends Admission, Receiving, Surroundings, Sending {
  readonly handlers: Readonly<Record<string, Handler>>
  readonly code: LoadCode
  readonly open: OpenRequests
}

/** Parts of a route that need the compiled code. */
interface Compiled {
  readonly code: CompiledCode
  readonly answer: SendResponse
}

export function operationRoute(operation: Operation, context: RouteContext): RouteOptions {
  const handler = surrounded(context.handlers[operation.operationId] as Handler, context)
  const { mediaTypes, hasChoice } = offers(operation)
  const expectBody = bodyExpectation(operation, context.bodyLimit)
  const readParameters = parameterReader(operation, context.prefix)
  const route = { operation, offered: mediaTypes, open: context.open, prefix: context.prefix }
  const isBodyRequired = operation.requestBody?.required === true
  let compiled: Compiled | undefined

  return {
    method: operation.method,
    url: operation.url,
    prefixTrailingSlash: 'slash',
    exposeHeadRoute: false,
    config: { operation },
    onRequest: admission(operation, context),
    handler: serve
  }

  /**
   * Serves an admitted request, now or later.
   * @throws {FailureError} for a request that fails a check of its headers
   */
  function serve(request: FastifyRequest, reply: FastifyReply): void {
    const principal = admitted(request)
    if (hasChoice) checkAcceptable(request, mediaTypes)
    const body = expectBody(request.raw)
    if (compiled !== undefined) read(compiled, reply, principal, body)
    else
      load()
        .then((loaded) => read(loaded, reply, principal, body))
        .catch(reply.send.bind(reply))
  }

  async function load(): Promise<Compiled> {
    const code = await context.code()
    compiled ??= { code, answer: responseSender(operation, code, context) }
    return compiled
  }

  function read(
    { code, answer }: Compiled,
    reply: FastifyReply,
    principal: unknown,
    expected: ExpectedBody | undefined
  ): void {
    const read = readParameters?.(reply.request, code)
    if (expected === undefined) handle(undefined)
    else
      receiveBody(expected, reply, context).then(handle, (error: unknown) => {
        reply.send(combined(read?.failure, error))
      })

    function handle(received: Received | undefined): void {
      try {
        const body =
          received === undefined || expected === undefined
            ? undefined
            : bodyValue(received, expected, isBodyRequired, code)
        if (read?.failure !== undefined) throw read.failure
        const mediaType = body === undefined ? undefined : expected?.content.mediaType
        const details = { body, mediaType, principal, route }
        const request = new HandlerRequest(reply, read?.parameters ?? noParameters, details)
        let response: HandlerResponse | Promise<HandlerResponse>
        try {
          response = handler(request)
        } catch (error) {
          throw failureOf(error)
        }
        if (!isThenable(response)) answer(response, reply)
        else
          Promise.resolve(response).then(
            (value) => answer(value, reply),
            (error: unknown) => reply.send(failureOf(error))
          )
      } catch (error) {
        reply.send(combined(read?.failure, error))
      }
    }
  }
}

/** Turns every error of a handler into an internal one, except a FailureError. */
function failureOf(error: unknown): FailureError {
  return isFailure(error) ? error : new FailureError('internal', { cause: error })
}

/** Merges the problems of the parameters and of the body into one failure. */
function combined(first: FailureError | undefined, second: unknown): unknown {
  if (first === undefined || first === second) return second
  if (!(second instanceof FailureError) || second.failure.code !== 'mismatch') return second
  return new FailureError('mismatch', {
    message: `${first.message}; ${second.message}`,
    problems: [...first.failure.problems, ...second.failure.problems]
  })
}

/** Refuses a request when no success can have an acceptable media type. An operation with one type offers no choice. */
function checkAcceptable({ headers }: FastifyRequest, offered: readonly string[]): void {
  if (negotiate(headers.accept, offered) >= 0) return
  throw new FailureError('not-acceptable', {
    message: `none of the media types in Accept is offered: ${offered.join(', ')}`
  })
}
