/** Listeners and limits of Node's HTTP server for clients that no route answers, or that leave no other way. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { FailureError } from '../errors/failure.ts'
import { admit, endConnection, openResponses, trackResponses } from './connections.ts'
import { closeReported, type RenderFailure, rawResponse, renderSafely } from './raw-response.ts'
import { deferContinue, refusal, refuseExpectation } from './request-checks.ts'
import { limitReading } from './unread.ts'

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
  limitReading(server, render)
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
