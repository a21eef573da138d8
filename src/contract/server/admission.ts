/** What is known of a request before its body is read: its operation, and what the security handlers found out about its client. */
import type { FastifyInstance, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import type { Operation } from '../model/compiled-contract.ts'
import { FailureError } from './errors/failure.ts'
import type { Authenticate } from './security/authenticate.ts'

/** Symbols, so that services read them by `operationOf` and `principalOf` and depend on nothing else. */
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
    /** Set for every route of the contract. */
    operation?: Operation
  }
}

/** Declares the properties, so that all requests have one shape in V8. */
export function decorateAdmission(app: FastifyInstance): void {
  app.decorateRequest(operation, undefined)
  app.decorateRequest(principal, undefined)
  app.decorateRequest(forbidden, undefined)
}

export function setOperation(request: FastifyRequest, value: Operation): void {
  request[operation] = value
}

/** Returns the operation of the contract that a request is for; undefined for other routes, and where none matches. */
export function operationOf(request: FastifyRequest): Operation | undefined {
  // Fastify makes `routeOptions` at each access. A hook of the service may have refused the request before its operation was set.
  return request[operation] ?? request.routeOptions.config.operation
}

export function setPrincipal(request: FastifyRequest, value: unknown): void {
  request[principal] = value
}

/** Notes what the security handlers return: a principal, or the refusal of a known one. Passes on every other refusal. */
export function authenticateWith(
  authenticate: Authenticate | undefined,
  request: FastifyRequest,
  done: HookHandlerDoneFunction
): void {
  const result = identify(authenticate, request)
  if (result instanceof Promise)
    result.then(
      (value) => admit(value, request, done),
      (error: FailureError) => refuse(error, request, done)
    )
  else if (result instanceof FailureError) refuse(result, request, done)
  else admit(result, request, done)
}

/** Returns a refusal as well: `done` must not run inside of `try`. */
function identify(authenticate: Authenticate | undefined, request: FastifyRequest): unknown {
  try {
    return authenticate?.(request)
  } catch (error) {
    return error
  }
}

function admit(value: unknown, request: FastifyRequest, done: HookHandlerDoneFunction): void {
  setPrincipal(request, value)
  done()
}

/** A 403 to a known principal waits for the hooks of the service, so that a rate limit counts it. */
function refuse(error: FailureError, request: FastifyRequest, done: HookHandlerDoneFunction): void {
  if (error.principal === undefined) return void done(error)
  request[forbidden] = error
  admit(error.principal, request, done)
}

/** Returns the refusal of a known principal, which is thrown after the hooks of the service. */
export function forbiddenOf(request: FastifyRequest): FailureError | undefined {
  return request[forbidden]
}

/**
 * Returns what the security handlers returned for this request, or the principal that a 403 names: undefined before
 * authentication, after a 401, and where the contract requires none.
 */
export function principalOf(request: FastifyRequest): unknown {
  return request[principal]
}
