/** The bytes of a request's body, at most so many of them. */
import type { IncomingMessage } from 'node:http'
import { FailureError } from '../errors/failure.ts'

const firstCapacity = 16_384
const nothing = Buffer.alloc(0)

/**
 * Rejects with FailureError: `body-too-large` as soon as the declared or the received length passes the limit in bytes,
 * `malformed-http` when the body ends early. What comes beyond the limit is discarded, so that a client that is still
 * sending can read the answer.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const declared = request.headers['content-length']
  if (declared !== undefined && Number(declared) > limit) return Promise.reject(tooLarge(limit))
  if (request.readableEnded) return Promise.resolve(nothing)
  if (request.destroyed) return Promise.reject(cutShort())
  return new Promise((resolve, reject) => {
    const body = new Accumulator()
    let isSettled = false
    const settle = (failure?: FailureError): void => {
      isSettled = true
      if (failure) reject(failure)
      else resolve(body.bytes)
    }
    // The listeners stay, for taking them off again costs as much as reading; what comes after the end is discarded.
    const onLost = (cause?: unknown): void => {
      if (!isSettled) settle(cutShort(cause))
    }
    request
      .on('data', (chunk: Buffer) => {
        if (isSettled) return
        if (body.length + chunk.length <= limit) body.add(chunk)
        else settle(tooLarge(limit))
      })
      .on('end', () => {
        if (isSettled) return
        settle(declared === undefined || Number(declared) === body.length ? undefined : cutShort())
      })
      .on('error', onLost)
      .on('close', onLost)
  })
}

/** One chunk is kept as it is; more are copied together, so that many small ones cost no more than their bytes. */
class Accumulator {
  length = 0
  #buffer: Buffer = nothing

  add(chunk: Buffer): void {
    if (this.length === 0) this.#buffer = chunk
    else this.#append(chunk)
    this.length += chunk.length
  }

  get bytes(): Buffer {
    return this.#buffer.length === this.length ? this.#buffer : this.#buffer.subarray(0, this.length)
  }

  #append(chunk: Buffer): void {
    const needed = this.length + chunk.length
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(firstCapacity, 2 * needed))
      this.#buffer.copy(larger, 0, 0, this.length)
      this.#buffer = larger
    }
    chunk.copy(this.#buffer, this.length)
  }
}

function tooLarge(limit: number): FailureError {
  return new FailureError('body-too-large', { message: `the body is larger than ${limit} bytes` })
}

function cutShort(cause?: unknown): FailureError {
  return new FailureError('malformed-http', { message: 'the body ended before its declared length', cause })
}
