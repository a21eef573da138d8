/** Makes the exchanges of one operation that takes and answers JSON. */
export function exchangesOf(send: string) {
  const post = (body: string, more: Partial<Exchange>): Exchange => ({
    send,
    headers: { 'content-type': 'application/json' },
    body,
    answer: { status: 200, body: {} },
    want: 200,
    ...more
  })
  return {
    post,
    answers: (body: object, got: string): Exchange => post('{}', { answer: { status: 200, body }, got }),
    breaks: (body: object): Exchange => post('{}', { answer: { status: 200, body }, want: 500 })
  }
}

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
