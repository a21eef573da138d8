/** Expect header: 100 Continue is sent when the body is read; every other expectation is a 417 (RFC 9110, 10.1.1). */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { FailureError } from '../errors/failure.ts'
import { type RenderFailure, renderSafely } from './raw-response.ts'
import { refusal } from './request-checks.ts'

const expecting = new WeakSet<IncomingMessage>()

/** Serves requests that expect 100-continue like every other one, and marks that their clients wait. */
export function deferContinue(server: Server): void {
  server.on('checkContinue', (request, response) => {
    expecting.add(request)
    server.emit('request', request, response)
  })
}

/**
 * Sends 100 Continue to a client that waits for it; must be called immediately before the body is read. A request that
 * is refused earlier gets its response with `Connection: close` from Node, and its body is never sent.
 */
export function continueIfExpected(request: IncomingMessage, response: ServerResponse): void {
  if (expecting.delete(request) && !response.headersSent) response.writeContinue()
}

/** Responds with 417 and closes the connection, because the client may or may not send its body now. */
export function refuseExpectation(
  request: IncomingMessage,
  response: ServerResponse,
  render: RenderFailure
): void {
  const { failure } = refusal(request) ?? new FailureError('expectation-failed')
  const { status, headers, body } = renderSafely(failure, render)
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' })
  response.end(body)
}
