/** Responses that `errorResponse` of the options gives for errors. */
import { type ErrorLog, resultOf } from '../errors/callbacks.ts'
import { type FailureError, isFailure } from '../errors/failure.ts'
import type { HandlerResponse } from './body.ts'

/** Returns the response to an error, or undefined for one that it does not know. */
export type MapError<Request> = (error: unknown, request: Request) => HandlerResponse | undefined

/** Errors by the responses to them, for the log. */
const causes = new WeakMap<HandlerResponse, { readonly error: unknown }>()

/**
 * Returns undefined, after a line in the log, where the function fails, too. Logs the error of a response of 500 or
 * above, because it is a defect for which no other line is written.
 * @throws {FailureError} which the function has thrown
 */
export function mappedResponse<Request extends { readonly log: ErrorLog }>(
  error: unknown,
  request: Request,
  errorResponse: MapError<Request>
): HandlerResponse | undefined {
  const { log } = request
  let failure: FailureError | undefined
  const call = () => {
    try {
      return errorResponse(error, request)
    } catch (thrown) {
      if (!isFailure(thrown)) throw thrown
      failure = thrown
      return undefined
    }
  }
  const response = resultOf('errorResponse', log, { call, accepts: isResponse })
  if (failure !== undefined) throw failure
  if (response === undefined) return undefined
  causes.set(response, { error })
  const { status } = response
  if (status >= 500) log[status === 503 ? 'warn' : 'error']({ err: error }, `errorResponse gave ${status}`)
  return response
}

const isResponse = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null)

/** Returns the error that `errorResponse` has turned into a response, otherwise `reason`. */
export function causeOf(response: HandlerResponse, reason: unknown): unknown {
  const mapped = causes.get(response)
  return mapped === undefined ? reason : mapped.error
}
