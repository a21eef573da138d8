/** Responses of each connection: their number is bounded (RFC 9112, section 9.3.2), and errors are answered after them. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { FailureError } from '../errors/failure.ts'
import { closeAfter, discardBody } from './closing.ts'
import { closeReported, type RenderFailure } from './raw-response.ts'

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
export function trackResponses(server: Server): void {
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
export function admit(request: IncomingMessage, response: ServerResponse, render: RenderFailure): boolean {
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
