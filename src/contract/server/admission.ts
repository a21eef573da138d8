/** The result of the first half of a route, before the body of a request is read. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ExpectedBody } from './body/expectation.ts'
import type { FailureError } from './errors/failure.ts'

export interface Admission {
  readonly principal: unknown
  /** The body that the headers announce; undefined without one. */
  readonly body: ExpectedBody | undefined
  /** The refusal of a known principal; thrown after the hooks of the service. */
  readonly forbidden?: FailureError | undefined
}

/** A symbol, so that services read the principal by `principalOf` and depend on nothing else. */
const admission = Symbol('admission')

declare module 'fastify' {
  interface FastifyRequest {
    [admission]?: Admission | undefined
  }
}

/** Declares the property, so that all requests have one shape in V8. */
export function decorateAdmission(app: FastifyInstance): void {
  app.decorateRequest(admission, undefined)
}

export function setAdmission(request: FastifyRequest, admitted: Admission): void {
  request[admission] = admitted
}

export function admissionOf(request: FastifyRequest): Admission | undefined {
  return request[admission]
}

/**
 * Returns what the security handlers returned for this request, or the principal that a 403 names: undefined before
 * authentication, after a 401, and where the contract requires none.
 */
export function principalOf(request: FastifyRequest): unknown {
  return request[admission]?.principal
}
