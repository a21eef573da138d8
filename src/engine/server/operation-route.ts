/**
 * Route of one operation, in the order of a request: admit (the rules of HTTP, the path, the credentials), read
 * (parameters, body), handle, answer. It awaits only the credentials, the body and the handler.
 */
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  RouteOptions
} from 'fastify'
import { negotiate } from '../model/accept.ts'
import type { CompiledCode, LoadCode, Operation } from '../model/compiled-contract.ts'
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
import { type Handler, HandlerRequest, type Route } from './handlers/handler-request.ts'
import type { OpenRequests } from './handlers/open-requests.ts'
import { noParameters } from './parameters/decoded.ts'
import { parameterReader } from './parameters/read-parameters.ts'
import { joinPaths, normalizePath, pathMatcher, pathOf } from './parameters/request-path.ts'
import { type HandlerResponse, offers } from './responses/body.ts'
import { responseSender, type Sending, type SendResponse } from './responses/send.ts'
import { authenticator, type Security } from './security/authenticate.ts'
import { serveNoMore } from './transport/connections.ts'
import { refusal } from './transport/request-checks.ts'

/**
 * A symbol, so that services can read the property by `operationOf` and `principalOf` only. No decorator declares it,
 * because Fastify copies those into every request, also where no operation is served.
 */
const admissionKey = Symbol('admission')

/** State of a request to an operation. */
interface Admitted {
  readonly operation: Operation
  principal: unknown
  /** Refusal of a known principal. */
  forbidden: FailureError | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    [admissionKey]?: Admitted | undefined
  }
  interface FastifyContextConfig {
    /** Operation of the route; set for every route of the contract. */
    operation?: Operation
  }
}

/** @throws {FailureError} for a request that must not be served */
export type Guard = (request: FastifyRequest) => void

/**
 * Returns the first check of every route: 400 for HTTP violations, 503 while the server is closing. Operations call it
 * themselves, because another hook costs as much as the check.
 */
export function requestGuard(app: FastifyInstance): Guard {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  return ({ raw }) => {
    const refused = refusal(raw)
    if (refused !== undefined) {
      serveNoMore(raw.socket)
      throw refused
    }
    // RFC 9110, section 15.6.4. Fastify adds `Connection: close`; another process may serve the retry.
    if (isClosing) throw new FailureError('shutting-down', { headers: { 'retry-after': '1' } })
  }
}

/** Adds the check as the first onRequest hook of every later route outside the contract. */
export function guardRoutes(app: FastifyInstance, guard: Guard): void {
  const hook: onRequestHookHandler = (request, _reply, done) => {
    guard(request)
    done()
  }
  app.addHook('onRoute', (route) => {
    if (route.config?.operation !== undefined) return
    route.onRequest = [hook, ...[route.onRequest ?? []].flat()]
  })
}

export interface Admission extends Security {
  readonly guard: Guard
  /** Template of the paths before those of the contract. */
  readonly prefix: string
}

/** Returns the hook of an operation. Hooks of a service, such as a rate limit, run before all further checks. */
export function admission(operation: Operation, context: Admission): onRequestHookHandler {
  const { guard, prefix } = context
  const { notices } = operation
  const authenticate = authenticator(operation, context)
  const template = joinPaths(prefix, operation.path)
  const match = template.includes('{') ? pathMatcher(template) : undefined
  return (request, reply, done) => {
    if (notices !== undefined) reply.headers(notices)
    const admitted: Admitted = { operation, principal: undefined, forbidden: undefined }
    request[admissionKey] = admitted
    guard(request)
    if (match !== undefined && hasEmptyText(request)) {
      const path = normalizePath(pathOf(String(request.raw.url)))
      if (match(path) === undefined) return void done(new FailureError('not-found'))
    }
    let result: unknown
    try {
      result = authenticate?.(request)
    } catch (error) {
      // Every error refuses, also one that no security handler should cause.
      return void done(refused(error, admitted))
    }
    // Not inside of `try`, because `done` runs everything that follows.
    if (result instanceof Promise)
      result.then(
        (value) => {
          admitted.principal = value
          done()
        },
        (error: unknown) => done(refused(error, admitted))
      )
    else {
      admitted.principal = result
      done()
    }
  }
}

/** Returns whether the router took nothing for a parameter: it matches `/notes/` with `/notes/{id}`. */
function hasEmptyText({ params }: FastifyRequest): boolean {
  const texts = params as Readonly<Record<string, string>>
  for (const name in texts) if (texts[name] === '') return true
  return false
}

/**
 * Keeps the 403 of a known principal until the hooks of the service have run, so that a rate limit counts it.
 * @returns every other refusal; never the error itself, because `done` takes a falsy one for success
 */
function refused(error: unknown, admitted: Admitted): FailureError | undefined {
  if (!(error instanceof FailureError)) return new FailureError('internal', { cause: error })
  if (error.principal === undefined) return error
  admitted.forbidden = error
  admitted.principal = error.principal
  return undefined
}

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
  const route: Route = { operation, offered: mediaTypes, open: context.open, prefix: context.prefix }
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
    const { forbidden } = request[admissionKey] as Admitted
    if (forbidden !== undefined) throw forbidden
    // No success can have an acceptable media type. An operation with one type offers no choice.
    if (hasChoice && negotiate(request.headers.accept, mediaTypes) < 0)
      throw new FailureError('not-acceptable', {
        message: `none of the media types in Accept is offered: ${mediaTypes.join(', ')}`
      })
    const body = expectBody(request.raw)
    if (compiled !== undefined) read(compiled, reply, body)
    else
      load()
        .then((loaded) => read(loaded, reply, body))
        .catch(reply.send.bind(reply))
  }

  async function load(): Promise<Compiled> {
    const code = await context.code()
    compiled ??= { code, answer: responseSender(operation, code, context) }
    return compiled
  }

  function read({ code, answer }: Compiled, reply: FastifyReply, expected: ExpectedBody | undefined): void {
    const decoded = readParameters?.(reply.request, code)
    if (expected === undefined) handle(undefined)
    else
      receiveBody(expected, reply, context).then(handle, (error: unknown) => {
        reply.send(combined(decoded?.failure, error))
      })

    function handle(received: Received | undefined): void {
      try {
        const body =
          received === undefined || expected === undefined ? undefined : bodyValue(received, expected, code)
        if (decoded?.failure !== undefined) throw decoded.failure
        const mediaType = body === undefined ? undefined : expected?.content.mediaType
        const { principal } = reply.request[admissionKey] as Admitted
        const details = { body, mediaType, principal, route }
        const request = new HandlerRequest(reply, decoded?.parameters ?? noParameters, details)
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
        reply.send(combined(decoded?.failure, error))
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

/** Returns the operation of a request; undefined for other routes, and where no route matches. */
export function operationOf(request: FastifyRequest): Operation | undefined {
  // A hook may refuse the request before its operation is set. Fastify creates `routeOptions` at each access.
  return request[admissionKey]?.operation ?? request.routeOptions.config.operation
}

/**
 * Returns the result of the security handlers, or the principal that a 403 names: undefined before authentication,
 * after a 401, and where the contract requires no authentication.
 */
export function principalOf(request: FastifyRequest): unknown {
  return request[admissionKey]?.principal
}
