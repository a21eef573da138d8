/**
 * Answers of handlers, checked against the contract before a byte of them leaves the process: status, media type,
 * headers, body. What breaks it is a 500, and the reason is for the log.
 */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { CompiledCode, Operation, Response } from '../../model/compiled-contract.ts'
import { FailureError } from '../errors/failure.ts'
import type { Answer } from './answer.ts'
import { checks } from './checks.ts'
import { contentChooser } from './content.ts'
import { checkedHeaders } from './headers.ts'
import { payloadOf, sentType } from './payload.ts'

export type { Answer }

export type SendAnswer = (answer: Answer, reply: FastifyReply) => FastifyReply

interface Message {
  readonly headers: ReadonlyMap<string, string | string[]>
  readonly payload: string | Buffer | Readable | undefined
}

/** @returns a function that sends an answer, or throws and has sent nothing: `response-mismatch`, or `not-acceptable` */
export function answerSender(operation: Operation, code: CompiledCode): SendAnswer {
  const check = checks(code)
  const choose = contentChooser(check)
  const responses = new Map<number, Response>()
  return (answer, reply) => {
    const { headers, payload } = soundMessage(answer, () => messageOf(answer, reply))
    reply.code(answer.status)
    for (const [name, value] of headers) reply.header(name, value)
    return reply.serializer(asItIs).send(payload)
  }

  function messageOf(answer: Answer, { request }: FastifyReply): Message {
    let response = responses.get(answer.status)
    if (response === undefined) {
      response = responseFor(operation, answer.status)
      responses.set(answer.status, response)
    }
    const headers = checkedHeaders(answer.headers, response, check)
    const content = choose(response, answer, headers.get('content-type'), request.headers.accept)
    if (content === undefined) return { headers, payload: noBody(answer) }
    const payload = payloadOf(answer, content, check, request.method)
    if (payload !== undefined && !headers.has('content-type'))
      headers.set('content-type', sentType(content, answer.body))
    return { headers, payload }
  }
}

/** A serializer of Fastify's for texts: without one it adds a charset to JSON, which has none (RFC 8259, section 11). */
export const asItIs = (payload: unknown): string => String(payload)

/** Whatever fails in the making of a message is a breach; a stream that is not sent must not stay open. */
function soundMessage(answer: Answer, make: () => Message): Message {
  try {
    return make()
  } catch (error) {
    const body: unknown = Object(answer).body
    if (body instanceof Readable) body.on('error', () => undefined).destroy()
    throw error instanceof FailureError ? error : new FailureError('response-mismatch', { cause: error })
  }
}

/** Exact before class before default (OpenAPI 3.1.0, section 4.8.16.2). */
export function declaredResponse({ responses }: Operation, status: number): Response | undefined {
  const names = [String(status), `${Math.floor(status / 100)}XX`, 'default']
  const name = names.find((candidate) => Object.hasOwn(responses, candidate))
  return name === undefined ? undefined : responses[name]
}

function responseFor(operation: Operation, status: number): Response {
  const isFinal = Number.isInteger(status) && status >= 200 && status <= 599
  const response = isFinal ? declaredResponse(operation, status) : undefined
  if (response === undefined) throw new Error(`status ${String(status)} is not declared`)
  return response
}

function noBody({ body }: Answer): undefined {
  if (body !== undefined && body !== null) throw new Error('a body is not declared')
}
