/** `Content-Length` that a handler gives (RFC 9110, section 8.6): of a stream, or of what HEAD leaves out. */
import { Readable } from 'node:stream'
import { bodiless, type Response } from '../../model/compiled-contract.ts'
import type { Items } from '../../model/value-plans.ts'
import type { Payload } from './body.ts'
import type { Sequence } from './item-cursor.ts'

interface Measured {
  readonly status: number
  readonly payload: Payload | Sequence | undefined
  /** Items of the content, of which no length is known; undefined for any other. */
  readonly items: Items | undefined
  readonly isHead: boolean
}

/**
 * Checks the length of a payload. The server itself gives that of a text or bytes.
 * @param given value of the header
 * @returns the payload; in place of a stream one that fails if it has another length
 * @throws {Error} for a required length that is missing, and for a wrong one
 */
export function measured(
  { status, payload, items, isHead }: Measured,
  given: string | undefined,
  { headers }: Response
): Payload | Sequence | undefined {
  const isUnknown = items === undefined && (payload instanceof Readable || (isHead && payload === undefined))
  if (given === undefined) {
    const isRequired =
      isUnknown && headers.some(({ name, required }) => required && name === 'content-length')
    if (isRequired) throw new Error('header content-length is required')
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
  stream.on('error', () => {})
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
