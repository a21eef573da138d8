/** Checks by its headers that a request has a body that its operation declares (OpenAPI 3.1.0, section 4.8.13). */
import type { IncomingMessage } from 'node:http'
import type { Operation, RequestContent } from '../../model/compiled-contract.ts'
import { cachedByText, mediaTypeMatcher } from '../../model/content-type.ts'
import { type BodyKind, bodyKind, isUtf8Charset, parseMediaType } from '../../model/media-type.ts'
import { FailureError } from '../errors/failure.ts'
import { headerLines, http2Stream } from '../transport/request-checks.ts'
import { bodyTooLarge } from './parse.ts'
import { payloadOf } from './payload.ts'

/** Declared content of the body, and the way to read it. */
export interface ExpectedBody {
  readonly content: RequestContent
  readonly kind: BodyKind
  /** Longest body in bytes. */
  readonly limit: number
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
  const declared = requestBody.content.map(({ mediaType }) => mediaType)
  const accept = declared.join(', ')
  const match = mediaTypeMatcher(declared)
  const expected = cachedByText((contentType) =>
    expectedBody(requestBody.content[match(contentType)], contentType, { accept, limit })
  )
  const isSequential = requestBody.content.some(({ items }) => items !== undefined)
  return (request) => {
    if (!hasBody(request)) {
      const empty = isSequential ? emptySequence(request, expected) : undefined
      if (empty !== undefined) return empty
      if (requestBody.required)
        throw new FailureError('missing-body', {
          message: `a body is required${accept === '' ? '' : `: ${accept}`}`
        })
      return undefined
    }
    const body = expected(request.headers['content-type'] ?? '')
    if (headerLines(request, 'content-type') > 1)
      throw unsupported('there is more than one media type', accept)
    // The length and the coding are those of the bytes that were sent; a hook may have decoded them.
    if (payloadOf(request) !== request) return body
    const { 'content-encoding': coding, 'content-length': length = 0 } = request.headers
    if (coding !== undefined && !/^\s*(?:identity\s*)?$/i.test(coding)) throw unsupportedCoding(accept)
    if (Number(length) > body.limit) throw bodyTooLarge(body.limit)
    return body
  }
}

/** Returns the body of a sequence without items, which is one even where a body is required. */
function emptySequence(
  { headers }: IncomingMessage,
  expected: (contentType: string) => ExpectedBody
): ExpectedBody | undefined {
  const type = headers['content-type']
  const body = type === undefined ? undefined : expected(type)
  return body?.content.items === undefined ? undefined : body
}

/** Returns true if a request declares a length or a transfer coding (RFC 9112, section 6.3); in HTTP/2 it needs neither. */
function hasBody(request: IncomingMessage): boolean {
  const { headers } = request
  const stream = http2Stream(request)
  if (stream !== undefined) return !stream.endAfterHeaders && headers['content-length'] !== '0'
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Refuses a body that the operation does not declare, because the contract gives it no meaning. */
function refuseBody(request: IncomingMessage): undefined {
  if (hasBody(request))
    throw new FailureError('mismatch', { message: 'body is not expected: this operation declares none' })
  return undefined
}

function expectedBody(
  content: RequestContent | undefined,
  contentType: string,
  { accept, limit }: { readonly accept: string; readonly limit: number }
): ExpectedBody {
  const type = parseMediaType(contentType)
  const kind = type === undefined || content === undefined ? undefined : kindOf(content, type.type)
  const isText = kind !== 'binary' && kind !== 'multipart'
  if (contentType === '') throw unsupported('the body has no media type', accept)
  if (type === undefined) throw unsupported('the media type of the body is not well-formed', accept)
  if (content === undefined || kind === undefined) throw unsupportedType(type.type, accept)
  if (isText && !isUtf8Charset(type.parameters))
    throw unsupported('the only supported charset is UTF-8', accept)
  return { content, kind, limit: content.limit ?? (content.items ? Number.POSITIVE_INFINITY : limit) }
}

/** Returns the kind of the body; under a declared range the media type of the request decides. */
function kindOf(content: RequestContent, sent: string): BodyKind | undefined {
  return content.mediaType.includes('*') && !content.stream ? bodyKind(sent) : content.kind
}

/** Returns the refusal of content codings (RFC 9110, section 8.4). */
function unsupportedCoding(accept: string): FailureError {
  return new FailureError('unsupported-media-type', {
    message: 'no content coding is supported; send the body as it is',
    headers: { accept, 'accept-encoding': 'identity' }
  })
}

/** Names the media type of the request, which is safe because a parsed one holds printable ASCII only. */
function unsupportedType(type: string, accept: string): FailureError {
  const sent = type.length > maxQuotedType ? `${type.slice(0, maxQuotedType)}…` : type
  return unsupported(
    `media type ${sent} is not supported`,
    accept,
    'the media type of the body is not supported'
  )
}

const maxQuotedType = 80

/** @param reason the text for the log, where the problem quotes the request */
function unsupported(problem: string, accept: string, reason = problem): FailureError {
  const cure = accept === '' ? '' : `; send ${accept}`
  return new FailureError('unsupported-media-type', {
    message: `${problem}${cure}`,
    reason: `${reason}${cure}`,
    headers: accept === '' ? {} : { accept }
  })
}
