/**
 * Body of a response: its media type is the one that the handler sets, or the client prefers (RFC 9110, section 12.5.1);
 * its value is checked and serialized by the compiled code of the contract.
 */
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { negotiate } from '../../model/accept.ts'
import {
  bodiless,
  type CompiledCode,
  type Operation,
  type ResponseContent
} from '../../model/compiled-contract.ts'
import { cachedByText, mediaTypeMatcher } from '../../model/content-type.ts'
import { bodyKind, parseMediaType } from '../../model/media-type.ts'
import type { Items } from '../../model/value-plans.ts'
import { wireValues } from '../../runtime/wire-values.ts'
import { isThenable } from '../errors/callbacks.ts'
import { FailureError } from '../errors/failure.ts'
import { problemsOf, sentence } from '../errors/validation-problems.ts'
import { discard } from './discard.ts'
import type { Sequence } from './item-cursor.ts'

/** Response that a handler returns. */
export interface HandlerResponse {
  readonly status: number
  /** Body: for JSON a value; for text a string; for every other media type a string, bytes, or a stream of bytes. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, unknown>>
}

/** Callback for every response of a handler with a status of 400 or above, when it is sent. Its errors are logged. */
export type OnErrorResponse = (response: HandlerResponse, request: FastifyRequest) => unknown

/** Serializer; every JSON content of a compiled contract has one. */
type Serializer = CompiledCode['serializers'][string]

export interface Checks {
  /**
   * Validates a value.
   * @throws {Error} that names `part` and lists the problems of the value
   */
  readonly check: (validator: string | undefined, value: unknown, part: string) => void
  /** Writes values of the classes of formats as texts. */
  readonly wire: (value: unknown) => unknown
  readonly accepts: (validator: string | undefined, value: unknown) => boolean
  /** Returns the problems of the value that a validator has refused last, as a sentence. */
  readonly problems: (validator: string | undefined, place: string) => string
  /**
   * Writes the declared properties of a value as JSON.
   * @throws {Error} for a value that JSON cannot represent
   */
  readonly serialize: (serializer: string | undefined, value: unknown) => string
}

/** Most problems of a response in the line of the log. */
const maxListed = 10

export function checks({ validators, serializers, formats }: CompiledCode): Checks {
  const wire = wireValues(formats) ?? ((value: unknown) => value)
  const accepts: Checks['accepts'] = (name, value) => validators[String(name)]?.(value) !== false
  const problems: Checks['problems'] = (name, place) => {
    const found = problemsOf(validators[String(name)]?.errors, place)
    return sentence(found.slice(0, maxListed), Math.max(0, found.length - maxListed))
  }
  return {
    wire,
    accepts,
    problems,
    check(name, value, part) {
      if (validators[String(name)]?.(value) !== false) return
      throw new Error(`${part}: ${problems(name, 'body')}`)
    },
    serialize: (name, value) => (serializers[String(name)] as Serializer)(value)
  }
}

export interface Offers {
  /** Distinct media types of all successes. */
  readonly mediaTypes: readonly string[]
  /** True if one response has several media types. */
  readonly hasChoice: boolean
}

export function offers({ responses }: Operation): Offers {
  const contents = Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') ? [content] : []
  )
  return {
    mediaTypes: [...new Set(contents.flat().map(typeOf))],
    hasChoice: contents.some((content) => content.length > 1)
  }
}

/**
 * @param contentType value of the header in the handler's response
 * @param accept value of the header in the request
 * @returns undefined for a response without content
 * @throws {FailureError} `not-acceptable`
 */
export type ChooseContent = (
  response: HandlerResponse,
  contentType: string | string[] | undefined,
  accept: string | undefined
) => SentContent | undefined

/** Declared content, with the Content-Type of a response for which the handler has set none. */
interface SentContent extends ResponseContent {
  /** Undefined for a range, under which the value decides. */
  readonly sentType: string | undefined
}

export function contentChooser(declared: readonly ResponseContent[], checks: Checks): ChooseContent {
  const content = declared.map((each): SentContent => ({ ...each, sentType: sentType(each) }))
  const match = cachedByText(mediaTypeMatcher(content.map(typeOf)))
  return (response, contentType, accept) => {
    if (contentType !== undefined) {
      const named = content[match(String(contentType))]
      if (named === undefined) throw new Error(`media type ${contentType} is not declared`)
      return named
    }
    if (content.length < 2) return content[0]
    const suitable = content.filter((candidate) => suits(candidate, response.body, checks))
    return suitable.length === 0 ? content[0] : preferred(suitable, accept, response.status)
  }
}

const typeOf = ({ mediaType }: ResponseContent): string => mediaType

/** Returns the preferred content. Errors ignore an Accept that matches nothing (RFC 9110, section 15.5.7). */
function preferred(
  contents: readonly SentContent[],
  accept: string | undefined,
  status: number
): SentContent | undefined {
  const index = negotiate(accept, contents.map(typeOf))
  if (index < 0 && status < 300) throw new FailureError('not-acceptable')
  return contents[Math.max(0, index)]
}

/** Returns true if the body fits this content, because handlers return one of several representations. */
function suits(content: ResponseContent, body: unknown, { accepts }: Checks): boolean {
  const { kind, validate, mediaType, items } = content
  if (body === undefined || mediaType.includes('*')) return true
  if (items !== undefined) return isSequence(body)
  if (isBytes(body)) return kind !== 'json'
  return kind === 'json' || typeof body === 'string' ? accepts(validate, body) : false
}

export type Payload = string | Buffer | Readable

/**
 * Checks and serializes the body; one of items is returned as it is.
 * @returns undefined for a response without a body
 * @throws {Error} for a body that is not as declared
 */
export function payloadOf(
  response: HandlerResponse,
  content: ResponseContent,
  checks: Checks,
  method: string
): Payload | Sequence | undefined {
  const { body, status } = response
  if (body === undefined && (bodiless.has(status) || method === 'HEAD')) return undefined
  if (bodiless.has(status)) throw new Error(`status ${status} has no body`)
  if (body === undefined || typeof body === 'function' || typeof body === 'symbol')
    throw new Error('a body is declared')
  if (isThenable(body)) throw new Error('the body is a promise: await is missing')
  if (content.items !== undefined) return sequenceOf(body, method)
  const kind = content.mediaType.includes('*') ? kindInRange(response) : content.kind
  if (kind !== 'json') return bytesOrText(body, content, checks, method)
  checks.check(content.validate, body, 'body')
  return checks.serialize(content.serialize, body)
}

/** Returns the items that are sent; those of a HEAD are not asked for. */
function sequenceOf(body: unknown, method: string): Sequence | Readable {
  if (!isSequence(body)) throw new Error('the body must be an iterable of items')
  if (method !== 'HEAD') return body
  discard(body)
  return Readable.from([])
}

function isSequence(body: unknown): body is Sequence {
  if (typeof body !== 'object' || body === null || ArrayBuffer.isView(body)) return false
  return Symbol.asyncIterator in body || Symbol.iterator in body
}

/** Returns the kind of the body under a declared range: the handler's Content-Type or the value decides. */
function kindInRange({ body, headers }: HandlerResponse): ResponseContent['kind'] {
  const given = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'content-type')
  if (given !== undefined) return bodyKind(String(given[1]))
  if (typeof body === 'string') return 'text'
  return isBytes(body) ? 'binary' : 'json'
}

/** Returns the body of a content other than JSON. Validates texts only: no schema applies to bytes and streams. */
function bytesOrText(
  body: unknown,
  { kind, validate }: ResponseContent,
  { check }: Checks,
  method: string
): Payload {
  if (typeof body === 'string' || (kind === 'text' && !isBytes(body))) check(validate, body, 'body')
  const payload = bytes(body)
  if (method !== 'HEAD' || !(payload instanceof Readable)) return payload
  for (const stream of [body, payload]) if (stream instanceof Readable) stream.on('error', ignore).destroy()
  return Readable.from([])
}

function isBytes(body: unknown): body is Uint8Array | AsyncIterable<unknown> {
  return (
    body instanceof Uint8Array || (typeof body === 'object' && body !== null && Symbol.asyncIterator in body)
  )
}

function bytes(body: unknown): Payload {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (body instanceof Readable && !body.readableObjectMode) return body
  // Without a listener, an error of a stream that is not read yet would end the process.
  if (body instanceof Readable) body.on('error', ignore)
  if (isBytes(body)) return Readable.from(checkedChunks(body as AsyncIterable<unknown>))
  throw new Error('the body must be bytes, a stream of them, or a string')
}

/** Checks each chunk. A wrong first chunk becomes a 500, because Fastify sends the headers with the first chunk. */
async function* checkedChunks(body: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  for await (const chunk of body) {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) throw wrongChunk(typeof chunk)
    yield chunk
  }
}

function ignore(): void {}

function wrongChunk(type: string): FailureError {
  return new FailureError('response-mismatch', { cause: new Error(`a stream of bytes yields ${type}`) })
}

/** Returns the Content-Type of a value under a range for which the handler has set none. */
export function typeInRange(body: unknown): string {
  if (typeof body === 'string') return 'text/plain; charset=utf-8'
  return isBytes(body) ? 'application/octet-stream' : 'application/json'
}

function sentType({ kind, mediaType }: ResponseContent): string | undefined {
  if (mediaType.includes('*')) return undefined
  const isText = kind === 'text' && parseMediaType(mediaType)?.parameters.has('charset') !== true
  return isText ? `${mediaType}; charset=utf-8` : mediaType
}

interface Measured {
  readonly status: number
  readonly payload: Payload | Sequence | undefined
  /** Items of the content, of which no length is known; undefined for any other. */
  readonly items: Items | undefined
  readonly isHead: boolean
}

/**
 * Checks the length of a payload by the `Content-Length` that a handler gives (RFC 9110, section 8.6): of a stream, or of
 * what HEAD leaves out. The server itself gives that of a text or bytes.
 * @param given value of the header; undefined where it is required, but not given
 * @returns the payload; in place of a stream one that fails if it has another length
 * @throws {Error} for a required length that is missing, and for a wrong one
 */
export function measured(
  { status, payload, items, isHead }: Measured,
  given: string | undefined
): Payload | Sequence | undefined {
  const isUnknown = items === undefined && (payload instanceof Readable || (isHead && payload === undefined))
  if (given === undefined) {
    if (isUnknown) throw new Error('header content-length is required')
    return payload
  }
  if (items !== undefined && !isHead)
    throw new Error('header content-length cannot be set: items have no known length')
  if (!/^\d+$/.test(given)) throw new Error('header content-length is not a number of bytes')
  if (bodiless.has(status)) throw new Error(`status ${status} has no content-length`)
  if (payload instanceof Readable) return isHead ? payload : ofLength(payload, Number(given))
  const isWrong = !isUnknown && Buffer.byteLength((payload ?? '') as string | Buffer) !== Number(given)
  if (isWrong) throw new Error('header content-length is not the length of the body')
  return payload
}

/** Node sends surplus bytes, which a client reads as its next response. */
function ofLength(stream: Readable, length: number): Readable {
  // Without a listener, an error before the first read would end the process.
  stream.on('error', ignore)
  return Readable.from(counted(stream, length), { objectMode: false })
}

async function* counted(stream: Readable, length: number): AsyncGenerator<string | Uint8Array> {
  let sent = 0
  for await (const chunk of stream) {
    sent += Buffer.byteLength(chunk)
    if (sent > length) break
    yield chunk
  }
  if (sent !== length)
    throw new Error(
      `the stream has ${sent > length ? 'more' : 'less'} than the ${length} bytes of content-length`
    )
}
