import type { FastifyRequest } from 'fastify'

/** Response that a handler returns. */
export interface HandlerResponse {
  readonly status: number
  /** Body: for JSON a value; for text a string; for every other media type a string, bytes, or a stream of bytes. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, unknown>>
}

/** Callback for every response of a handler with a status of 400 or above, when it is sent. Its errors are logged. */
export type OnErrorResponse = (response: HandlerResponse, request: FastifyRequest) => unknown
