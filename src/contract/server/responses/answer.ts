/** What a handler returns. */
export interface Answer {
  readonly status: number
  /** JSON: a value; text: a string; anything else: a string, bytes, or a stream of bytes. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, unknown>>
}
