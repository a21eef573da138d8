/** State of a request before its body is read: its operation and the result of its security handlers. */
import type { FastifyInstance, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import type { Operation } from '../model/compiled-contract.ts'
import { FailureError } from './errors/failure.ts'
import type { Authenticate } from './security/authenticate.ts'

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
