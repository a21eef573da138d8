/**
 * Connections of Node's HTTP server. The responses of each are bounded (RFC 9112, section 9.3.2), and errors are answered
 * after them. A socket that is closed with unread input is reset, and a reset discards the response that the client has not
 * read yet (RFC 9112, section 9.6), so that what the client still sends is discarded first, within bounds.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { constants } from 'node:http2'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { FailureError } from '../errors/failure.ts'
import { closeReported, type RenderFailure, rawResponse, renderSafely } from './raw-response.ts'
import { deferContinue, http2Stream, refusal, refuseExpectation } from './request-checks.ts'

/** Requests without a complete response, beyond which a connection is closed. Clients pipeline far fewer. */
const maxOpen = 100

/** State of a connection to a guarded server. */
export interface Connection {
  readonly server: Server
  /** Responses in the order of their requests. The closed ones at its beginning are removed by the next request. */
  readonly responses: ServerResponse[]
  /** Time of the connection, then that of its latest request, in ms; infinite for a request without a time-out. */
  startedAt: number
  /** True when no further request of the connection is served. */
  isOver: boolean
}

/** Key of the state on a socket. A property, because a WeakMap costs more for each request. */
const state = Symbol('connection')

/** @returns undefined for a connection to a server that is not guarded */
export const connectionOf = (socket: Duplex & { [state]?: Connection }): Connection | undefined =>
  socket[state]

/** Makes the current request of a connection its last one. */
export function serveNoMore(socket: Duplex): void {
  const connection = connectionOf(socket)
  if (connection !== undefined) connection.isOver = true
}

/** Tracks the connections of a server. */
function trackResponses(server: Server): void {
  server.on('connection', (socket: Socket) => {
    const connection: Connection = { server, responses: [], startedAt: performance.now(), isOver: false }
    Object.assign(socket, { [state]: connection })
  })
}

/** Returns the responses that are not closed, in the order of their requests. */
export const openResponses = (socket: Duplex): readonly ServerResponse[] =>
  connectionOf(socket)?.responses.filter((response) => !response.closed) ?? []

/**
 * Adds the response of a request to its connection.
 * @returns false for a request that must not be served
 */
function admit(request: IncomingMessage, response: ServerResponse, render: RenderFailure): boolean {
  const { socket, headers } = request
  const connection = connectionOf(socket)
  if (connection === undefined) return true
  if (connection.isOver || socket.destroyed) {
    // A connection that is not read does not notice that its client has left.
    if (!socket.destroyed) request.resume()
    return false
  }
  const { responses } = connection
  while (responses[0]?.closed) responses.shift()
  connection.startedAt = performance.now()
  if (responses.push(response) > maxOpen) {
    connection.isOver = true
    const message = `more than ${maxOpen} requests of a connection wait for their answers`
    closeReported(socket, new FailureError('too-many-requests', { message }), render)
    return false
  }
  // Node drops the bytes behind a request with Upgrade: what follows them is not a request.
  if (headers.upgrade !== undefined) {
    connection.isOver = true
    closeAfter(response)
  }
  // A body of unknown length, or of more bytes than a single read of the connection gives.
  const isLarge =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 65_536
  if (isLarge) response.prependOnceListener('finish', () => discardBody(request))
  return true
}

/**
 * Must be called after Fastify has set its time-outs and its listener for requests, and before the server listens. Does
 * not limit the number of headers, because their size is limited.
 * @param connect failure that a CONNECT is answered with
 */
export function guardServer(
  server: Server,
  render: RenderFailure,
  connect = new FailureError('method-not-allowed')
): void {
  server.maxHeadersCount = 0
  // Node swaps the two otherwise, and waits too long for bodies.
  if (server.requestTimeout > 0)
    server.headersTimeout = Math.min(server.headersTimeout, server.requestTimeout)
  trackResponses(server)
  const serve = takeListeners(server, 'request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (admit(request, response, render)) serve(request, response)
  })
  deferContinue(server)
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const renderFor: RenderFailure = (failure) => render(failure, request.socket)
    if (admit(request, response, render)) refuseExpectation(request, response, renderFor)
  })
  server.on('connect', (request, socket) => refuseConnect(refusal(request) ?? connect, socket, render))
  // Connections that Node closes because of `maxConnections`.
  server.on('drop', (peer) => {
    const message = `there are more than ${server.maxConnections} connections`
    renderSafely(new FailureError('overloaded', { message }).failure, (failure) => render(failure, peer))
  })
}

/** Removes the listeners of an event with two arguments, and returns a function that calls them. */
export function takeListeners(server: Server, event: string): (first: unknown, second: unknown) => void {
  const listeners = server.listeners(event)
  server.removeAllListeners(event)
  return (first, second) => {
    for (const listener of listeners) listener.call(server, first, second)
  }
}

/**
 * Refuses a CONNECT. Node has detached its connection: responses to earlier requests could not be written to their end,
 * so that the connection is closed at once where there are such.
 */
function refuseConnect(failed: FailureError, socket: Duplex, render: RenderFailure): void {
  const open = openResponses(socket)
  const renderFor: RenderFailure = (failure) => render(failure, socket)
  if (open.length === 0) endConnection(socket, rawResponse(failed.failure, renderFor))
  else closeReported(socket, failed, render)
  // Node does not close them with their connection any more.
  for (const response of open) response.destroy()
}

/**
 * Logs errors of a server that listens: it emits one when it cannot accept a connection, because there are too many
 * open files. Without a listener the event would end the process.
 */
export function logServerErrors(server: Server, log: Pick<FastifyBaseLogger, 'error'>): void {
  server.once('listening', () =>
    server.on('error', (err) => log.error({ err }, 'a connection could not be accepted'))
  )
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
export function failRequest(request: Failed, failed: FailureError): void {
  request[failure] = failed
  // Without a listener the event would be thrown.
  if (request.listenerCount('error') > 0) request.emit('error', failed)
}

export const requestFailure = (request: Failed): FailureError | undefined => request[failure]

/** Bytes after which a client that goes on sending is disconnected. */
const maxDiscarded = 8_388_608
/** Time in ms after which a connection is destroyed that has sent its last bytes. */
const maxClosingMs = 5_000

/** Sends the last bytes, and discards what the client still sends. Discarded bytes are not parsed. */
export function endConnection(socket: Duplex, lastBytes = ''): void {
  let discarded = 0
  socket
    .removeAllListeners('data')
    .on('data', (chunk: Buffer) => {
      discarded += chunk.length
      if (discarded > maxDiscarded) socket.destroy()
    })
    .on('error', ignore)
    .resume()
  if (socket.writable) socket.end(lastBytes)
  destroyLater(socket)
}

/** Destroys a connection after a time in which its client can read what was sent. */
export function destroyLater(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), maxClosingMs)
  socket.once('close', () => clearTimeout(timer))
}

/** Closes the connection after a response whose headers are not sent yet. */
export function closeAfter(response: ServerResponse): void {
  const { socket } = response.req
  response.setHeader('Connection', 'close')
  response.once('finish', () => socket.destroySoon())
}

/** Discards the rest of a body whose request is answered; Node alone would do so without a bound. */
function discardBody(request: IncomingMessage): void {
  if (request.complete) return
  const { socket } = request
  const end = socket.bytesRead + maxDiscarded
  request.on('data', () => socket.bytesRead > end && socket.destroy()).resume()
}

function ignore(): void {}

/** Sends the bytes that were written first. Behind other responses of its connection it waits for their end. */
export function closeUnfinished(response: ServerResponse): void {
  const stream = http2Stream(response.req)
  // The callback comes after the bytes that were written first.
  if (stream !== undefined) stream.write('', () => stream.close(constants.NGHTTP2_INTERNAL_ERROR))
  else response.write('', () => close(response))
}

/** Without chunks or a length a body ends with its connection (RFC 9112, section 6.3), so that only a reset tells. */
function close(response: ServerResponse): void {
  const { socket, httpVersion } = response.req
  if (socket.destroySoon === undefined) response.destroy()
  else if (httpVersion === '1.0' && !response.hasHeader('content-length')) reset(socket)
  else socket.destroySoon()
}

function reset(socket: Socket): void {
  try {
    socket.resetAndDestroy()
  } catch {
    // Only a connection of TCP can be reset.
    socket.destroy()
  }
}
