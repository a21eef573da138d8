/** Reads the bytes of a body, and bounds the memory that the bodies of all requests take together. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Contract } from '../../model/compiled-contract.ts'
import { FailureError } from '../errors/failure.ts'
import { requestFailure } from '../transport/connections.ts'
import { bodyTooLarge } from './parse.ts'
import { decodingFailure, payloadLength, payloadOf, stopDecoding } from './payload.ts'

/** Bytes of each body that are not counted: a connection costs as much, and small requests are always served. */
const freeBytes = 16_384

/**
 * Reserves further bytes of one body until its response closes, or gives bytes back.
 *
 * @param bytes negative where they are given back
 * @throws {FailureError} `overloaded`
 */
export type Reserve = (bytes: number) => void

/** Budgets of the bodies that are read whole, and of what is in memory of those that are read as they arrive. */
export interface BodyBudgets {
  readonly bodyBudget: BodyBudget
  /** A budget of its own: a client that streams slowly takes no room of the others. */
  readonly streamBudget: BodyBudget
}

/**
 * Returns budgets in which the largest body of the contract always fits; of a streamed one at most twice `limit` is held.
 *
 * @param limit the default limit of a body, in bytes
 * @param max bytes of each budget
 */
export function bodyBudgets({ operations }: Contract, limit: number, max = 67_108_864): BodyBudgets {
  const contents = operations.flatMap(({ requestBody }) => requestBody?.content ?? [])
  const limits = contents.map((content) =>
    content.stream || content.items ? limit : (content.limit ?? limit)
  )
  return {
    bodyBudget: new BodyBudget(Math.max(max, ...limits)),
    streamBudget: new BodyBudget(Math.max(max, 2 * limit))
  }
}

export class BodyBudget {
  #left: number

  /** @param max bytes of all bodies together */
  constructor(max: number) {
    this.#left = max
  }

  /**
   * Admits one body.
   * @param contentLength length of the body in bytes; undefined where it is unknown
   * @throws {FailureError} `overloaded` when the body does not fit; it is then not read
   */
  open(contentLength: number | undefined, response: ServerResponse): Reserve {
    if (contentLength !== undefined && contentLength <= freeBytes) return uncounted
    if ((contentLength ?? 0) - freeBytes > this.#left) throw overloaded()
    let size = 0
    let reserved = 0
    let state: 'unused' | 'open' | 'closed' = 'unused'
    return (bytes) => {
      size += bytes
      const needed = Math.max(0, size - freeBytes) - reserved
      if (needed === 0 || state === 'closed' || response.closed) return
      if (needed > this.#left) throw overloaded()
      if (state === 'unused')
        response.once('close', () => {
          state = 'closed'
          this.#left += reserved
        })
      state = 'open'
      reserved += needed
      this.#left -= needed
    }
  }
}

/** Reserves nothing, for small bodies and for those outside of an operation. */
function uncounted(): void {}

function overloaded(): FailureError {
  return new FailureError('overloaded', { headers: { 'retry-after': '1' } })
}

const minCapacity = 16_384
const noBytes = Buffer.alloc(0)

/**
 * Reads the bytes of a body. Discards bytes beyond the limit, so that a client that is still sending can read the
 * response.
 * @param limit longest body in bytes; receive.ts has compared Content-Length with it
 * @param reserve called before memory is allocated
 * @throws {FailureError} `body-too-large` as soon as more bytes have arrived, `malformed-http` when the body ends
 * early, the failure of the request, and what `reserve` throws
 */
export function readBytes(
  request: IncomingMessage,
  limit: number,
  reserve: Reserve = uncounted
): Promise<Buffer> {
  const source = payloadOf(request)
  const contentLength = payloadLength(request)
  const failed = requestFailure(request)
  if (failed !== undefined) return Promise.reject(failed)
  if (source.readableEnded) return Promise.resolve(noBytes)
  if (source.destroyed) return Promise.reject(lostBody(request, source.errored ?? undefined))
  return new Promise((resolve, reject) => {
    const body = new Accumulator(contentLength ?? limit, reserve)
    let isSettled = false
    const fail = (failure: unknown): void => {
      isSettled = true
      reject(failure)
    }
    // The listeners stay, because removing them costs as much as reading; later chunks are discarded.
    const onLost = (cause?: unknown): void => {
      if (!isSettled) fail(lostBody(request, cause))
    }
    source
      .on('data', (sent: Buffer | string) => {
        if (isSettled) return
        const chunk = typeof sent === 'string' ? Buffer.from(sent) : sent
        try {
          if (body.length + chunk.length > limit) throw bodyTooLarge(limit)
          body.add(chunk)
        } catch (failure) {
          fail(failure)
          stopDecoding(request)
        }
      })
      .on('end', () => {
        if (isSettled) return
        isSettled = true
        if (contentLength === undefined || contentLength === body.length) resolve(body.bytes)
        else reject(incompleteBody())
      })
      .on('error', onLost)
      .on('close', onLost)
    // A hook may give a paused stream, which no listener resumes.
    if (source !== request) source.resume()
  })
}

/** Keeps a single chunk as it is, and copies several together: many small Buffers cost more memory than their bytes. */
export class Accumulator {
  length = 0
  #buffer: Buffer = noBytes
  readonly #maxLength: number
  readonly #reserve: Reserve

  constructor(maxLength: number, reserve: Reserve) {
    this.#maxLength = maxLength
    this.#reserve = reserve
  }

  /**
   * @param chunk kept as it is where it is the first; a slice would keep all of its memory
   * @throws {FailureError} `overloaded`
   */
  add(chunk: Buffer): void {
    const length = this.length + chunk.length
    const isSingle = this.length === 0
    if (length > this.#buffer.length) {
      const capacity = isSingle ? length : Math.min(Math.max(minCapacity, 2 * length), this.#maxLength)
      this.#reserve(capacity - this.#buffer.length)
      const larger = isSingle ? chunk : Buffer.allocUnsafeSlow(capacity)
      this.#buffer.copy(larger, 0, 0, this.length)
      this.#buffer = larger
    }
    if (!isSingle) chunk.copy(this.#buffer, this.length)
    this.length = length
  }

  /** Drops the bytes, and gives back what was reserved for them. */
  clear(): void {
    this.#reserve(-this.#buffer.length)
    this.#buffer = noBytes
    this.length = 0
  }

  get bytes(): Buffer {
    return this.#buffer.length === this.length ? this.#buffer : this.#buffer.subarray(0, this.length)
  }
}

/** Returns the failure of a body that has ended early: of the request, of a hook that decodes the body, or of the client. */
export function lostBody(request: IncomingMessage, cause: unknown): unknown {
  return cause instanceof FailureError ? cause : (decodingFailure(request, cause) ?? incompleteBody(cause))
}

export function incompleteBody(cause?: unknown): FailureError {
  return new FailureError('malformed-http', { message: 'the body ended before its declared length', cause })
}
