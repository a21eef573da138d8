/**
 * Sends the responses of handlers. Status, media type, headers and body are checked against the contract before the
 * first byte is sent; a response that does not conform becomes a 500, and its reason is logged only.
 */
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import {
  type CompiledCode,
  declaredResponse,
  type Operation,
  type Response
} from '../../model/compiled-contract.ts'
import { isThenable, notify, textOf } from '../errors/callbacks.ts'
import { FailureError, isFailure } from '../errors/failure.ts'
import type { UnreadBytes } from '../transport/unread.ts'
import { contentChooser, type Payload, payloadOf, sentType } from './body.ts'
import { checks, type HandlerResponse, type OnErrorResponse } from './checks.ts'
import { checkedHeaders } from './headers.ts'
import { causeOf } from './mapped-error.ts'
import { paced } from './paced.ts'

/**
 * Checks and sends a response.
 * @throws {FailureError} `response-mismatch` or `not-acceptable`; nothing has been sent then
 */
export type SendResponse = (response: HandlerResponse, reply: FastifyReply) => void

/** Callbacks for each response. */
export interface Sending {
  readonly unread: UnreadBytes
  readonly onErrorResponse: OnErrorResponse | undefined
}

interface Message {
  readonly headers: ReadonlyMap<string, string | string[]>
  readonly payload: Payload | undefined
}

export function responseSender(
  operation: Operation,
  code: CompiledCode,
  { unread, onErrorResponse }: Sending
): SendResponse {
  const check = checks(code)
  const choose = contentChooser(check)
  const declared = new Map<number, Response>()
  const onTaken = (socket: Socket) => unread.onTaken(socket)
  return (response, reply) => {
    const { headers, payload } = checkedMessage(operation, response, () => messageOf(response, reply))
    reply.code(response.status)
    for (const [name, value] of headers) reply.header(name, value)
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) unread.hold(payload.length, reply.raw)
    // Without a serializer Fastify adds a charset to JSON, which has none (RFC 8259, section 11).
    reply.serializer(String).send(paced(payload, reply, onTaken))
    if (response.status >= 400 && onErrorResponse !== undefined)
      notify('onErrorResponse', reply.log, () => onErrorResponse(response, reply.request))
  }

  function messageOf(response: HandlerResponse, { request }: FastifyReply): Message {
    const { status } = response
    const expected = declared.get(status) ?? responseFor(operation, status)
    declared.set(status, expected)
    const headers = checkedHeaders(response.headers, expected, check)
    const content = choose(expected, response, headers.get('content-type'), request.headers.accept)
    if (content === undefined) return { headers, payload: absentBody(response) }
    const payload = payloadOf(response, content, check, request.method)
    if (payload !== undefined && !headers.has('content-type'))
      headers.set('content-type', sentType(content, response.body))
    return { headers, payload }
  }
}

/** Turns every error into a failure, also one of a getter of the response. */
function checkedMessage(operation: Operation, response: HandlerResponse, make: () => Message): Message {
  try {
    return make()
  } catch (error) {
    discard(response)
    if (isFailure(error)) throw error
    throw new FailureError('response-mismatch', { cause: brokenResponse(operation, response, error) })
  }
}

/** Destroys a stream that is not sent, and ignores the rejections of promises, which would end the process. */
export function discard(response: unknown, seen = new Set<unknown>()): void {
  if (typeof response !== 'object' || response === null || seen.has(response)) return
  seen.add(response)
  try {
    if (response instanceof Readable) response.on('error', () => undefined).destroy()
    else if (isThenable(response)) Promise.resolve(response).catch(() => undefined)
    else for (const part of Object.values(response)) discard(part, seen)
  } catch {
    // What cannot be read is logged.
  }
}

/** Describes a wrong response for the log: operation, status and place. */
function brokenResponse({ operationId }: Operation, response: HandlerResponse, error: unknown): Error {
  const reason = textOf(() => (error instanceof Error ? error.message.replace(/^body: /, '') : error))
  const status = textOf(() => Object(response).status)
  return new Error(`${operationId} answered ${status}: ${reason}`, { cause: causeOf(response, error) })
}

function responseFor(operation: Operation, status: number): Response {
  const isFinal = Number.isInteger(status) && status >= 200 && status <= 599
  const response = isFinal ? declaredResponse(operation, status) : undefined
  if (response === undefined) throw new Error(`status ${String(status)} is not declared`)
  return response
}

function absentBody({ body }: HandlerResponse): undefined {
  if (body !== undefined && body !== null) throw new Error('a body is not declared')
}
