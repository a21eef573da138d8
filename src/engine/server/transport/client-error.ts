/** Responds to requests that Node's HTTP parser or time-outs refuse (event `clientError`). */
import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { FailureError } from '../errors/failure.ts'
import {
  type Connection,
  closeAfter,
  connectionOf,
  destroyLater,
  endConnection,
  failRequest,
  openResponses,
  serveNoMore
} from './connections.ts'
import { type RenderFailure, rawResponse } from './raw-response.ts'

const refused = new WeakSet<Duplex>()

/**
 * Responds once, after the responses to earlier requests on the connection. Leaves the response to the route of the
 * request if there is one.
 * @param error an error of Node, or a FailureError for the request that the connection is receiving
 */
export function refuseConnection(error: Error, socket: Duplex, render: RenderFailure): void {
  // A client that has ended within a request may have left: handlers do not wait for it.
  if (socket.readableEnded) destroyLater(socket)
  if (refused.has(socket)) return
  refused.add(socket)
  const connection = connectionOf(socket)
  const failed = failureOf(error, connection)
  if (failed === undefined) return void socket.destroy()
  serveNoMore(socket)
  const response = connection?.responses.at(-1)
  if (response?.req.complete === false) refuseBody(response, failed)
  else
    whenAnswered(socket, () => socket.writable && endConnection(socket, rawResponse(failed.failure, render)))
}

/** Calls `run` when all responses are closed. */
function whenAnswered(socket: Duplex, run: () => unknown): void {
  const last = openResponses(socket).at(-1)
  if (last === undefined) run()
  else last.once('close', run)
}

/** Refuses a request whose body is incomplete. A response that is made already stays the only one. */
function refuseBody(response: ServerResponse, failed: FailureError): void {
  const { req: request } = response
  if (response.writableEnded) whenAnswered(request.socket, () => endConnection(request.socket))
  else if (response.headersSent) request.socket.destroy()
  else {
    closeAfter(response)
    failRequest(request, failed)
  }
  // A connection that is not read does not notice that its client has left.
  request.resume()
}

/** Returns undefined for an error of the connection, not of the request. */
function failureOf(error: Error, connection: Connection | undefined): FailureError | undefined {
  if (error instanceof FailureError) return error
  const { code, reason } = Object(error)
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new FailureError('timeout')
  if (!String(code).startsWith('HPE_')) return undefined
  if (connection !== undefined && isLate(connection)) return new FailureError('timeout')
  if (code === 'HPE_HEADER_OVERFLOW') return new FailureError('headers-too-large')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return new FailureError('body-too-large')
  return new FailureError('malformed-http', { message: `the request is not well-formed HTTP: ${reason}` })
}

/**
 * Returns true for a request that is incomplete after its time-out. Node looks for such requests now and then, and later
 * where many are late: its parser may report before that the client has ended.
 */
function isLate({ server, responses, startedAt }: Connection): boolean {
  const isReceiving = responses.at(-1)?.req.complete !== true
  return isReceiving && server.requestTimeout > 0 && performance.now() - startedAt >= server.requestTimeout
}
