/** Listeners and limits of Node's HTTP server for errors that never reach a route. */
import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { FailureError } from '../errors/failure.ts'
import { afterEarlierResponses } from './client-error.ts'
import { deferContinue, refuseExpectation } from './expect-continue.ts'
import { lingeringClose, lingerOnClose } from './lingering-close.ts'
import { allowHalfOpen } from './node-internals.ts'
import { limitPipelining } from './pipelining.ts'
import { type RenderFailure, rawResponse, renderSafely } from './raw-response.ts'
import { UnreadBytes } from './unread-bytes.ts'
import { closeUnreadResponses } from './unread-responses.ts'

interface Guard {
  /** Methods that the 405 to a CONNECT lists. */
  readonly allow?: string
  readonly unread?: UnreadBytes
}

/**
 * Must be called after Fastify has set its time-outs, and before the server listens. Does not limit the number of
 * headers, because their size is limited. Ignores `Upgrade` headers (RFC 9110, section 7.8).
 */
export function guardServer(
  server: Server,
  render: RenderFailure,
  { allow = '', unread = new UnreadBytes(render) }: Guard = {}
): void {
  server.maxHeadersCount = 0
  limitHeadersTimeout(server)
  allowHalfOpen(server)
  server.on('connection', lingerOnClose)
  server.on('connection', (socket) => limitPipelining(server, socket, { unread, render }))
  closeUnreadResponses(server, server.keepAliveTimeout, render)
  server.on('drop', (peer) => reportDropped(server, (failure) => render(failure, peer)))
  server.on('connect', (_, socket) => refuseConnect(socket, (failure) => render(failure, socket), allow))
  server.on('checkExpectation', (request, response) =>
    refuseExpectation(request, response, (failure) => render(failure, request.socket))
  )
  deferContinue(server)
}

/** Limits the time-out of headers to that of requests: Node swaps the two otherwise, and waits too long for bodies. */
function limitHeadersTimeout(server: Server): void {
  if (server.requestTimeout > 0)
    server.headersTimeout = Math.min(server.headersTimeout, server.requestTimeout)
}

/** Reports connections that Node closes because of `maxConnections`. */
function reportDropped({ maxConnections }: Server, render: RenderFailure): void {
  const message = `there are more than ${maxConnections} connections`
  renderSafely(new FailureError('overloaded', { message }).failure, render)
}

function refuseConnect(socket: Duplex, render: RenderFailure, allow: string): void {
  const { failure } = new FailureError('method-not-allowed', { headers: { Allow: allow } })
  afterEarlierResponses(socket, () => lingeringClose(socket, rawResponse(failure, render)))
}
