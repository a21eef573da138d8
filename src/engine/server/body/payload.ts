/**
 * Payload of a request, the stream of its body: kept from the parsers of Fastify, because it is read after authentication
 * and by its declared media type; then read within its limit.
 */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest, preParsingHookHandler } from 'fastify'
import type { Contract } from '../../model/compiled-contract.ts'
import { cachedByText } from '../../model/content-type.ts'
import { FailureError, statusCodeOf } from '../errors/failure.ts'
import { requestFailure } from '../transport/connections.ts'
import type { Reserve } from './budget.ts'
import { bodyTooLarge } from './parse.ts'

/** Stream that a preParsing hook has put in place of the body as it was sent; a property costs less than a WeakMap. */
const replaced = Symbol('payload')

interface Received extends IncomingMessage {
  [replaced]?: Readable
}

/**
 * Keeps the body of every later route of an encapsulated instance unread, and the stream that a hook puts in its place.
 * @param parsed methods whose bodies Fastify gives to a parser; undefined for all
 */
export function passBodies(app: FastifyInstance, parsed: ReadonlySet<string> | undefined): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  const keepPayload: preParsingHookHandler = (request, _reply, payload, done) => {
    const { raw }: { raw: Received } = request
    // Without a listener, the error of a stream whose request is refused before would end the process.
    if (payload !== raw) raw[replaced] = (payload as Readable).on('error', () => undefined)
    if (parsed === undefined || parsed.has(request.method)) acceptAnyType(request)
    done()
  }
  app.addHook('onRoute', (route) => {
    route.preParsing = [...[route.preParsing ?? []].flat(), keepPayload]
  })
}

/**
 * Tells Fastify that requests have no body where all routes of their method are of a contract: even a parser that reads
 * nothing costs a tenth of a create. Called before routes are added.
 * @returns the methods of other routes, which are complete when the server is ready
 */
export function skipParsers(app: FastifyInstance, { operations }: Contract): ReadonlySet<string> {
  const beside = new Set<string>()
  app.addHook('onRoute', ({ config, method }) => {
    if (config?.operation === undefined) for (const each of [method].flat()) beside.add(each)
  })
  app.addHook('onReady', async () => {
    const skipped = operations.filter(({ method }) => !beside.has(method))
    for (const { method } of skipped) app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  })
  return beside
}

/** Returns true for a media type that Fastify accepts (RFC 9110, section 8.3.1), whatever follows. */
const isAccepted = cachedByText((text) => /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/.test(text))

/** Gives Fastify a media type in place of one that it would refuse before the operation can. */
function acceptAnyType(request: FastifyRequest): void {
  const { headers, method } = request.raw
  const sent = headers['content-type']
  if (sent === undefined ? method === 'QUERY' : !isAccepted(sent))
    request.headers = { 'content-type': 'application/octet-stream' }
}

/** Returns the stream of a body, which a hook of the application may have decoded. */
export function payloadOf(request: Received): Readable {
  return request[replaced] ?? request
}

/** Returns Content-Length; undefined without one, and where a hook has decoded the body. */
export function payloadLength(request: Received): number | undefined {
  const length = request.headers['content-length']
  return length === undefined || request[replaced] !== undefined ? undefined : Number(length)
}

/** Discards what is left of a decoded body without decoding it: a few bytes may decode to many. */
export function stopDecoding(request: Received): void {
  if (request[replaced] === undefined) return
  request[replaced].pause()
  request.unpipe().resume()
}

const minCapacity = 16_384
const noBytes = Buffer.alloc(0)

/**
 * Reads the bytes of a body. Discards bytes beyond the limit, so that a client that is still sending can read the
 * response.
 * @param limit longest body in bytes; receive.ts has compared Content-Length with it
 * @param reserve called before memory is allocated; absent for a body that is not counted
 * @throws {FailureError} `body-too-large` as soon as more bytes have arrived, `malformed-http` when the body ends
 * early, the failure of the request, and what `reserve` throws
 */
export function readBytes(request: IncomingMessage, limit: number, reserve?: Reserve): Promise<Buffer> {
  const source = payloadOf(request)
  const contentLength = payloadLength(request)
  const failed = requestFailure(request)
  if (failed !== undefined) return Promise.reject(failed)
  if (source.readableEnded) return Promise.resolve(noBytes)
  if (source.destroyed) return Promise.reject(lostBody(request, source.errored ?? undefined))
  return new Promise((resolve, reject) => {
    let body: Accumulator | undefined
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
          // Most bodies are one chunk, which is complete before the stream ends.
          if (chunk.length === contentLength) {
            reserve?.(contentLength)
            isSettled = true
            resolve(chunk)
            return
          }
          body ??= new Accumulator(contentLength ?? limit, reserve)
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
        const bytes = body?.bytes ?? noBytes
        if (contentLength === undefined || contentLength === bytes.length) resolve(bytes)
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
  readonly #reserve: Reserve | undefined

  constructor(maxLength: number, reserve: Reserve | undefined) {
    this.#maxLength = maxLength
    this.#reserve = reserve
  }

  /**
   * @param chunk kept as it is where it is the first; a slice would keep all of its memory
   * @throws {FailureError} `overloaded`
   */
  add(chunk: Buffer): void {
    const length = this.length + chunk.length
    if (this.length === 0) {
      this.#reserve?.(length)
      this.#buffer = chunk
    } else {
      if (length > this.#buffer.length)
        this.#enlarge(Math.min(Math.max(minCapacity, 2 * length), this.#maxLength))
      chunk.copy(this.#buffer, this.length)
    }
    this.length = length
  }

  #enlarge(capacity: number): void {
    this.#reserve?.(capacity - this.#buffer.length)
    const larger = Buffer.allocUnsafeSlow(capacity)
    this.#buffer.copy(larger, 0, 0, this.length)
    this.#buffer = larger
  }

  /** Drops the bytes, and gives back what was reserved for them. */
  clear(): void {
    this.#reserve?.(-this.#buffer.length)
    this.#buffer = noBytes
    this.length = 0
  }

  get bytes(): Buffer {
    return this.#buffer.length === this.length ? this.#buffer : this.#buffer.subarray(0, this.length)
  }
}

/** Returns the failure of a body that has ended early: of the request, of a hook that decodes the body, or of the client. */
export function lostBody(request: Received, cause: unknown): unknown {
  if (cause instanceof FailureError) return cause
  if (request[replaced] === undefined || cause === undefined) return incompleteBody(cause)
  // Fastify answers the error of a hook by its status.
  if (statusCodeOf(cause) !== undefined) return cause
  return new FailureError('malformed-body', { message: 'the content coding of the body is broken', cause })
}

export function incompleteBody(cause?: unknown): FailureError {
  return new FailureError('malformed-http', { message: 'the body ended before its declared length', cause })
}
