/** Listeners and limits of Node's HTTP server for errors that never reach a route. */
import type { Server } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { FailureError } from '../errors/failure.ts'
import { guardTimeouts } from './client-error.ts'
import { deferContinue, refuseExpectation } from './expect-continue.ts'
import { lingerOnClose } from './lingering-close.ts'
import { allowHalfOpen } from './node-internals.ts'
import { limitPipelining } from './pipelining.ts'
import { isOn } from './protections.ts'
import { type RenderFailure, renderSafely } from './raw-response.ts'
import { closeUnreadResponses, UnreadBytes } from './unread.ts'

/**
 * Must be called after Fastify has set its time-outs, and before the server listens. Does not limit the number of
 * headers, because their size is limited.
 */
export function guardServer(
  server: Server,
  render: RenderFailure,
  unread: UnreadBytes = new UnreadBytes(render)
): void {
  server.maxHeadersCount = 0
  guardTimeouts(server)
  limitHeadersTimeout(server)
  if (isOn('halfOpen')) allowHalfOpen(server)
  if (isOn('lingeringClose')) server.on('connection', (socket) => lingerOnClose(server, socket))
  if (isOn('pipelining'))
    server.on('connection', (socket) => limitPipelining(server, socket, { unread, render }))
  if (isOn('unreadResponses')) closeUnreadResponses(server, server.keepAliveTimeout, render)
  server.on('drop', (peer) => reportDropped(server, (failure) => render(failure, peer)))
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

/**
 * Logs errors of a server that listens: it emits one when it cannot accept a connection, because there are too many
 * open files. Without a listener the event would end the process.
 */
export function logServerErrors(server: Server, log: Pick<FastifyBaseLogger, 'error'>): void {
  server.once('listening', () =>
    server.on('error', (err) => log.error({ err }, 'a connection could not be accepted'))
  )
}
