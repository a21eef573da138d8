/**
 * Answers of handlers, checked against the contract before a byte of them leaves the process: status, media type,
 * headers, body. What breaks it is a 500, and the reason is for the log.
 */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { CompiledCode, Operation, Response, ResponseContent } from './contract.ts'
import { FailureError } from './failure.ts'
import { bodyKind, mediaTypeMatcher, negotiate, parseMediaType } from './media-type.ts'
import { problemsOf, sentence } from './messages.ts'

/** What a handler returns. */
export interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, unknown>>
}

export type SendAnswer = (answer: Answer, reply: FastifyReply, code: CompiledCode) => FastifyReply

/** @returns a function that sends an answer or throws `response-mismatch` having sent nothing */
export function answerSender(operation: Operation): SendAnswer {
  const matchers = new Map(
    Object.values(operation.responses).map((response) => [
      response,
      mediaTypeMatcher(response.content.map(typeOf))
    ])
  )
  return (answer, reply, code) => {
    if (typeof answer !== 'object' || answer === null) throw broken('the handler returned no response')
    const response = responseFor(operation, answer.status)
    const headers = checkedHeaders(answer.headers, response, code)
    const content = chosenContent(response, headers, reply, matchers)
    const payload = content === undefined ? noBody(answer, reply) : payloadOf(answer, content, code, reply)
    reply.code(answer.status)
    for (const [name, value] of headers) reply.header(name, value)
    if (content !== undefined && payload !== undefined && !headers.has('content-type')) {
      reply.header('content-type', sentType(content, answer.body))
    }
    return reply.send(payload)
  }
}

const typeOf = (content: ResponseContent): string => content.mediaType

export function broken(reason: string): FailureError {
  return new FailureError('response-mismatch', { cause: new Error(reason) })
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
  if (response === undefined) throw broken(`status ${String(status)} is not declared`)
  return response
}

/** Of the connection, which is ours, not of the message. */
const reserved = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'trailer'
])

type Headers = Map<string, string | string[]>
const noHeaders: Headers = new Map()

function checkedHeaders(given: Answer['headers'], response: Response, code: CompiledCode): Headers {
  if (given === undefined && response.headers.length === 0) return noHeaders
  const headers: Headers = new Map()
  const values = new Map(Object.entries(given ?? {}).map(([name, value]) => [name.toLowerCase(), value]))
  for (const [name, value] of values) {
    if (reserved.has(name)) throw broken(`header ${name} is not for a handler to set`)
    if (value !== undefined) headers.set(name, headerText(name, value))
  }
  for (const { name, required, validate } of response.headers) {
    const value = values.get(name)
    if (value === undefined && required) throw broken(`header ${name} is required`)
    if (value !== undefined && validate !== undefined) check(code, validate, value, `header ${name}`)
  }
  return headers
}

/** RFC 9110, section 5.5: no line of it may end early. */
function headerText(name: string, value: unknown): string | string[] {
  const texts = (Array.isArray(value) ? value : [value]).map(String)
  if (texts.some((text) => /[^\t\x20-\x7e\x80-\xff]/.test(text)))
    throw broken(`header ${name} has a character that none may have`)
  const [only] = texts
  if (name === 'set-cookie' && texts.length > 1) return texts
  return texts.length === 1 && only !== undefined ? only : texts.join(', ')
}

function chosenContent(
  response: Response,
  headers: Headers,
  reply: FastifyReply,
  matchers: ReadonlyMap<Response, (contentType: string) => number>
): ResponseContent | undefined {
  const { content } = response
  const given = headers.get('content-type')
  if (given !== undefined) {
    const chosen = content[matchers.get(response)?.(String(given)) ?? -1]
    if (chosen === undefined) throw broken(`media type ${String(given)} is not declared`)
    return chosen
  }
  return content.length > 1
    ? content[Math.max(0, negotiate(reply.request.headers.accept, content.map(typeOf)))]
    : content[0]
}

function noBody({ body }: Answer, _reply: FastifyReply): undefined {
  if (body !== undefined && body !== null) throw broken('a body is not declared')
}

function payloadOf(
  answer: Answer,
  content: ResponseContent,
  code: CompiledCode,
  reply: FastifyReply
): string | Buffer | Readable | undefined {
  const { body, status } = answer
  const bodiless = status === 204 || status === 304 || reply.request.method === 'HEAD'
  if (body === undefined && bodiless) return undefined
  if (status === 204 || status === 304) throw broken(`status ${status} has no body`)
  const kind = kindOf(content, answer)
  if (kind !== 'json')
    return kind === 'text' && content.kind === 'text' ? text(body, content, code) : bytes(body)
  if (content.validate !== undefined) check(code, content.validate, body, 'body')
  return serialized(body, content, code)
}

function serialized(body: unknown, content: ResponseContent, code: CompiledCode): string {
  const serialize = content.serialize === undefined ? JSON.stringify : code.serializers[content.serialize]
  try {
    const payload = serialize?.(body)
    if (payload !== undefined) return payload
  } catch (error) {
    throw new FailureError('response-mismatch', { cause: error })
  }
  throw broken('body can not be written as JSON')
}

/** A range is what is sent under it: what the handler says, else what the value looks like. */
function kindOf(content: ResponseContent, { body, headers }: Answer): ResponseContent['kind'] {
  if (!content.mediaType.includes('*')) return content.kind
  const given = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'content-type')
  if (given !== undefined) return bodyKind(String(given[1]))
  if (typeof body === 'string') return 'text'
  return isBytes(body) ? 'binary' : 'json'
}

function sentType(content: ResponseContent, body: unknown): string {
  if (content.mediaType.includes('*')) {
    if (typeof body === 'string') return 'text/plain; charset=utf-8'
    return isBytes(body) ? 'application/octet-stream' : 'application/json'
  }
  const isText =
    content.kind === 'text' && parseMediaType(content.mediaType)?.parameters.has('charset') !== true
  return isText ? `${content.mediaType}; charset=utf-8` : content.mediaType
}

function text(body: unknown, { validate }: ResponseContent, code: CompiledCode): string {
  if (typeof body !== 'string') throw broken('body must be a string')
  if (validate !== undefined) check(code, validate, body, 'body')
  return body
}

const isBytes = (body: unknown): boolean =>
  body instanceof Uint8Array || (typeof body === 'object' && body !== null && Symbol.asyncIterator in body)

function bytes(body: unknown): string | Buffer | Readable {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (body instanceof Readable) return body
  if (isBytes(body)) return Readable.from(body as AsyncIterable<Uint8Array>)
  throw broken('body must be bytes, a stream of them, or a string')
}

function check(code: CompiledCode, validator: string, value: unknown, what: string): void {
  const validate = code.validators[validator]
  if (validate === undefined || validate.call(undefined, value)) return
  const problems = problemsOf(validate.errors ?? [], 'body')
  throw broken(`${what}: ${sentence(problems, 0)}`)
}
