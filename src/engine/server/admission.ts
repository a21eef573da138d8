/**
 * Admits a request, by its head alone: the rules of HTTP, the path, the credentials. Keeps its operation and the result of
 * the security handlers for what follows.
 */
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Operation } from '../model/compiled-contract.ts'
import { FailureError } from './errors/failure.ts'
import { joinPaths, normalizePath, pathMatcher, pathOf } from './parameters/request-path.ts'
import { authenticator, type Security } from './security/authenticate.ts'
import { serveNoMore } from './transport/connections.ts'
import { refusal } from './transport/request-checks.ts'

/** Symbols, so that services can read these properties by `operationOf` and `principalOf` only. */
const operationKey = Symbol('operation')
const principalKey = Symbol('principal')
const forbiddenKey = Symbol('forbidden')

declare module 'fastify' {
  interface FastifyRequest {
    [operationKey]?: Operation | undefined
    [principalKey]?: unknown
    [forbiddenKey]?: FailureError | undefined
  }
  interface FastifyContextConfig {
    /** Operation of the route; set for every route of the contract. */
    operation?: Operation
  }
}

/** Declares the properties once, so that all requests have one hidden class in V8. */
export function decorateAdmission(app: FastifyInstance): void {
  if (app.hasRequestDecorator(operationKey)) return
  app.decorateRequest(operationKey, undefined)
  app.decorateRequest(principalKey, undefined)
  app.decorateRequest(forbiddenKey, undefined)
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
    if (isClosing) throw closing()
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

/** Returns a 503 (RFC 9110, section 15.6.4). Fastify adds `Connection: close`; another process may serve the retry. */
function closing(): FailureError {
  return new FailureError('shutting-down', { headers: { 'retry-after': '1' } })
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
  const hasParameters = `${prefix}${operation.path}`.includes('{')
  return (request, reply, done) => {
    if (notices !== undefined) reply.headers(notices)
    request[operationKey] = operation
    guard(request)
    if (hasParameters && hasEmptyText(request) && !hasPath(request))
      return void done(new FailureError('not-found'))
    let result: unknown
    try {
      result = authenticate?.(request)
    } catch (error) {
      // Every error refuses, also one that no security handler should cause.
      return void done(refused(error, request))
    }
    // Not inside of `try`, because `done` runs everything that follows.
    if (result instanceof Promise)
      result.then(
        (value) => {
          request[principalKey] = value
          done()
        },
        (error: unknown) => done(refused(error, request))
      )
    else {
      request[principalKey] = result
      done()
    }
  }

  function hasPath({ raw }: FastifyRequest): boolean {
    const match = pathMatcher(joinPaths(prefix, operation.path))
    return match(normalizePath(pathOf(String(raw.url)))) !== undefined
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
function refused(error: unknown, request: FastifyRequest): FailureError | undefined {
  if (!(error instanceof FailureError)) return new FailureError('internal', { cause: error })
  if (error.principal === undefined) return error
  request[forbiddenKey] = error
  request[principalKey] = error.principal
  return undefined
}

/**
 * Returns the principal of an admitted request; undefined where the contract requires no authentication.
 * @throws {FailureError} the 403 of a known principal
 */
export function admitted(request: FastifyRequest): unknown {
  if (request[forbiddenKey] !== undefined) throw request[forbiddenKey]
  return request[principalKey]
}

/** Returns the operation of a request; undefined for other routes, and where no route matches. */
export function operationOf(request: FastifyRequest): Operation | undefined {
  // A hook may refuse the request before its operation is set. Fastify creates `routeOptions` at each access.
  return request[operationKey] ?? request.routeOptions.config.operation
}

/**
 * Returns the result of the security handlers, or the principal that a 403 names: undefined before authentication,
 * after a 401, and where the contract requires no authentication.
 */
export function principalOf(request: FastifyRequest): unknown {
  return request[principalKey]
}
