/** Bodies of requests: which media type, read, parsed, validated. Nothing is coerced, removed or invented. */
import type { IncomingMessage } from 'node:http'
import { decodeUtf8, type Exactness, parseExactJson } from '../../json/parse.ts'
import { restoreInt64 } from '../../json/restore-int64.ts'
import { type BodyKind, bodyKind, isUtf8Charset } from '../../media-types/body-kind.ts'
import { mediaTypeMatcher } from '../../media-types/content-type.ts'
import { parseMediaType } from '../../media-types/media-type.ts'
import type { CompiledCode, Operation, RequestContent, Validator } from '../../model/compiled-contract.ts'
import { FailureError } from '../errors/failure.ts'
import { collectProblems, sentence } from '../errors/validation-problems.ts'
import { headerLines } from '../transport/header-count.ts'

/** What arrives: which of the declared contents, and how to read it. */
export interface ExpectedBody {
  readonly content: RequestContent
  readonly kind: BodyKind
  /** As the client sent it, lower case, without parameters. */
  readonly mediaType: string
}

/** Decides by the headers alone. @returns undefined where there is no body @throws {FailureError} 400, 413 or 415 */
export type ExpectBody = (request: IncomingMessage) => ExpectedBody | undefined

export function bodyExpectation({ requestBody }: Operation, limit: number): ExpectBody {
  if (requestBody === undefined) return refuseBody
  const declared = requestBody.content.map(({ mediaType }) => mediaType)
  const accept = declared.join(', ')
  const match = mediaTypeMatcher(declared)
  const cache = new Map<string, ExpectedBody>()
  return (request) => {
    if (!hasBody(request)) {
      if (requestBody.required)
        throw new FailureError('missing-body', { message: `a body is required: ${accept}` })
      return undefined
    }
    const contentType = request.headers['content-type'] ?? ''
    let expected = cache.get(contentType)
    if (expected === undefined) {
      expected = expectedBody(requestBody.content[match(contentType)], contentType, accept)
      if (cache.size < 64) cache.set(contentType, expected)
    }
    if (headerLines(request, 'content-type') > 1)
      throw unsupported('there is more than one media type', accept)
    checkCoding(request, accept)
    checkLength(request, limit)
    return expected
  }
}

/** RFC 9112, section 6.3: a request has a body when it says how long it is. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** An operation that declares no body takes none: what it would mean is not in the contract. */
function refuseBody(request: IncomingMessage): undefined {
  if (hasBody(request))
    throw new FailureError('mismatch', { message: 'body is not expected: this operation declares none' })
  return undefined
}

function checkLength({ headers }: IncomingMessage, limit: number): void {
  if (Number(headers['content-length'] ?? 0) <= limit) return
  throw new FailureError('body-too-large', { message: `the body is larger than ${limit} bytes` })
}

/** RFC 9110, section 8.4. */
function checkCoding({ headers }: IncomingMessage, accept: string): void {
  const coding = headers['content-encoding']?.toLowerCase().trim() ?? 'identity'
  if (coding === 'identity' || coding === '') return
  throw new FailureError('unsupported-media-type', {
    message: 'no content coding is supported; send the body as it is',
    headers: { accept, 'accept-encoding': 'identity' }
  })
}

function expectedBody(
  content: RequestContent | undefined,
  contentType: string,
  accept: string
): ExpectedBody {
  const type = parseMediaType(contentType)
  const kind = type === undefined || content === undefined ? undefined : kindOf(content, type.type)
  const isText = kind !== 'binary' && kind !== 'multipart'
  if (contentType === '') throw unsupported('the body has no media type', accept)
  if (type === undefined || content === undefined || kind === undefined)
    throw unsupported('the media type of the body is not supported', accept)
  if (isText && !isUtf8Charset(type.parameters))
    throw unsupported('the only supported charset is UTF-8', accept)
  return { content, kind, mediaType: type.type }
}

/** A range says little of how to read a body; the type that was sent says it. */
function kindOf(content: RequestContent, sent: string): BodyKind | undefined {
  return content.mediaType.includes('*') ? bodyKind(sent) : content.kind
}

function unsupported(reason: string, accept: string): FailureError {
  return new FailureError('unsupported-media-type', {
    message: `${reason}; send ${accept}`,
    headers: { accept }
  })
}

/**
 * A JSON body as a handler gets it.
 * @throws {FailureError} `malformed-body` or `mismatch`, with every problem
 */
export function jsonBody(bytes: Buffer, content: RequestContent, code: CompiledCode): unknown {
  const { value, exactness, root } = parseExactJson(decodeUtf8(bytes))
  const holder = exactness === undefined ? { '': value } : (root as { '': unknown })
  validateBody(value, holder, { validate: content.validate, code, exactness })
  if (content.int64 !== undefined) restoreInt64(holder, content.int64, code, exactness)
  return holder['']
}

interface Rules {
  readonly validate: string | undefined
  readonly code: CompiledCode
  readonly exactness: Exactness | undefined
}

export function validateBody(value: unknown, holder: object, { validate, code, exactness }: Rules): void {
  const validator = validate === undefined ? undefined : code.validators[validate]
  if (validator === undefined) return
  if (accepts(validator, value, holder, exactness)) return
  throw mismatch(validator, 'body')
}

function accepts(
  validator: Validator,
  value: unknown,
  holder: object,
  exactness: Exactness | undefined
): boolean {
  if (exactness === undefined) return validator.call(undefined, value)
  return validator.call(exactness, value, {
    instancePath: '',
    parentData: holder,
    parentDataProperty: '',
    rootData: value,
    dynamicAnchors: {}
  })
}

/** What the validator found, as one failure. */
export function mismatch(validator: Validator, location: 'body' | ''): FailureError {
  const { problems, omitted } = collectProblems(validator.errors, location)
  return new FailureError('mismatch', { message: sentence(problems, omitted), problems })
}

/** A body that is not nested too deeply for a recursive schema: what overflows the stack is refused, not our fault. */
export function guardDepth<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new FailureError('mismatch', { message: 'body is nested too deeply', cause: error })
  }
}

export function textBody(bytes: Buffer, content: RequestContent, code: CompiledCode): string {
  const text = decodeUtf8(bytes)
  validateBody(text, { '': text }, { validate: content.validate, code, exactness: undefined })
  return text
}

export function bytesBody(bytes: Buffer, { validateBytes }: RequestContent, code: CompiledCode): Buffer {
  validateBody(bytes, { '': bytes }, { validate: validateBytes, code, exactness: undefined })
  return bytes
}
