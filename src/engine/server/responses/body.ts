/** Chooses the media type of a response: the one that the handler sets, or the client prefers (RFC 9110, 12.5.1). */

import { Readable } from 'node:stream'
import { negotiate } from '../../model/accept.ts'
import {
  bodiless,
  type Operation,
  type Response,
  type ResponseContent
} from '../../model/compiled-contract.ts'
import { cachedByText, mediaTypeMatcher } from '../../model/content-type.ts'
import { bodyKind, parseMediaType } from '../../model/media-type.ts'
import { isThenable } from '../errors/callbacks.ts'
import { FailureError } from '../errors/failure.ts'
import type { Checks, HandlerResponse } from './checks.ts'
import { discard } from './discard.ts'
import type { Sequence } from './item-cursor.ts'

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
  declared: Response,
  response: HandlerResponse,
  contentType: string | string[] | undefined,
  accept: string | undefined
) => ResponseContent | undefined

export function contentChooser(checks: Checks): ChooseContent {
  const matchers = new WeakMap<Response, (contentType: string) => number>()
  return (declared, response, contentType, accept) => {
    const { content } = declared
    if (contentType !== undefined) return named(declared, String(contentType))
    if (content.length < 2) return content[0]
    const suitable = content.filter((candidate) => suits(candidate, response.body, checks))
    if (suitable.length === 0) return content[0]
    return preferred(suitable, accept, response.status)
  }

  function named(declared: Response, contentType: string): ResponseContent {
    const match = matchers.get(declared) ?? cachedByText(mediaTypeMatcher(declared.content.map(typeOf)))
    matchers.set(declared, match)
    const chosen = declared.content[match(contentType)]
    if (chosen === undefined) throw new Error(`media type ${contentType} is not declared`)
    return chosen
  }
}

const typeOf = ({ mediaType }: ResponseContent): string => mediaType

/** Returns the preferred content. Errors ignore an Accept that matches nothing (RFC 9110, section 15.5.7). */
function preferred(
  contents: readonly ResponseContent[],
  accept: string | undefined,
  status: number
): ResponseContent | undefined {
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
  if (['undefined', 'function', 'symbol'].includes(typeof body)) throw new Error('a body is declared')
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

/** Returns the Content-Type of a response for which the handler has set none. */
export function sentType({ kind, mediaType }: ResponseContent, body: unknown): string {
  if (mediaType.includes('*')) {
    if (typeof body === 'string') return 'text/plain; charset=utf-8'
    return isBytes(body) ? 'application/octet-stream' : 'application/json'
  }
  const isText = kind === 'text' && parseMediaType(mediaType)?.parameters.has('charset') !== true
  return isText ? `${mediaType}; charset=utf-8` : mediaType
}
