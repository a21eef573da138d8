/**
 * Route of one operation: authenticate, negotiate, expect a body, read, validate, handle, check, send. It awaits only
 * the body and the handler.
 */
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction, RouteOptions } from 'fastify'
import { negotiate } from '../model/accept.ts'
import type { CompiledCode, LoadCode, Operation } from '../model/compiled-contract.ts'
import { authenticateWith, forbiddenOf, principalOf, setOperation } from './admission.ts'
import { bodyExpectation, type ExpectBody, type ExpectedBody } from './body/accepted-body.ts'
import { type BodyRules, bodyValue, type Receiving, receiveBody } from './body/receive.ts'
import { isThenable } from './errors/callbacks.ts'
import { FailureError, isFailure } from './errors/failure.ts'
import { type Surroundings, surrounded } from './handlers/around.ts'
import { type Handler, HandlerRequest, type Route } from './handlers/handler-request.ts'
import type { OpenRequests } from './handlers/open-requests.ts'
import { parameterReader, type ReadParameters } from './parameters/read-parameters.ts'
import { joinPaths, normalizePath, pathMatcher, pathOf } from './parameters/request-path.ts'
import { offers } from './responses/body.ts'
import type { HandlerResponse } from './responses/checks.ts'
import { responseSender, type Sending, type SendResponse } from './responses/send.ts'
import { type Authenticate, authenticator, type Security } from './security/authenticate.ts'

export interface RouteContext extends Sending, Security, Surroundings, Receiving {
  readonly handlers: Readonly<Record<string, Handler>>
  /** Template of the paths before those of the contract. */
  readonly prefix: string
  readonly code: LoadCode
  readonly open: OpenRequests
  /** @throws {FailureError} for a request that must not be served; called before anything else */
  readonly guard: (request: FastifyRequest) => void
}

/** Parts of a route that need the compiled code. */
interface Compiled extends BodyRules {
  readonly send: SendResponse
}

/** Request whose headers are accepted. */
interface Exchange {
  readonly reply: FastifyReply
  readonly read: ReadParameters
  readonly compiled: Compiled
}

interface ParsedBody {
  readonly value: unknown
  readonly mediaType: string
}

export class OperationRoute {
  readonly #operation: Operation
  readonly #context: RouteContext
  readonly #handler: Handler
  readonly #authenticate: Authenticate | undefined
  readonly #expectBody: ExpectBody
  readonly #offers: ReturnType<typeof offers>
  readonly #route: Route
  readonly #readParameters: ReturnType<typeof parameterReader>
  #compiled: Compiled | undefined

  constructor(operation: Operation, context: RouteContext) {
    this.#operation = operation
    this.#context = context
    this.#handler = surrounded(context.handlers[operation.operationId] as Handler, context)
    this.#authenticate = authenticator(operation, context)
    this.#expectBody = bodyExpectation(operation, context.bodyLimit)
    this.#offers = offers(operation)
    this.#route = { operation, offered: this.#offers.mediaTypes, open: context.open, prefix: context.prefix }
    this.#readParameters = parameterReader(operation, context.prefix)
  }

  get options(): RouteOptions {
    return {
      method: this.#operation.method,
      url: this.#operation.url,
      prefixTrailingSlash: 'slash',
      exposeHeadRoute: false,
      config: { operation: this.#operation },
      onRequest: (request, reply, done) => this.#onRequest(request, reply, done),
      handler: (request, reply) => this.#handle(request, reply)
    }
  }

  /** Authenticates only: hooks of a service, such as a rate limit, run before the other checks. */
  #onRequest(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    const { notices } = this.#operation
    if (notices !== undefined) reply.headers(notices)
    setOperation(request, this.#operation)
    this.#context.guard(request)
    if (hasEmptyText(request) && !this.#hasPath(request)) done(new FailureError('not-found'))
    else authenticateWith(this.#authenticate, request, done)
  }

  #hasPath({ raw }: FastifyRequest): boolean {
    const match = pathMatcher(joinPaths(this.#context.prefix, this.#operation.path))
    return match(normalizePath(pathOf(String(raw.url)))) !== undefined
  }

  /**
   * Serves the request, now or later.
   * @throws {FailureError} for a request that fails a check of its headers
   */
  #handle(request: FastifyRequest, reply: FastifyReply): void {
    const body = this.#expect(request)
    if (this.#compiled !== undefined) this.#receive(body, reply, this.#compiled)
    else
      this.#load()
        .then((compiled) => this.#receive(body, reply, compiled))
        .catch(reply.send.bind(reply))
  }

  /** Runs all other checks of the request line and the headers. */
  #expect(request: FastifyRequest): ExpectedBody | undefined {
    const forbidden = forbiddenOf(request)
    if (forbidden !== undefined) throw forbidden
    if (this.#offers.hasChoice) checkAcceptable(request, this.#offers.mediaTypes)
    return this.#expectBody(request.raw)
  }

  async #load(): Promise<Compiled> {
    this.#compiled ??= this.#compile(await this.#context.code())
    return this.#compiled
  }

  #compile(code: CompiledCode): Compiled {
    const required = this.#operation.requestBody?.required === true
    return { code, required, send: responseSender(this.#operation, code, this.#context) }
  }

  #receive(body: ExpectedBody | undefined, reply: FastifyReply, compiled: Compiled): void {
    const read = this.#readParameters(reply.request, compiled.code)
    if (body === undefined) this.#respond(undefined, { reply, read, compiled })
    else
      receiveBody(body, reply, this.#context).then(
        (received) => this.#parse(received, body, { reply, read, compiled }),
        (error: unknown) => reply.send(combined(read.failure, error))
      )
  }

  #parse(received: Awaited<ReturnType<typeof receiveBody>>, body: ExpectedBody, exchange: Exchange): void {
    const { reply, read, compiled } = exchange
    try {
      const value = bodyValue(received, body, compiled)
      this.#respond(value === undefined ? undefined : { value, mediaType: body.content.mediaType }, exchange)
    } catch (error) {
      reply.send(combined(read.failure, error))
    }
  }

  #respond(body: ParsedBody | undefined, { reply, read: { parameters, failure }, compiled }: Exchange): void {
    if (failure !== undefined) throw failure
    const principal = principalOf(reply.request)
    const details = {
      body: body?.value,
      mediaType: body?.mediaType,
      principal,
      route: this.#route
    }
    const response = this.#callHandler(new HandlerRequest(reply, parameters, details))
    if (!isThenable(response)) compiled.send(response, reply)
    else
      Promise.resolve(response).then(
        (value) => sendOrFail(value, reply, compiled),
        (error: unknown) => reply.send(failureOf(error))
      )
  }

  #callHandler(request: HandlerRequest): HandlerResponse | Promise<HandlerResponse> {
    try {
      return this.#handler(request)
    } catch (error) {
      throw failureOf(error)
    }
  }
}

function sendOrFail(response: HandlerResponse, reply: FastifyReply, { send }: Compiled): void {
  try {
    send(response, reply)
  } catch (error) {
    reply.send(error)
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

/** Returns whether the router took nothing for a parameter: it matches `/notes/` with `/notes/{id}`. */
function hasEmptyText({ params }: FastifyRequest): boolean {
  const texts = params as Readonly<Record<string, string>>
  for (const name in texts) if (texts[name] === '') return true
  return false
}
