/** The body of a handler's answer as it is sent. */
import { Readable } from 'node:stream'
import { bodyKind } from '../../media-types/body-kind.ts'
import { parseMediaType } from '../../media-types/media-type.ts'
import type { ResponseContent } from '../../model/compiled-contract.ts'
import type { Answer } from './answer.ts'
import type { Checks } from './checks.ts'

export type Payload = string | Buffer | Readable

/** RFC 9110, sections 6.4.1, 15.3.5, 15.3.6 and 15.4.5. */
const bodiless = new Set([204, 205, 304])

/** @returns undefined for no body @throws where the body is not what is declared */
export function payloadOf(
  answer: Answer,
  content: ResponseContent,
  checks: Checks,
  method: string
): Payload | undefined {
  const { body, status } = answer
  if (body === undefined && (bodiless.has(status) || method === 'HEAD')) return undefined
  if (bodiless.has(status)) throw new Error(`status ${status} has no body`)
  if (['undefined', 'function', 'symbol'].includes(typeof body)) throw new Error('a body is declared')
  const kind = kindOf(content, answer)
  if (kind !== 'json') return bytesOrText(body, content, checks, method)
  checks.check(content.validate, body, 'body')
  return checks.serialize(content.serialize, body)
}

/** A range is what is sent under it: what the handler says, else what the value looks like. */
function kindOf(content: ResponseContent, { body, headers }: Answer): ResponseContent['kind'] {
  if (!content.mediaType.includes('*')) return content.kind
  const given = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'content-type')
  if (given !== undefined) return bodyKind(String(given[1]))
  if (typeof body === 'string') return 'text'
  return isBytes(body) ? 'binary' : 'json'
}

/** A text is checked; of bytes and streams only their media type is known. */
function bytesOrText(
  body: unknown,
  { kind, validate }: ResponseContent,
  { check }: Checks,
  method: string
): Payload {
  if (typeof body === 'string' || (kind === 'text' && !isBytes(body))) check(validate, body, 'body')
  const payload = bytes(body)
  if (method !== 'HEAD' || !(payload instanceof Readable)) return payload
  payload.on('error', () => undefined).destroy()
  return Readable.from([])
}

export function isBytes(body: unknown): body is Uint8Array | AsyncIterable<unknown> {
  return (
    body instanceof Uint8Array || (typeof body === 'object' && body !== null && Symbol.asyncIterator in body)
  )
}

function bytes(body: unknown): Payload {
  if (typeof body === 'string' || Buffer.isBuffer(body) || body instanceof Readable) return body
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (isBytes(body)) return Readable.from(body)
  throw new Error('the body must be bytes, a stream of them, or a string')
}

export function sentType({ kind, mediaType }: ResponseContent, body: unknown): string {
  if (mediaType.includes('*')) {
    if (typeof body === 'string') return 'text/plain; charset=utf-8'
    return isBytes(body) ? 'application/octet-stream' : 'application/json'
  }
  const isText = kind === 'text' && parseMediaType(mediaType)?.parameters.has('charset') !== true
  return isText ? `${mediaType}; charset=utf-8` : mediaType
}
