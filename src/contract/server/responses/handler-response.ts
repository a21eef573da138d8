import type { FastifyRequest } from 'fastify'

/** The response that a handler returns. */
export interface HandlerResponse {
  readonly status: number
  /** JSON: a value; text: a string; every other media type: a string, bytes, or a stream of bytes. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, unknown>>
}

/** Called for every response of a handler whose status is 400 or above, when it is sent. It must not throw. */
export type OnErrorResponse = (response: HandlerResponse, request: FastifyRequest) => void
