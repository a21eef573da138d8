/** The route of one operation: authenticate, negotiate, expect a body, read, validate, handle, check, send. */
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction, RouteOptions } from 'fastify'
import { negotiate } from '../media-types/accept.ts'
import type { CompiledCode, Contract, LoadCode, Operation } from '../model/compiled-contract.ts'
import { type Admission, admissionOf, principalOf, setAdmission } from './admission.ts'
import type { BodyBudget } from './body/budget.ts'
import { bodyExpectation, type ExpectBody, type ExpectedBody } from './body/expectation.ts'
import { type BodyRules, bodyValue, receiveBody } from './body/receive.ts'
import { FailureError } from './errors/failure.ts'
import { HandlerRequest } from './handler-request.ts'
import { parameterReader } from './parameters/read-parameters.ts'
import { offers } from './responses/content.ts'
import type { HandlerResponse } from './responses/handler-response.ts'
import { responseSender, type SendResponse } from './responses/send.ts'
import { type Authenticate, authenticator } from './security/authenticate.ts'
import type { SecurityHandler } from './security/security-handler.ts'
import type { UnreadBytes } from './transport/unread-bytes.ts'

export type Handler = (request: HandlerRequest) => HandlerResponse | Promise<HandlerResponse>

export interface RouteContext {
  readonly contract: Contract
  readonly handlers: Readonly<Record<string, Handler>>
  readonly security: Readonly<Record<string, SecurityHandler>>
  readonly basePath: string
  /** Bytes of a body whose content has no limit of its own. */
  readonly bodyLimit: number
  readonly bodyBudget: BodyBudget
  readonly unread: UnreadBytes
  readonly code: LoadCode
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation
  }
}

/** The parts of a route that need the compiled code. */
interface Compiled extends BodyRules {
  readonly send: SendResponse
}

export class OperationRoute {
  readonly #operation: Operation
  readonly #context: RouteContext
  readonly #handler: Handler
  readonly #authenticate: Authenticate | undefined
  readonly #expectBody: ExpectBody
  readonly #offers: ReturnType<typeof offers>
  readonly #readParameters: ReturnType<typeof parameterReader>
  #compiled: Compiled | undefined

  constructor(operation: Operation, context: RouteContext) {
    this.#operation = operation
    this.#context = context
    this.#handler = context.handlers[operation.operationId] as Handler
    this.#authenticate = authenticator(context.contract, operation, context.security)
    this.#expectBody = bodyExpectation(operation, context.bodyLimit)
    this.#offers = offers(operation)
    this.#readParameters = parameterReader(operation, context.basePath)
  }

  get options(): RouteOptions {
    return {
      method: this.#operation.method,
      url: `${this.#context.basePath}${this.#operation.url}`,
      config: { operation: this.#operation },
      onRequest: (request, _reply, done) => this.#onRequest(request, done),
      preParsing: (request, _reply, payload, done) => {
        this.#expect(request)
        done(null, payload)
      },
      handler: (request, reply) => this.#handle(request, reply)
    }
  }

  /** Only who the client is: the hooks of a service, such as a rate limit, run before the checks of the other headers. */
  #onRequest(request: FastifyRequest, done: HookHandlerDoneFunction): void {
    const principal = this.#identify(request)
    if (principal instanceof Promise) admitLater(principal, request, done)
    else if (principal instanceof FailureError) refuse(principal, request, done)
    else admit({ principal, body: undefined }, request, done)
  }

  /** Returns a refusal as well: `done` must not run inside of `try`. */
  #identify(request: FastifyRequest): unknown {
    try {
      return this.#authenticate?.(request)
    } catch (error) {
      return error
    }
  }

  /** Everything else that the request line and the headers decide. */
  #expect(request: FastifyRequest): void {
    const forbidden = admissionOf(request)?.forbidden
    if (forbidden !== undefined) throw forbidden
    if (this.#offers.hasChoice) checkAcceptable(request, this.#offers.mediaTypes)
    const body = this.#expectBody(request.raw)
    if (body !== undefined) setAdmission(request, { principal: principalOf(request), body })
  }

  async #handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { principal, body } = admissionOf(request) as Admission
    this.#compiled ??= this.#compile(await this.#context.code())
    const { parameters, failure } = this.#readParameters(request, this.#compiled.code)
    const value = body === undefined ? undefined : await this.#readBody(body, reply, failure)
    if (failure !== undefined) throw failure
    const mediaType = value === undefined ? undefined : body?.content.mediaType
    const details = { body: value, mediaType, principal, offered: this.#offers.mediaTypes }
    const response = await this.#callHandler(new HandlerRequest(reply, parameters, details))
    return this.#compiled.send(response, reply)
  }

  #compile(code: CompiledCode): Compiled {
    const required = this.#operation.requestBody?.required === true
    return { code, required, send: responseSender(this.#operation, code, this.#context.unread) }
  }

  /** @throws {FailureError} with the problems of the parameters, too */
  async #readBody(body: ExpectedBody, reply: FastifyReply, failure: FailureError | undefined) {
    try {
      const received = await receiveBody(body, reply.request, reply, this.#context.bodyBudget)
      return bodyValue(received, body, this.#compiled as Compiled)
    } catch (error) {
      throw failure === undefined ? error : combined(failure, error)
    }
  }

  /** Any error of a handler is an internal one, except a FailureError. */
  async #callHandler(request: HandlerRequest): Promise<HandlerResponse> {
    try {
      return await this.#handler(request)
    } catch (error) {
      throw error instanceof FailureError ? error : new FailureError('internal', { cause: error })
    }
  }
}

function admit(admission: Admission, request: FastifyRequest, done: HookHandlerDoneFunction): void {
  setAdmission(request, admission)
  done()
}

function admitLater(
  authenticated: Promise<unknown>,
  request: FastifyRequest,
  done: HookHandlerDoneFunction
): void {
  authenticated.then(
    (principal) => admit({ principal, body: undefined }, request, done),
    (error: FailureError) => refuse(error, request, done)
  )
}

/** A 403 to a known principal waits for the hooks of the service, so that a rate limit counts it. */
function refuse(error: FailureError, request: FastifyRequest, done: HookHandlerDoneFunction): void {
  const { principal } = error
  if (principal === undefined) done(error)
  else admit({ principal, body: undefined, forbidden: error }, request, done)
}

/** Reports the problems of the parameters and those of the body in one failure. */
function combined(first: FailureError, second: unknown): unknown {
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
