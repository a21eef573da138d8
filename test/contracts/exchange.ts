/** One request to a contract in this folder, and what must come of it. */
export interface Exchange {
  /** `GET /things/7` */
  readonly send: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** A string or bytes as they are, anything else as JSON. */
  readonly body?: unknown
  /** What the handler returns: `{ status: 204 }` where nothing is said. */
  readonly answer?: {
    readonly status: number
    readonly body?: unknown
    readonly headers?: Record<string, unknown>
  }
  /** The status of the response. */
  readonly want: number
  /** What the handler was given, member by member; `operation` is its operationId. */
  readonly seen?: Readonly<Record<string, unknown>>
  /** Part of the message of a failure. */
  readonly told?: string
  /** The body of the response, as text or as JSON. */
  readonly got?: unknown
  /** Headers of the response. */
  readonly gotHeaders?: Readonly<Record<string, string | undefined>>
}
