/** Body of a request that its handler reads as a stream (`x-stream`). Bounded by its bytes, and by the client's silence. */
import type { Server, ServerResponse } from 'node:http'
import { type Duplex, Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { FailureError } from '../errors/failure.ts'
import { connectionOf, requestFailure, takeListeners } from '../transport/connections.ts'
import { continueIfExpected, http2Stream } from '../transport/request-checks.ts'
import { bodyTooLarge } from './parse.ts'
import { incompleteBody, lostBody, payloadLength, payloadOf, stopDecoding } from './payload.ts'

/**
 * Reads the connection only while it is read itself: what nobody reads stays with the client. A failure (400, 408, 413)
 * destroys it, and is what the reading throws. Destroyed when the response is closed; the rest of the body is discarded.
 */
export class BodyStream extends Readable {
  readonly #reply: FastifyReply
  readonly #source: Readable
  readonly #limit: number
  readonly #timeoutMs: number
  #received = 0
  #isBegun = false
  #silence: NodeJS.Timeout | undefined
  #deadline: NodeJS.Timeout | undefined

  /** @param limit longest body in bytes; receive.ts has compared Content-Length with it */
  constructor(reply: FastifyReply, limit: number) {
    super()
    const { raw } = reply.request
    this.#reply = reply
    this.#source = payloadOf(raw)
    this.#limit = limit
    // Undefined in a server of HTTP/2.
    this.#timeoutMs = Number(reply.request.server.server.requestTimeout) || 0
    exemptFromTimeout(reply.raw, reply.request.server.server)
    // Without a listener, an error of a stream that nobody reads would end the process.
    this.on('error', ignore)
    onceClosed(reply, () => this.#discard())
    this.#source.pause()
    const onLost = (cause?: unknown): void => {
      if (!this.#source.readableEnded) this.destroy(lostBody(raw, cause) as Error)
    }
    this.#source.on('error', onLost).on('close', onLost)
    const failed = requestFailure(raw)
    const { destroyed, readableEnded, errored } = this.#source
    if (failed !== undefined || (destroyed && !readableEnded))
      this.destroy((failed ?? lostBody(raw, errored ?? undefined)) as Error)
  }

  /**
   * Begins the time in which the rest of a part must arrive that its reader holds and waits for, however many bytes of it
   * arrive meanwhile; without effect if it has begun.
   * @param partOf names the part
   */
  hold(partOf: () => string): void {
    if (this.#timeoutMs === 0 || this.#deadline !== undefined || this.destroyed) return
    const timer = setTimeout(() => {
      // See `#onSilence`.
      setImmediate(() => {
        if (this.#deadline === timer) this.#timeOut(`${partOf()} has not arrived whole in`)
      })
    }, this.#timeoutMs).unref()
    this.#deadline = timer
  }

  /** Ends the time that `hold` has begun. */
  release(): void {
    if (this.#deadline === undefined) return
    clearTimeout(this.#deadline)
    this.#deadline = undefined
  }

  override _read(): void {
    if (!this.#isBegun) this.#begin()
    this.#source.resume()
    this.#awaitBytes()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#stopWaiting()
    this.release()
    this.#source.pause()
    done(error)
  }

  #begin(): void {
    this.#isBegun = true
    continueIfExpected(this.#reply.request.raw, this.#reply.raw)
    if (this.#source.readableEnded) this.push(null)
    this.#source
      .on('data', (sent: Buffer | string) =>
        this.#receive(typeof sent === 'string' ? Buffer.from(sent) : sent)
      )
      .on('end', () => this.#end())
  }

  #receive(chunk: Buffer): void {
    if (this.destroyed) return
    this.#received += chunk.length
    if (this.#received > this.#limit) this.destroy(bodyTooLarge(this.#limit))
    else if (this.push(chunk)) this.#awaitBytes()
    else {
      this.#stopWaiting()
      this.#source.pause()
    }
  }

  #end(): void {
    const length = payloadLength(this.#reply.request.raw)
    this.#stopWaiting()
    if (length !== undefined && length !== this.#received) this.destroy(incompleteBody())
    else if (!this.destroyed) this.push(null)
  }

  /** Begins the time in which the next bytes must arrive; it stops while the handler does not read. */
  #awaitBytes(): void {
    if (this.#timeoutMs === 0 || this.destroyed || this.readableEnded) return
    if (this.#silence === undefined)
      this.#silence = setTimeout(() => this.#onSilence(), this.#timeoutMs).unref()
    else this.#silence.refresh()
  }

  #stopWaiting(): void {
    clearTimeout(this.#silence)
    this.#silence = undefined
  }

  /** Fails after the next poll for input: after a stall of this process, the bytes may have arrived long before. */
  #onSilence(): void {
    const [timer, received] = [this.#silence, this.#received]
    setImmediate(() => {
      if (this.#silence === timer && this.#received === received) this.#timeOut('no byte of the body in')
    })
  }

  #timeOut(problem: string): void {
    this.destroy(new FailureError('timeout', { message: `${problem} ${this.#timeoutMs} ms` }))
  }

  /** Node leaves what a paused request has buffered: the connection would read no further request. */
  #discard(): void {
    const { raw } = this.#reply.request
    this.destroy()
    stopDecoding(raw)
    raw.resume()
  }
}

/** Calls `run` when the response is closed, or its connection: a response behind others is not closed by Node then. */
export function onceClosed({ raw, request }: FastifyReply, run: () => void): void {
  const { socket } = request.raw
  const once = (): void => {
    raw.off('close', once)
    socket.off('close', once)
    run()
  }
  raw.once('close', once)
  socket.once('close', once)
}

/** Responses to requests whose bodies are streamed, by connection. */
const streamed = new WeakMap<Duplex, ServerResponse>()
/** Servers whose time-outs are put off. */
const exempting = new WeakSet<Server>()

/**
 * Puts off Node's time-out for a whole request, which Node reports once, until the response is closed. A request that is
 * still incomplete then is refused.
 */
function exemptFromTimeout(response: ServerResponse, server: Server): void {
  if (http2Stream(response.req) !== undefined) return
  const { socket } = response.req
  const connection = connectionOf(socket)
  streamed.set(socket, response)
  if (server.requestTimeout > 0) putOffTimeouts(server)
  if (connection !== undefined) connection.startedAt = Number.POSITIVE_INFINITY
}

/** Puts a listener in place of those of the application, which gives them every error, time-outs of streams later. */
function putOffTimeouts(server: Server): void {
  if (exempting.has(server)) return
  exempting.add(server)
  const report = takeListeners(server, 'clientError')
  server.on('clientError', (error, socket) => {
    const refuse = () => report(error, socket)
    const response = streamed.get(socket)
    const isTimeout = Object(error).code === 'ERR_HTTP_REQUEST_TIMEOUT'
    if (!isTimeout || response === undefined || response.req.complete || response.closed) refuse()
    else response.once('close', () => response.req.complete || refuse())
  })
}

function ignore(): void {}
