/** Findings: deviations of a server from its contract, each with the exchange that shows it. */

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

/** A deviation of one exchange, before the search for the request that shows it best. */
export interface Deviation {
  readonly check: Check
  /** Distinguishes deviations of one check and operation: `body/name`, a status, a name. */
  readonly place: string
  /** A sentence for people. */
  readonly message: string
}

export const deviation = (check: Check, place: string, message: string): Deviation => ({
  check,
  place,
  message
})

interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Body as text, or `base64:…` for bytes that are not UTF-8; null without a body. */
  readonly body: string | null
}

export interface ReceivedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Finding {
  readonly check: Check
  /** Method and path: `POST /pets`. */
  readonly operation: string
  readonly message: string
  readonly request: SentRequest
  /** Response; null when none came. */
  readonly response: ReceivedResponse | null
  /** Command line for a POSIX shell. */
  readonly curl: string
}

/** The JSON report. */
export interface Report {
  readonly seed: number
  /** Number of checked operations. */
  readonly operations: number
  /** Number of sent requests. */
  readonly requests: number
  readonly findings: readonly Finding[]
}
