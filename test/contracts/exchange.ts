/** One request to a contract in this folder, and the expected response. */
export interface Exchange {
  /** Method and path: `GET /things/7`. */
  readonly send: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** Body of the request: a string or bytes are sent as they are, other values as JSON. */
  readonly body?: unknown
  /** Return value of the handler; `{ status: 204 }` by default. */
  readonly answer?: {
    readonly status: number
    readonly body?: unknown
    readonly headers?: Record<string, unknown>
  }
  /** Expected status of the response. */
  readonly want: number
  /** Expected arguments of the handler, by member; `operation` is its operationId. */
  readonly seen?: Readonly<Record<string, unknown>>
  /** Expected part of the message of a failure. */
  readonly message?: string
  /** Expected body of the response, as text or as JSON. */
  readonly got?: unknown
  /** Expected headers of the response. */
  readonly gotHeaders?: Readonly<Record<string, string | undefined>>
}
