/** Calls one security handler, and interprets its result or error. */
import type { FastifyRequest } from 'fastify'
import type { SecurityRequirement, SecurityScheme } from '../../model/compiled-contract.ts'
import { FailureError } from '../errors/failure.ts'
import { forbidden } from './challenges.ts'
import type { Present } from './credentials.ts'

export type SecurityHandler = (
  credential: never,
  context: { readonly scopes: readonly string[]; readonly request: FastifyRequest }
) => unknown

/** Scheme of an alternative, with its handler. */
export interface Check extends SecurityRequirement {
  readonly definition: SecurityScheme
  readonly handler: SecurityHandler
}

/** Returns false for a falsy value and for an Error: both mean "not authenticated". */
export function isPrincipal(value: unknown): boolean {
  return Boolean(value) && !(value instanceof Error)
}

/**
 * Returns the result of the handler. Thenables become promises, so that a query builder is never taken for a principal.
 * @throws {FailureError} or returns a promise that rejects with it
 */
export function callHandler(check: Check, { value }: Present, request: FastifyRequest): unknown {
  const onError = (error: unknown) => refusalOf(error, check)
  try {
    const result = check.handler(value as never, { scopes: check.scopes, request })
    return isThenable(result) ? Promise.resolve(result).catch(onError) : result
  } catch (error) {
    return onError(error)
  }
}

export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/**
 * Interprets an error. A FailureError 401 means "not authenticated"; the status 403 means "not permitted" (RFC 6750,
 * section 3.1); any other FailureError is thrown as it is; any other error is a defect of the handler (500).
 */
function refusalOf(error: unknown, { definition, scopes }: Check): undefined {
  if (isForbidden(error)) throw forbidden(error, definition, scopes)
  if (!(error instanceof FailureError)) throw new FailureError('internal', { cause: error })
  if (error.failure.status !== 401) throw error
}

function isForbidden(error: unknown): boolean {
  if (error instanceof FailureError) return error.failure.code === 'forbidden'
  return error instanceof Error && Reflect.get(error, 'statusCode') === 403
}
