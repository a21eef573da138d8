/** Writes a response for a bare socket, because Fastify has no request for these bytes. */
import { getBuiltinModule } from 'node:process'
import type { Duplex } from 'node:stream'
import type { ErrorResponse } from '../errors/error-response.ts'
import type { Failure, FailureError } from '../errors/failure.ts'

/** An import of node:http would evaluate all its exports, some of which load the fetch client. */
const { STATUS_CODES } = getBuiltinModule('node:http')

/**
 * Turns a failure into the service's error response; every error below the routes uses the same function.
 * @param peer refused connection, or an object with its remote address
 */
export type RenderFailure = (failure: Failure, peer?: object) => ErrorResponse

/** Headers of the message, which a failure must not set. */
const messageHeaders = new Set(['connection', 'content-length', 'date', 'transfer-encoding'])

/** Runs in socket events, where an exception ends the process: when `render` throws, the body is empty. */
export function renderSafely(failure: Failure, render: RenderFailure): ErrorResponse {
  try {
    return render(failure)
  } catch {
    return { status: failure.status, headers: {}, body: '' }
  }
}

/** Returns the whole response as text, with `Connection: close`. */
export function rawResponse(failure: Failure, render: RenderFailure): string {
  const { status, headers, body } = renderSafely(failure, render)
  const ofMessage = [
    ['Date', new Date().toUTCString()],
    ['Content-Length', String(Buffer.byteLength(body))],
    ['Connection', 'close']
  ]
  const others = Object.entries(headers).flatMap(([name, value]) =>
    messageHeaders.has(name.toLowerCase()) ? [] : [value].flat().map((line) => [name, line])
  )
  const head = [...others, ...ofMessage].map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`
}

/** Closes a connection without a response, and reports the failure like one with a response. */
export function closeReported(socket: Duplex, { failure }: FailureError, render: RenderFailure): void {
  // Reported before the close, because a closed socket has no remote address.
  renderSafely(failure, (reported) => render(reported, socket))
  socket.destroy()
}
