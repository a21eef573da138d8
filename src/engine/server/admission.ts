/** First checks of a request, and its state before its body is read: operation, result of the security handlers. */
import type { FastifyInstance, FastifyRequest, HookHandlerDoneFunction, onRequestHookHandler } from 'fastify'
import type { Operation } from '../model/compiled-contract.ts'
import { FailureError } from './errors/failure.ts'
import type { Authenticate } from './security/authenticate.ts'
import { serveNoMore } from './transport/connections.ts'
import { refusal } from './transport/request-checks.ts'

/** Symbols, so that services can read these properties by `operationOf` and `principalOf` only. */
const operation = Symbol('operation')
const principal = Symbol('principal')
const forbidden = Symbol('forbidden')

declare module 'fastify' {
  interface FastifyRequest {
    [operation]?: Operation | undefined
    [principal]?: unknown
    [forbidden]?: FailureError | undefined
  }
  interface FastifyContextConfig {
    /** Operation of the route; set for every route of the contract. */
    operation?: Operation
  }
}

/** Declares the properties once, so that all requests have one hidden class in V8. */
export function decorateAdmission(app: FastifyInstance): void {
  if (app.hasRequestDecorator(operation)) return
  app.decorateRequest(operation, undefined)
  app.decorateRequest(principal, undefined)
  app.decorateRequest(forbidden, undefined)
}

/**
 * Returns the first check of every route: 400 for HTTP violations, 503 while the server is closing. Operations call it
 * themselves, because another hook costs as much as the check.
 * @returns a function that throws FailureError for a request that must not be served
 */
export function requestGuard(app: FastifyInstance): (request: FastifyRequest) => void {
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
    if (isClosing) throw closing()
  }
}

/** Adds the check as the first onRequest hook of every later route outside the contract. */
export function guardRoutes(app: FastifyInstance, guard: (request: FastifyRequest) => void): void {
  const hook: onRequestHookHandler = (request, _reply, done) => {
    guard(request)
    done()
  }
  app.addHook('onRoute', (route) => {
    if (route.config?.operation !== undefined) return
    route.onRequest = [hook, ...[route.onRequest ?? []].flat()]
  })
}

/** Returns a 503 (RFC 9110, section 15.6.4). Fastify adds `Connection: close`; another process may serve the retry. */
function closing(): FailureError {
  return new FailureError('shutting-down', { headers: { 'retry-after': '1' } })
}

export function setOperation(request: FastifyRequest, value: Operation): void {
  request[operation] = value
}

/** Returns the operation of a request; undefined for other routes, and where no route matches. */
export function operationOf(request: FastifyRequest): Operation | undefined {
  // A hook may refuse the request before its operation is set. Fastify creates `routeOptions` at each access.
  return request[operation] ?? request.routeOptions.config.operation
}

export function setPrincipal(request: FastifyRequest, value: unknown): void {
  request[principal] = value
}

/** Stores the principal, or the refusal of a known principal. Passes on every other refusal. */
export function authenticateWith(
  authenticate: Authenticate | undefined,
  request: FastifyRequest,
  done: HookHandlerDoneFunction
): void {
  let result: unknown
  try {
    result = authenticate?.(request)
  } catch (error) {
    // Every error refuses, also one that no security handler should cause.
    refuse(error, request, done)
    return
  }
  // Not inside of `try`, because `done` runs everything that follows.
  if (result instanceof Promise)
    result.then(
      (value) => admit(value, request, done),
      (error: unknown) => refuse(error, request, done)
    )
  else admit(result, request, done)
}

function admit(value: unknown, request: FastifyRequest, done: HookHandlerDoneFunction): void {
  setPrincipal(request, value)
  done()
}

/** Stores the 403 of a known principal until the hooks of the service have run, so that a rate limit counts it. */
function refuse(error: unknown, request: FastifyRequest, done: HookHandlerDoneFunction): void {
  // Never the error itself: `done` takes a falsy one for success.
  if (!(error instanceof FailureError)) return void done(new FailureError('internal', { cause: error }))
  if (error.principal === undefined) return void done(error)
  request[forbidden] = error
  admit(error.principal, request, done)
}

/** Returns the refusal of a known principal, which is thrown after the hooks of the service. */
export function forbiddenOf(request: FastifyRequest): FailureError | undefined {
  return request[forbidden]
}

/**
 * Returns the result of the security handlers, or the principal that a 403 names: undefined before authentication,
 * after a 401, and where the contract requires no authentication.
 */
export function principalOf(request: FastifyRequest): unknown {
  return request[principal]
}
