/** Responds to requests that Node's HTTP parser or time-outs refuse (event `clientError`). */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { FailureError } from '../errors/failure.ts'
import { lingeringClose } from './lingering-close.ts'
import { currentResponse, isReceiving } from './node-internals.ts'
import { serveNoMore } from './pipelining.ts'
import { isOn } from './protections.ts'
import { closeReported, type RenderFailure, rawResponse } from './raw-response.ts'

const refused = new WeakSet<Duplex>()

/** Request with a time-out of its own, and the refusal of Node's time-out that it has put off. */
interface Exemption {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  late?: () => void
}

const exemptions = new WeakMap<Duplex, Exemption>()

/** Servers whose time-outs reach `refuseConnection`, or are put off before they reach other listeners. */
const guarded = new WeakSet<object>()

/** Marks a server whose listener for `clientError` is `refuseConnection`. */
export const guardTimeouts = (server: Server): void => void guarded.add(server)

/**
 * Puts off Node's time-out for a whole request, which Node reports once, while the body of this one is streamed.
 * @param main server of the application, which may have others for further addresses
 * @returns a function that ends this; a request that is late and still incomplete is refused then
 */
export function exemptFromTimeout(response: ServerResponse, main: Server): () => void {
  const { req: request } = response
  const { socket } = request
  const exemption: Exemption = { request, response }
  // Undocumented; without it, only the main server is known.
  if (main.requestTimeout > 0) putOffTimeouts(Object(socket).server ?? main, main)
  exemptions.set(socket, exemption)
  return () => {
    if (exemptions.get(socket) !== exemption) return
    exemptions.delete(socket)
    if (!request.complete) exemption.late?.()
  }
}

/**
 * Puts a listener in place of those of an application, which gives them the time-out of a streamed request when its
 * response is closed, if it is still incomplete then, and every other error at once.
 */
function putOffTimeouts(server: Server, main: Server): void {
  if (guarded.has(server)) return
  guarded.add(server)
  // Fastify listens at the main server only.
  const listeners = (server.listenerCount('clientError') > 0 ? server : main).listeners('clientError')
  server.removeAllListeners('clientError')
  server.on('clientError', (error, socket) => {
    const refuse = (): void => {
      for (const listener of listeners) Reflect.apply(listener, server, [error, socket])
    }
    const exemption = exemptions.get(socket)
    if (exemption?.request.complete !== false || !isTimeout(error)) refuse()
    else exemption.late = () => afterResponse(exemption, refuse)
  })
}

function afterResponse({ request, response }: Exemption, refuse: () => void): void {
  const refuseIncomplete = (): void => (request.complete ? undefined : refuse())
  if (response.closed) refuseIncomplete()
  else response.once('close', refuseIncomplete)
}

/**
 * Responds once, after the responses to earlier requests on the connection. Does not respond if the response to this
 * request has begun.
 * @param error an error of Node, or a FailureError for the request that the connection is receiving
 */
export function refuseConnection(error: Error, socket: Duplex, render: RenderFailure): void {
  if (refused.has(socket)) return
  const exemption = exemptions.get(socket)
  if (exemption?.request.complete === false && isTimeout(error)) {
    exemption.late = () => refuseConnection(error, socket, render)
    return
  }
  refused.add(socket)
  const failed = failureOf(error)
  if (failed === undefined) socket.destroy()
  else if (!isOn('refusals')) closeReported(socket, failed, render)
  else afterEarlierResponses(socket, () => conclude(socket, failed, render))
}

/** Calls `run` when the responses to all complete requests are written. */
function afterEarlierResponses(socket: Duplex, run: () => void): void {
  const response = currentResponse(socket)
  if (response?.req.complete) response.once('close', () => afterEarlierResponses(socket, run))
  else run()
}

function conclude(socket: Duplex, failed: FailureError, render: RenderFailure): void {
  const response = currentResponse(socket)
  if (response !== undefined && !response.writableEnded) failResponse(response, failed)
  else if (response !== undefined || hasResponse(socket)) lingeringClose(socket)
  else lingeringClose(socket, rawResponse(failed.failure, render))
}

/** Leaves the response to the route of the request, which logs it; the rest of the connection is not served. */
function failResponse(response: ServerResponse, failed: FailureError): void {
  const { socket } = response.req
  if (response.headersSent) return void socket.destroy()
  response.setHeader('Connection', 'close')
  serveNoMore(socket)
  failRequest(response.req, failed)
}

const isTimeout = (error: Error): boolean => Object(error).code === 'ERR_HTTP_REQUEST_TIMEOUT'

/** Returns undefined for an error of the connection, not of the request. */
function failureOf(error: Error): FailureError | undefined {
  if (error instanceof FailureError) return error
  const { code, reason } = Object(error)
  if (isTimeout(error)) return new FailureError('timeout')
  if (code === 'HPE_HEADER_OVERFLOW') return new FailureError('headers-too-large')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return new FailureError('body-too-large')
  if (!String(code).startsWith('HPE_')) return undefined
  return new FailureError('malformed-http', { message: `the request is not well-formed HTTP: ${reason}` })
}

/** Returns true if the response to the received bytes is written, or a response has closed the connection. */
function hasResponse(socket: Duplex): boolean {
  return !socket.writable || isReceiving(socket)
}

/** Failure of a request. A property, because it costs less than a WeakMap at every body that is read. */
const failure = Symbol('failure')

interface Failed extends IncomingMessage {
  [failure]?: FailureError
}

/**
 * Ends the reading of the body with the failure, also a reading that begins later: the response to the request states
 * it, so that each request gets one response.
 */
function failRequest(request: Failed, failed: FailureError): void {
  request[failure] = failed
  // Without a listener the event would be thrown.
  if (request.listenerCount('error') > 0) request.emit('error', failed)
}

export const requestFailure = (request: Failed): FailureError | undefined => request[failure]
