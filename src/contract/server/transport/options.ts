/** Everything that goes wrong below the routes, answered by the same function as everything else. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyHttpOptions, FastifyReply } from 'fastify'
import { type Failure, FailureError } from '../errors/failure.ts'
import { afterEarlierAnswers, isReceiving, refuseConnection } from './client-error.ts'
import { type Answer, answerTo, closeGently, rawAnswer } from './raw-response.ts'
import { originForm, refusal } from './request-checks.ts'

export { readBody } from '../body/read-bytes.ts'
export type { Answer } from './raw-response.ts'
export { refusal } from './request-checks.ts'

type TransportOptions = Pick<
  FastifyHttpOptions<Server>,
  'clientErrorHandler' | 'frameworkErrors' | 'return503OnClosing' | 'rewriteUrl' | 'http'
>

const expecting = new WeakSet<IncomingMessage>()

/** Options of Fastify. `refusal` has to be asked by the first hook, since Node's own Host check answers without a body. */
export function transportOptions(answer: Answer): TransportOptions {
  return {
    http: { requireHostHeader: false, shouldUpgradeCallback: () => false },
    return503OnClosing: false,
    rewriteUrl: (request) => originForm(String(request.url)),
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, answer),
    frameworkErrors: (error, _, reply: FastifyReply) => {
      const { status, headers, body } = answerTo(urlFailure(error), answer)
      reply.code(status).headers(headers).serializer(String).send(body)
    }
  }
}

/**
 * Listeners and limits for what Node does not give to the routes. No header is dropped for the number of headers: their
 * size is bounded. To be called when Fastify has set its time-outs, before the server listens. An `Upgrade` header is ignored (RFC 9110, section 7.8).
 *
 * @param allow the methods that the 405 to a CONNECT names
 */
export function guardServer(server: Server, answer: Answer, allow = ''): void {
  server.maxHeadersCount = 0
  limitHeadersTimeout(server)
  answerHalfOpen(server)
  server.on('connection', lingerOnClose)
  server.on('connect', (_, socket) => refuseConnect(socket, answer, allow))
  server.on('checkExpectation', (request, response) => refuseExpectation(request, response, answer))
  server.on('checkContinue', (request, response) => {
    expecting.add(request)
    server.emit('request', request, response)
  })
}

/**
 * Sends 100 Continue to a client that waits for it; to be called when the body is about to be read. A request that is
 * refused before has its answer with `Connection: close`, by Node, and its body never comes.
 */
export function continueIfExpected(request: IncomingMessage, response: ServerResponse): void {
  if (expecting.delete(request) && !response.headersSent) response.writeContinue()
}

/** Node swaps the two times when the one for headers is the longer, and so would wait too long for bodies. */
function limitHeadersTimeout(server: Server): void {
  if (server.requestTimeout > 0)
    server.headersTimeout = Math.min(server.headersTimeout, server.requestTimeout)
}

/**
 * A client may close its sending half behind its request (`nc -N`) and still gets its answer. The price: one that closes
 * altogether is only noticed by the answer; whoever wants to know before listens to `end` of the socket.
 */
function answerHalfOpen(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true })
}

/** An answer that ends the connection while the client is still sending is given time to be read. */
function lingerOnClose(socket: Socket): void {
  const destroySoon = socket.destroySoon.bind(socket)
  socket.destroySoon = () => {
    if (isReceiving(socket)) closeGently(socket)
    else destroySoon()
  }
}

function refuseConnect(socket: Duplex, answer: Answer, allow: string): void {
  const { failure } = new FailureError('method-not-allowed', { headers: { Allow: allow } })
  afterEarlierAnswers(socket, () => closeGently(socket, rawAnswer(failure, answer)))
}

/** The connection closes, since whether the client sends its body now is unknown. */
function refuseExpectation(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const { failure } = refusal(request) ?? new FailureError('expectation-failed')
  const { status, headers, body } = answerTo(failure, answer)
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' })
  response.end(body)
}

function urlFailure(error: Error & { code?: string }): Failure {
  if (error.code === 'FST_ERR_BAD_URL') return new FailureError('malformed-url').failure
  if (error.code === 'FST_ERR_MAX_PARAM_LENGTH')
    return new FailureError('malformed-url', { message: 'a part of the path is too long' }).failure
  return new FailureError('internal', { cause: error }).failure
}
