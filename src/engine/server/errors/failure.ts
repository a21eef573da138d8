/**
 * Table of failures: one row for each way in which a request can end without the response of its handler. The service
 * turns a failure into the contract's own error body; see `errorBody` of `createContractServer`.
 */

/** Every failure of the engine with its status (RFC 9110, section 15; RFC 6585 for 429 and 431). */
export const failureStatus = {
  'malformed-http': 400,
  'malformed-url': 400,
  'malformed-body': 400,
  'missing-body': 400,
  mismatch: 400,
  'no-credentials': 401,
  'credentials-refused': 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'not-acceptable': 406,
  timeout: 408,
  'body-too-large': 413,
  'unsupported-media-type': 415,
  'expectation-failed': 417,
  'too-many-requests': 429,
  'headers-too-large': 431,
  internal: 500,
  'response-mismatch': 500,
  'not-implemented': 501,
  overloaded: 503,
  unavailable: 503,
  'shutting-down': 503
} as const satisfies Record<string, number>

export type FailureCode = keyof typeof failureStatus

/** Violation of the contract: its place and a message. */
export interface Problem {
  /** `body/items/0/id`, `query/limit`, `headers/x-trace`, `params/id`, `cookies/session`. */
  readonly place: string
  /** `must be integer`, `is required`: the predicate to `place`. */
  readonly message: string
}

export interface Failure {
  readonly code: FailureCode
  /** HTTP status, from `failureStatus`. */
  readonly status: number
  /** Text that is safe to send: it contains no path, stack, package name, credential, or long piece of the request. */
  readonly message: string
  /** Problems of a `mismatch`, up to a bound. */
  readonly problems: readonly Problem[]
  /** Response headers of the failure: `Allow`, `Accept`, `WWW-Authenticate`, `Retry-After`, `Connection`. */
  readonly headers: Readonly<Record<string, string | string[]>>
  /** Reason for the log; set where the message quotes the request, otherwise the message is logged. */
  readonly reason?: string
}

interface Details {
  readonly message?: string
  readonly reason?: string
  readonly problems?: readonly Problem[]
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** Cause for the log; never sent. */
  readonly cause?: unknown
  /** Principal of a `forbidden` request, so that hooks of a service can count and log it for that client. */
  readonly principal?: unknown
}

const defaultMessages: Record<FailureCode, string> = {
  'malformed-http': 'the request is not well-formed HTTP',
  'malformed-url': 'the URL is not well-formed',
  'malformed-body': 'the body is not well-formed',
  'missing-body': 'a body is required',
  mismatch: 'the request does not match the contract',
  'no-credentials': 'no credentials were sent',
  'credentials-refused': 'the credentials were refused',
  forbidden: 'the credentials do not permit this',
  'not-found': 'no such path',
  'method-not-allowed': 'the method is not allowed here',
  'not-acceptable': 'no declared media type is acceptable',
  timeout: 'the request did not arrive in time',
  'body-too-large': 'the body is too large',
  'unsupported-media-type': 'the media type of the body is not supported',
  'expectation-failed': 'the expectation is not supported',
  'too-many-requests': 'too many requests',
  'headers-too-large': 'the request headers are too large',
  internal: 'internal server error',
  'response-mismatch': 'internal server error',
  'not-implemented': 'this is not implemented yet',
  overloaded: 'the service is overloaded',
  unavailable: 'something the service depends on is unavailable',
  'shutting-down': 'the service is shutting down'
}

/** Returns the property `statusCode` of an error, as plugins set it; undefined where it cannot be read. */
export function statusCodeOf(error: unknown): unknown {
  try {
    return error instanceof Error ? Reflect.get(error, 'statusCode') : undefined
  } catch {
    return undefined
  }
}

/** Ends a request with a failure; `cause` is logged and never sent. */
export class FailureError extends Error {
  override readonly name: string
  readonly failure: Failure
  readonly principal: unknown

  constructor(code: FailureCode, details: Details = {}) {
    const message = details.message ?? defaultMessages[code]
    const { stackTraceLimit } = Error
    try {
      // Expected failures need no stack trace; capturing it costs more than the rest of the refusal.
      if (failureStatus[code] !== 500) Error.stackTraceLimit = 0
      super(message, { cause: details.cause })
    } finally {
      Error.stackTraceLimit = stackTraceLimit
    }
    this.name = 'FailureError'
    this.principal = details.principal
    this.failure = {
      code,
      status: failureStatus[code],
      message,
      problems: details.problems ?? [],
      headers: details.headers ?? {},
      ...(details.reason === undefined ? {} : { reason: details.reason })
    }
  }
}

/** Returns false for an error that cannot be read, too. */
export function isFailure(error: unknown): error is FailureError {
  try {
    return error instanceof FailureError
  } catch {
    return false
  }
}

/**
 * Turns a stack overflow in a recursive reader or validator into 400 `mismatch`. Every other error, also another
 * RangeError (an invalid length, a number that is no bigint), is thrown as it is: it is a defect, and not the client's.
 *
 * @param what the subject of the message, such as `body`
 */
export function guardDepth<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!isStackOverflow(error)) throw error
    throw new FailureError('mismatch', { message: `${what} is nested too deeply`, cause: error })
  }
}

/** Recognises the error of V8 by its message, because it has neither a class nor a code of its own. */
function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message === 'Maximum call stack size exceeded'
}
