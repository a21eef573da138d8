/** Calls one security handler, and interprets its result or error. */
import type { FastifyRequest } from 'fastify'
import type { SecurityRequirement, SecurityScheme } from '../../model/compiled-contract.ts'
import { isThenable } from '../errors/callbacks.ts'
import { FailureError, statusCodeOf } from '../errors/failure.ts'
import { forbidden, type Present } from './challenges.ts'

export type SecurityHandler = (
  credential: never,
  context: { readonly scopes: readonly string[]; readonly request: FastifyRequest }
) => unknown

/** Scheme of an alternative, with its handler. */
export interface Check extends SecurityRequirement {
  readonly definition: SecurityScheme
  readonly handler: SecurityHandler
}

/** Returns false for a falsy value, an Error, and what is no data: all of them mean "not authenticated". */
export function isPrincipal(value: unknown): boolean {
  // A function is a call that was forgotten; it must not let everybody in.
  return (
    Boolean(value) && !(value instanceof Error) && typeof value !== 'function' && typeof value !== 'symbol'
  )
}

/**
 * Returns the result of the handler. Thenables become promises, so that a query builder is never taken for a principal.
 * @throws {FailureError} or returns a promise that rejects with it
 */
export function callHandler(check: Check, { value }: Present, request: FastifyRequest): unknown {
  try {
    const result = check.handler(value as never, { scopes: check.scopes, request })
    if (isThenable(result))
      return Promise.resolve(result)
        .then(unlessFailure)
        .catch((error: unknown) => refusalOf(error, check))
    return unlessFailure(result)
  } catch (error) {
    return refusalOf(error, check)
  }
}

/** @throws {FailureError} that a handler has returned instead of thrown: a 403 stays a 403 */
function unlessFailure(result: unknown): unknown {
  if (result instanceof FailureError) throw result
  return result
}

/**
 * Interprets an error. A FailureError 401 means "not authenticated"; the status 403 means "not permitted" (RFC 6750,
 * section 3.1); any other FailureError is thrown as it is; any other error is a defect of the handler (500).
 */
function refusalOf(error: unknown, { definition, scheme, scopes }: Check): undefined {
  if (isForbidden(error)) throw forbidden(error, definition, scopes)
  if (!(error instanceof FailureError)) throw defect(error, scheme)
  if (error.failure.status !== 401) throw error
}

function isForbidden(error: unknown): boolean {
  if (error instanceof FailureError) return error.failure.code === 'forbidden'
  return statusCodeOf(error) === 403
}

function defect(cause: unknown, scheme: string): FailureError {
  return new FailureError('internal', { cause, reason: `the security handler ${scheme} failed` })
}
