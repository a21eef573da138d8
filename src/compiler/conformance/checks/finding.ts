/** Findings: what a server does otherwise than its contract says, each with the exchange that shows it. */

/** Names of the checks, which are stable; docs/contract-life.md explains each. */
export const checks = [
  'server-error',
  'time-out',
  'connection',
  'valid-request-refused',
  'invalid-request-accepted',
  'missing-credentials-accepted',
  'wrong-credentials-accepted',
  'undeclared-method',
  'undeclared-status',
  'response-media-type',
  'response-header',
  'response-body',
  'value-changed',
  'created-not-found'
] as const

export type Check = (typeof checks)[number]

/** One deviation of an exchange, before it is known which request shows it best. */
export interface Deviation {
  readonly check: Check
  /** Distinguishes deviations of one check and operation: `body/name`, a status, a name. */
  readonly place: string
  /** A sentence. */
  readonly message: string
}

export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Text, or `base64:…` for bytes that are not UTF-8; null without a body. */
  readonly body: string | null
}

export interface ReceivedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Finding {
  readonly check: Check
  /** `POST /pets`. */
  readonly operation: string
  readonly message: string
  readonly request: SentRequest
  /** Null where none came. */
  readonly response: ReceivedResponse | null
  /** A line for a POSIX shell. */
  readonly curl: string
}

/** The JSON report. */
export interface Report {
  readonly seed: number
  /** Number of operations. */
  readonly operations: number
  /** Number of requests that were sent. */
  readonly requests: number
  readonly findings: readonly Finding[]
}
