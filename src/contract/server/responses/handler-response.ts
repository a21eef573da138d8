/** The response that a handler returns. */
export interface HandlerResponse {
  readonly status: number
  /** JSON: a value; text: a string; every other media type: a string, bytes, or a stream of bytes. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, unknown>>
}
