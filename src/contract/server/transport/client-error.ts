/** Responds to requests that Node's HTTP parser or time-outs refuse (event `clientError`). */
import type { Duplex } from 'node:stream'
import { type Failure, FailureError } from '../errors/failure.ts'
import { lingeringClose } from './lingering-close.ts'
import { currentResponse, isReceiving } from './node-internals.ts'
import { type RenderFailure, rawResponse } from './raw-response.ts'

const refused = new WeakSet<Duplex>()

/**
 * Responds once, after the responses to earlier requests on the connection. Does not respond if the response to this
 * request has begun.
 */
export function refuseConnection(error: Error, socket: Duplex, render: RenderFailure): void {
  if (refused.has(socket)) return
  refused.add(socket)
  const failure = failureOf(error)
  if (failure === undefined) socket.destroy()
  else afterEarlierResponses(socket, () => conclude(socket, rawResponse(failure, render)))
}

/** Calls `run` when the responses to all complete requests are written. */
export function afterEarlierResponses(socket: Duplex, run: () => void): void {
  const response = currentResponse(socket)
  if (response?.req.complete) response.once('close', () => afterEarlierResponses(socket, run))
  else run()
}

function conclude(socket: Duplex, text: string): void {
  const response = currentResponse(socket)
  if (response?.headersSent && !response.writableEnded) socket.destroy()
  else if (response?.writableEnded || isAnswered(socket)) lingeringClose(socket)
  else lingeringClose(socket, text)
}

/** Returns undefined for an error of the connection, not of the request. */
function failureOf(error: Error): Failure | undefined {
  const { code, reason } = Object(error)
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new FailureError('timeout').failure
  if (code === 'HPE_HEADER_OVERFLOW') return new FailureError('headers-too-large').failure
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return new FailureError('body-too-large').failure
  if (!String(code).startsWith('HPE_')) return undefined
  return new FailureError('malformed-http', { message: `the request is not well-formed HTTP: ${reason}` })
    .failure
}

/** Returns true if the received bytes belong to a request whose response is already written. */
function isAnswered(socket: Duplex): boolean {
  return currentResponse(socket) === undefined && isReceiving(socket)
}
