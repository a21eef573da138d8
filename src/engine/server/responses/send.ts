/**
 * Sends the responses of handlers. Status, media type, headers and body are checked against the contract before the
 * first byte is sent; a response that does not conform becomes a 500, and its reason is logged only.
 */
import type { FastifyReply } from 'fastify'
import {
  type CompiledCode,
  declaredResponse,
  type Operation,
  type Response
} from '../../model/compiled-contract.ts'
import type { Items } from '../../model/value-plans.ts'
import { notify, readableText } from '../errors/callbacks.ts'
import { FailureError, isFailure } from '../errors/failure.ts'
import { requestLog } from '../errors/standard-error-log.ts'
import { uncountedBytes } from '../transport/unread.ts'
import {
  type ChooseContent,
  checks,
  contentChooser,
  type HandlerResponse,
  measured,
  type OnErrorResponse,
  payloadOf,
  typeInRange
} from './body.ts'
import { type Message as ConditionalMessage, conditionsOf } from './conditions.ts'
import { discard } from './discard.ts'
import { checkedHeaders, type ResponseHeaders } from './headers.ts'
import type { Sequence } from './item-cursor.ts'
import { causeOf } from './mapped-error.ts'
import { paced } from './paced.ts'
import { type ItemResponse, type ItemSending, sendItems } from './send-items.ts'

/** Checks and sends a response, or `response-mismatch` or `not-acceptable` in place of one that does not conform. */
export type SendResponse = (response: HandlerResponse, reply: FastifyReply) => void

/** Callbacks for each response. */
export interface Sending extends ItemSending {
  readonly onErrorResponse: OnErrorResponse | undefined
}

interface Message extends ConditionalMessage {
  /** Items of the payload; absent for a payload that is sent as it is. */
  readonly items?: Items | undefined
}

/** Plan of the responses with one status, made for the first of them. */
interface Plan {
  readonly declared: Response
  readonly hasHeaders: boolean
  /** True where a response of unknown length needs the header. */
  readonly needsLength: boolean
  readonly choose: ChooseContent
}

export function responseSender(operation: Operation, code: CompiledCode, sending: Sending): SendResponse {
  const { unread, onErrorResponse } = sending
  const check = checks(code)
  const conditions = conditionsOf(operation, check)
  const plans = new Map<number, Plan>()
  return (response, reply) => {
    try {
      const message = messageOf(response, reply)
      const final: Message = conditions?.evaluate(message, response, reply.request) ?? message
      if (final !== message) discard(response)
      if (final.items === undefined) send(final, response, reply)
      else sendItems(itemResponse({ ...final, items: final.items }, response, reply), reply, sending)
    } catch (error) {
      // Also an error of a getter of the response.
      discard(response)
      if (isFailure(error)) reply.send(error)
      else
        reply.send(
          new FailureError('response-mismatch', { cause: brokenResponse(operation, response, error) })
        )
    }
  }

  function send({ status, headers, payload }: Message, response: HandlerResponse, reply: FastifyReply): void {
    reply.code(status)
    for (const [name, value] of headers) reply.header(name, value)
    const isLarge =
      (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > uncountedBytes
    // Without a serializer Fastify adds a charset to JSON, which has none (RFC 8259, section 11).
    reply.serializer(String).send(isLarge ? paced(payload, reply, unread) : payload)
    if (response.status >= 400 && onErrorResponse !== undefined)
      notify('onErrorResponse', requestLog(reply), () => onErrorResponse(response, reply.request))
  }

  function itemResponse(
    { status, headers, payload, items }: Message & { readonly items: Items },
    response: HandlerResponse,
    reply: FastifyReply
  ): ItemResponse {
    return {
      items,
      sequence: payload as Sequence,
      checks: check,
      label: `${operation.operationId} answered ${status}`,
      broken: (error) => brokenResponse(operation, response, error),
      begin: (body) =>
        send({ status, headers, payload: body }, response, reply.removeHeader('content-length'))
    }
  }

  function wired({ status, body, headers }: HandlerResponse): HandlerResponse {
    const sent = check.wire(headers) as HandlerResponse['headers']
    return { status, body: check.wire(body), ...(sent !== undefined && { headers: sent }) }
  }

  function planFor(status: number): Plan {
    const isFinal = Number.isInteger(status) && status >= 200 && status <= 599
    const response = isFinal ? declaredResponse(operation, status) : undefined
    if (response === undefined) throw new Error(`status ${String(status)} is not declared`)
    const declared = conditions?.untagged(response) ?? response
    const plan = {
      declared,
      hasHeaders: declared.headers.length > 0,
      needsLength: declared.headers.some(({ name, required }) => required && name === 'content-length'),
      choose: contentChooser(declared.content, check)
    }
    plans.set(status, plan)
    return plan
  }

  function messageOf(given: HandlerResponse, { request }: FastifyReply): Message {
    const { status } = given
    const response = code.formats === undefined ? given : wired(given)
    const { declared, hasHeaders, needsLength, choose } = plans.get(status) ?? planFor(status)
    const headers: ResponseHeaders =
      response.headers !== undefined || hasHeaders
        ? checkedHeaders(response.headers, declared, check)
        : new Map()
    const content = choose(response, headers.get('content-type'), request.headers.accept)
    const isHead = request.method === 'HEAD'
    const items = isHead ? undefined : content?.items
    const made =
      content === undefined ? absentBody(response) : payloadOf(response, content, check, request.method)
    const length = headers.get('content-length')
    // HEAD of a GET without content leaves nothing out.
    const isShort = isHead && (content !== undefined || operation.method === 'HEAD')
    const payload =
      length !== undefined || needsLength
        ? measured({ status, payload: made, items: content?.items, isHead: isShort }, length?.toString())
        : made
    if (content !== undefined && payload !== undefined && !headers.has('content-type'))
      headers.set('content-type', content.sentType ?? typeInRange(response.body))
    return { status, headers, payload, items }
  }
}

/** Describes a wrong response for the log: operation, status and place. */
function brokenResponse({ operationId }: Operation, response: HandlerResponse, error: unknown): Error {
  const reason = readableText(() => (error instanceof Error ? error.message.replace(/^body: /, '') : error))
  const status = readableText(() => Object(response).status)
  return new Error(`${operationId} answered ${status}: ${reason}`, { cause: causeOf(response, error) })
}

function absentBody({ body }: HandlerResponse): undefined {
  if (body !== undefined && body !== null) throw new Error('a body is not declared')
}
