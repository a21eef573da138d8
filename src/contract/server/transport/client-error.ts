/** What Node's HTTP parser and timers refuse (event `clientError`), answered like everything else. */
import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Failure, FailureError } from '../errors/failure.ts'
import { type Answer, closeGently, rawAnswer } from './raw-response.ts'

const refused = new WeakSet<Duplex>()

/**
 * Answers once, and only where the client waits for an answer: after the answers to earlier requests on the connection,
 * and not when this request's own answer has begun.
 */
export function refuseConnection(error: Error, socket: Duplex, answer: Answer): void {
  if (refused.has(socket)) return
  refused.add(socket)
  const failure = failureOf(error)
  if (failure === undefined) socket.destroy()
  else afterEarlierAnswers(socket, () => conclude(socket, rawAnswer(failure, answer)))
}

/** Runs when the answers to all complete requests are written. */
export function afterEarlierAnswers(socket: Duplex, run: () => void): void {
  const response = currentResponse(socket)
  if (response?.req.complete) response.once('close', () => afterEarlierAnswers(socket, run))
  else run()
}

function conclude(socket: Duplex, text: string): void {
  const response = currentResponse(socket)
  if (response?.headersSent && !response.writableEnded) socket.destroy()
  else if (response?.writableEnded || isAnswered(socket)) closeGently(socket)
  else closeGently(socket, text)
}

/** Undefined for what is no fault of the request: the connection is gone. */
function failureOf(error: Error): Failure | undefined {
  const { code, reason } = Object(error)
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new FailureError('timeout').failure
  if (code === 'HPE_HEADER_OVERFLOW') return new FailureError('headers-too-large').failure
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return new FailureError('body-too-large').failure
  if (!String(code).startsWith('HPE_')) return undefined
  return new FailureError('malformed-http', { message: `the request is not well-formed HTTP: ${reason}` })
    .failure
}

/** The answer that is to be written next; Node keeps it on the socket. */
function currentResponse(socket: Duplex): ServerResponse | undefined {
  const response: unknown = Reflect.get(socket, '_httpMessage')
  return response instanceof ServerResponse ? response : undefined
}

/** Whether bytes that come in still belong to a request that has had its answer. */
function isAnswered(socket: Duplex): boolean {
  return currentResponse(socket) === undefined && isReceiving(socket)
}

/** Whether the body of a request is still on its way. */
export function isReceiving(socket: Duplex): boolean {
  const parser: { incoming?: IncomingMessage | null } | null | undefined = Reflect.get(socket, 'parser')
  return parser?.incoming?.complete === false
}
