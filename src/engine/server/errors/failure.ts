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
  'precondition-failed': 412,
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
  /** Place for people: `body/items/0/id`, `query/limit`, `headers/x-trace`, `params/id`, `cookies/session`. */
  readonly place: string
  /**
   * JSON pointer (RFC 6901) into the body, `/items/0/id`; for a parameter `/query/limit`. Points to the property, also
   * to one that is missing or not allowed. Ends before a name of more than 128 characters, which the client has chosen.
   */
  readonly pointer: string
  /** Keyword of the schema: `required`, `type`; undefined where no schema is concerned, such as for malformed texts. */
  readonly keyword: string | undefined
  /** `must be integer`, `is required`: the predicate to `place`. */
  readonly message: string
}

/** Problem that a handler reports; without a pointer, that of its place. */
export type ReportedProblem = Pick<Problem, 'place' | 'message'> & Partial<Problem>

export interface Failure {
  readonly code: FailureCode
  /** HTTP status: that of `failureStatus`, unless an error of a plugin has another one between 400 and 499. */
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
  /** Status in place of that of `failureStatus`. */
  readonly status?: number
  readonly message?: string
  readonly reason?: string
  readonly problems?: readonly ReportedProblem[]
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
  'precondition-failed': 'a precondition of the request does not hold',
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
export const statusCodeOf = (error: unknown): unknown => propertyOf(error, 'statusCode')

/** Returns a property of an error; undefined where it cannot be read. */
export function propertyOf(error: unknown, name: string): unknown {
  try {
    return error instanceof Error ? Reflect.get(error, name) : undefined
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
      status: details.status ?? failureStatus[code],
      message,
      problems: details.problems?.map(complete) ?? [],
      headers: details.headers ?? {},
      ...(details.reason === undefined ? {} : { reason: details.reason })
    }
  }
}

function complete(problem: ReportedProblem): Problem {
  const { place, message, keyword, pointer = pointerOf(place) } = problem
  return { place, pointer, keyword, message }
}

/** Returns the pointer of a place whose names hold no slash. */
function pointerOf(place: string): string {
  const path = /^body(?=\/|$)/.test(place) ? place.slice('body'.length) : `/${place}`
  return path.replaceAll('~', '~0')
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
 * Returns 400 `mismatch` for a stack overflow in a recursive reader or validator. Every other error, also another RangeError
 * (an invalid length, a number that is no bigint), is returned as it is: it is a defect, and not the client's. V8's error is
 * recognised by its message, because it has neither a class nor a code of its own.
 * @param what the subject of the message, such as `body`, or what returns it
 */
export function depthFailure(what: string | (() => string), error: unknown): unknown {
  if (!(error instanceof RangeError) || error.message !== 'Maximum call stack size exceeded') return error
  const subject = typeof what === 'string' ? what : what()
  return new FailureError('mismatch', { message: `${subject} is nested too deeply`, cause: error })
}
