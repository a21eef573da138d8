/** What the security handlers found out about the client of a request. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FailureError } from './errors/failure.ts'

/** Symbols, so that services read the principal by `principalOf` and depend on nothing else. */
const principal = Symbol('principal')
const forbidden = Symbol('forbidden')

declare module 'fastify' {
  interface FastifyRequest {
    [principal]?: unknown
    [forbidden]?: FailureError | undefined
  }
}

/** Declares the properties, so that all requests have one shape in V8. */
export function decorateAdmission(app: FastifyInstance): void {
  app.decorateRequest(principal, undefined)
  app.decorateRequest(forbidden, undefined)
}

export function setPrincipal(request: FastifyRequest, value: unknown): void {
  request[principal] = value
}

/** Notes the refusal of a known principal, which is thrown after the hooks of the service. */
export function setForbidden(request: FastifyRequest, error: FailureError): void {
  request[principal] = error.principal
  request[forbidden] = error
}

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
