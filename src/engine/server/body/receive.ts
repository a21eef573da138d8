/**
 * Receives the body of a request: checks by its headers that it is one that the operation declares (OpenAPI 3.1.0, section
 * 4.8.13), reads it, parses it by its kind, validates it.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { CompiledCode, Operation, RequestContent } from '../../model/compiled-contract.ts'
import { cachedByText, mediaTypeMatcher } from '../../model/content-type.ts'
import { type BodyKind, bodyKind, isUtf8Charset, parseMediaType } from '../../model/media-type.ts'
import type { Items } from '../../model/value-plans.ts'
import { depthFailure, FailureError } from '../errors/failure.ts'
import { continueIfExpected, headerLines, http2Stream } from '../transport/request-checks.ts'
import { BodyStream } from './body-stream.ts'
import { type BodyBudgets, freeBytes } from './budget.ts'
import { urlencodedForm, validForm } from './form.ts'
import { itemsOf, type Sequence } from './items.ts'
import { multipartBody, type Parts } from './multipart.ts'
import { bodyTooLarge, bytesBody, decodeUtf8, jsonBody, textBody } from './parse.ts'
import { multipartForm } from './parts.ts'
import { payloadLength, payloadOf, readBytes } from './payload.ts'
import { streamedParts } from './streamed-parts.ts'
import type { UploadFolder } from './upload-folder.ts'

/** Declared content of the body, and the way to read it. */
export interface ExpectedBody {
  readonly content: RequestContent
  readonly kind: BodyKind
  /** Longest body in bytes. */
  readonly limit: number
  /** True where a body of no bytes is refused. */
  readonly isRequired: boolean
}

/**
 * Finds the declared content of a request's body.
 * @returns undefined for a request without a body
 * @throws {FailureError} 400, 413 or 415
 */
export type ExpectBody = (request: IncomingMessage) => ExpectedBody | undefined

/** @param limit default limit of a body, in bytes */
export function bodyExpectation({ requestBody }: Operation, limit: number): ExpectBody {
  if (requestBody === undefined) return refuseBody
  const { content, required: isRequired } = requestBody
  const declared = content.map(({ mediaType }) => mediaType)
  const accept = declared.join(', ')
  const match = mediaTypeMatcher(declared)
  const expected = cachedByText((contentType) => ({
    ...expectedContent(content[match(contentType)], contentType, { accept, limit }),
    isRequired
  }))
  const isSequential = content.some(({ items }) => items !== undefined)
  return (request) => {
    if (!hasBody(request)) {
      const { 'content-type': type } = request.headers
      const empty = isSequential && type !== undefined ? expected(type) : undefined
      // A sequence without items is a body, even where one is required.
      if (empty?.content.items !== undefined) return empty
      const message = `a body is required${accept === '' ? '' : `: ${accept}`}`
      if (isRequired) throw new FailureError('missing-body', { message })
      return undefined
    }
    const body = expected(request.headers['content-type'] ?? '')
    if (headerLines(request, 'content-type') > 1)
      throw unsupported('there is more than one media type', accept)
    // The length and the coding are those of the bytes that were sent; a hook may have decoded them.
    if (payloadOf(request) !== request) return body
    const { 'content-encoding': coding, 'content-length': length = 0 } = request.headers
    // RFC 9110, section 8.4.
    if (coding !== undefined && !/^\s*(?:identity\s*)?$/i.test(coding))
      throw new FailureError('unsupported-media-type', {
        message: 'no content coding is supported; send the body as it is',
        headers: { accept, 'accept-encoding': 'identity' }
      })
    if (Number(length) > body.limit) throw bodyTooLarge(body.limit)
    return body
  }
}

/** Returns true if a request declares a length or a transfer coding (RFC 9112, section 6.3); in HTTP/2 it needs neither. */
function hasBody(request: IncomingMessage): boolean {
  const { 'transfer-encoding': coding, 'content-length': length } = request.headers
  if (coding !== undefined || Number(length ?? 0) > 0) return true
  return length !== '0' && http2Stream(request)?.endAfterHeaders === false
}

/** Refuses a body that the operation does not declare, because the contract gives it no meaning. */
function refuseBody(request: IncomingMessage): undefined {
  if (hasBody(request))
    throw new FailureError('mismatch', { message: 'body is not expected: this operation declares none' })
  return undefined
}

const maxQuotedType = 80

/** @throws {FailureError} `unsupported-media-type` */
function expectedContent(
  content: RequestContent | undefined,
  contentType: string,
  { accept, limit }: { readonly accept: string; readonly limit: number }
): Omit<ExpectedBody, 'isRequired'> {
  if (contentType === '') throw unsupported('the body has no media type', accept)
  const type = parseMediaType(contentType)
  if (type === undefined) throw unsupported('the media type of the body is not well-formed', accept)
  // Under a declared range the media type of the request decides.
  const isRange = content?.mediaType.includes('*') && !content.stream
  const kind = isRange ? bodyKind(type.type) : content?.kind
  if (content === undefined || kind === undefined) {
    // The refusal may quote a parsed media type, because that holds printable ASCII only.
    const sent = type.type.length > maxQuotedType ? `${type.type.slice(0, maxQuotedType)}…` : type.type
    const reason = 'the media type of the body is not supported'
    throw unsupported(`media type ${sent} is not supported`, accept, reason)
  }
  if (kind !== 'binary' && kind !== 'multipart' && !isUtf8Charset(type.parameters))
    throw unsupported('the only supported charset is UTF-8', accept)
  return { content, kind, limit: content.limit ?? (content.items ? Number.POSITIVE_INFINITY : limit) }
}

/** @param reason the text for the log, where the problem quotes the request */
function unsupported(problem: string, accept: string, reason = problem): FailureError {
  const cure = accept === '' ? '' : `; send ${accept}`
  return new FailureError('unsupported-media-type', {
    message: `${problem}${cure}`,
    reason: `${reason}${cure}`,
    headers: accept === '' ? {} : { accept }
  })
}

/** Parts that the bodies of all requests share. */
export interface Receiving extends BodyBudgets {
  /** Default limit of a body, in bytes. */
  readonly bodyLimit: number
  readonly uploads: UploadFolder
}

/** Bytes, the parts of a multipart body, or what the handler reads itself: a stream, or a sequence. */
export type Received = Buffer | Parts | BodyStream | Sequence

/**
 * Resolves with what the handler needs of the body.
 * @throws {FailureError} 503, or returns a promise that rejects with 400, 408, 413, 415, 500 or 503
 */
export function receiveBody(body: ExpectedBody, reply: FastifyReply, shared: Receiving): Promise<Received> {
  const { request, raw } = reply
  const { kind, limit, content } = body
  if (content.stream || content.items) return receiveStream(body, reply, shared)
  const length = payloadLength(request.raw)
  const isCounted = length === undefined || length > freeBytes
  const reserve = isCounted ? shared.bodyBudget(length, raw) : undefined
  continueIfExpected(request.raw, raw)
  return kind === 'multipart'
    ? multipartBody(request, limit, reserve)
    : readBytes(request.raw, limit, reserve)
}

/** Counts the bytes that are in memory: of a form those that are not on disk, of a sequence those of one item. */
async function receiveStream(
  { kind, content, limit }: ExpectedBody,
  reply: FastifyReply,
  { bodyLimit, streamBudget, uploads }: Receiving
): Promise<Received> {
  if (content.stream && kind !== 'multipart') return new BodyStream(reply, limit)
  const reserve = streamBudget(undefined, reply.raw)
  if (content.items) return { stream: new BodyStream(reply, limit), maxItem: bodyLimit, reserve }
  return streamedParts(reply, { content, limit, maxHeld: bodyLimit, folder: uploads, reserve })
}

/**
 * Parses and validates a received body.
 * @returns undefined for an optional body of no bytes
 * @throws {FailureError} 400 or 415
 */
export function bodyValue(
  received: Received,
  { kind, content, isRequired }: ExpectedBody,
  code: CompiledCode
): unknown {
  if (received instanceof BodyStream) return received
  if ('maxItem' in received) return itemsOf(received, content.items as Items, code)
  const isEmpty = Buffer.isBuffer(received) && received.length === 0
  if (isEmpty && isRequired) throw new FailureError('missing-body')
  if (isEmpty) return undefined
  try {
    if (!Buffer.isBuffer(received)) return validForm(multipartForm(received, content), content, code)
    if (kind === 'json') return jsonBody(received, content, code)
    if (kind === 'text') return textBody(received, content, code)
    if (kind === 'binary') return bytesBody(received, content, code)
    return validForm(urlencodedForm(decodeUtf8(received), content), content, code)
  } catch (error) {
    throw depthFailure('body', error)
  }
}
