/** The way of a request through one operation: authenticate, expect, read, validate, handle, check, send. */
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { negotiate } from '../media-types/accept.ts'
import type { CompiledCode, Contract, LoadCode, Operation } from '../model/compiled-contract.ts'
import { bodyExpectation, type ExpectedBody } from './body/expectation.ts'
import { bodyValue, receiveBody } from './body/receive.ts'
import { FailureError } from './errors/failure.ts'
import { HandlerRequest } from './handler-request.ts'
import { parameterReader } from './parameters/read-parameters.ts'
import { offers } from './responses/content.ts'
import type { HandlerResponse } from './responses/handler-response.ts'
import { responseSender } from './responses/send.ts'
import { authenticator, type SecurityHandler } from './security/authenticate.ts'

export type Handler = (request: HandlerRequest) => HandlerResponse | Promise<HandlerResponse>

export interface RouteContext {
  readonly contract: Contract
  readonly handlers: Readonly<Record<string, Handler>>
  readonly security: Readonly<Record<string, SecurityHandler>>
  readonly basePath: string
  readonly bodyLimit: number
  readonly code: LoadCode
}

/** What the hook found out before the body was read. */
interface Admitted {
  readonly principal: unknown
  readonly body: ExpectedBody | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    admitted: Admitted | undefined
  }
  interface FastifyContextConfig {
    operation?: Operation
  }
}

export function operationRoute(operation: Operation, context: RouteContext): RouteOptions {
  const { bodyLimit, basePath } = context
  const handler = context.handlers[operation.operationId] as Handler
  const authenticate = authenticator(context.contract, operation, context.security)
  const expectBody = bodyExpectation(operation, bodyLimit)
  const { mediaTypes: offered, hasChoice } = offers(operation)
  const readParameters = parameterReader(operation, basePath)
  const required = operation.requestBody?.required === true
  let compiled: ReturnType<typeof withCode> | undefined

  /** What needs the compiled code, once it is loaded. */
  function withCode(code: CompiledCode) {
    return { code, send: responseSender(operation, code), rules: { required, code } }
  }

  function admit(request: FastifyRequest, principal: unknown): void {
    // Known from here on, also to whoever tells of a request that is refused for its body.
    request.admitted = { principal, body: undefined }
    if (hasChoice) checkAcceptable(request, offered)
    const body = expectBody(request.raw)
    if (body !== undefined) request.admitted = { principal, body }
  }

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { principal, body } = request.admitted as Admitted
    compiled ??= withCode(await context.code())
    const { send, rules, code } = compiled
    const { parameters, failure } = readParameters(request, code)
    let value: unknown
    try {
      if (body !== undefined)
        value = bodyValue(await receiveBody(body, request, reply, bodyLimit), body, rules)
    } catch (error) {
      throw failure === undefined ? error : together(failure, error)
    }
    if (failure !== undefined) throw failure
    const mediaType = value === undefined ? undefined : body?.content.mediaType
    const details = { body: value, mediaType, principal, offered }
    let answer: HandlerResponse
    try {
      answer = await handler(new HandlerRequest(reply, parameters, details))
    } catch (error) {
      // Whatever a handler throws is our fault, unless it says what failed.
      throw error instanceof FailureError ? error : new FailureError('internal', { cause: error })
    }
    return send(answer, reply)
  }

  return {
    method: operation.method,
    url: `${basePath}${operation.url}`,
    config: { operation },
    onRequest(request, _reply, done) {
      const principal = authenticate?.(request)
      if (principal instanceof Promise)
        principal.then((value) => admit(request, value)).then(() => done(), done)
      else {
        admit(request, principal)
        done()
      }
    },
    handler: handle
  }
}

/** What is wrong with the parameters and what is wrong with the body, told at once. */
function together(first: FailureError, second: unknown): unknown {
  if (!(second instanceof FailureError) || second.failure.code !== 'mismatch') return second
  return new FailureError('mismatch', {
    message: `${first.message}; ${second.message}`,
    problems: [...first.failure.problems, ...second.failure.problems]
  })
}

/** Refuses what no success of the operation could satisfy; where there is only one media type, there is no choice. */
function checkAcceptable({ headers }: FastifyRequest, offered: readonly string[]): void {
  if (negotiate(headers.accept, offered) >= 0) return
  throw new FailureError('not-acceptable', {
    message: `none of the media types in Accept is offered: ${offered.join(', ')}`
  })
}
