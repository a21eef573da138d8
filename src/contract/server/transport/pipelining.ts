/**
 * Bounds the requests of one connection that are not answered (RFC 9112, section 9.3.2). Node parses up to 64 KB of a
 * connection before it can pause it, and every request in them would be served at once.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { FailureError } from '../errors/failure.ts'
import { closeReported } from './close-reported.ts'
import {
  currentResponse,
  ignoreUpgrade,
  pauseReading,
  replaceServing,
  resumeReading,
  type ServeRequest
} from './node-internals.ts'
import type { RenderFailure } from './raw-response.ts'
import { closingUnread } from './unread-bodies.ts'
import type { UnreadBytes } from './unread-bytes.ts'

/** Requests that are served at the same time; their responses wait in memory until the client reads them. */
const maxServed = 16
/** Requests without a whole response, after which the connection is closed. Clients pipeline far fewer. */
const maxUnanswered = 100

/** Position of a request that was served behind others; that of the first is 0. A property costs less than a WeakMap. */
const position = Symbol('position')

interface Positioned extends IncomingMessage {
  [position]?: number
}

interface Bounds {
  readonly unread: UnreadBytes
  /** Reports a connection that is closed. */
  readonly render: RenderFailure
}

export function limitPipelining(server: Server, socket: Socket, bounds: Bounds): void {
  replaceServing(socket, (serve) => {
    const pipeline = new Pipeline(socket, closingUnread(server, serve), bounds)
    return (request, keepAlive) => pipeline.receive(request, keepAlive)
  })
}

class Pipeline {
  readonly #socket: Socket
  readonly #serve: ServeRequest
  readonly #bounds: Bounds
  /** Until then one request is served at a time, because the sizes of the responses are unknown. */
  #isTaken = false
  readonly #waiting: { readonly request: IncomingMessage; readonly keepAlive: boolean }[] = []
  /** Position of the request that was served last. */
  #last = -1

  constructor(socket: Socket, serve: ServeRequest, bounds: Bounds) {
    this.#socket = socket
    this.#serve = serve
    this.#bounds = bounds
    // Node resumes reading when bytes have left.
    socket.on('resume', () => this.#pauseWhileWaiting())
  }

  receive(request: IncomingMessage, keepAlive: boolean): void {
    const served = this.#countServed()
    if (served + this.#waiting.length >= maxUnanswered) this.#refuse()
    // Node answers CONNECT on the bare socket, after the responses to earlier requests.
    else if ((this.#waiting.length === 0 && this.#hasRoom(served)) || request.method === 'CONNECT')
      this.#start(request, keepAlive)
    else this.#defer(request, keepAlive)
  }

  /** Responses are written in the order of their requests, so the position of the current one is enough. */
  #countServed(): number {
    const current = currentResponse(this.#socket)
    if (current !== undefined) return this.#last - ((current.req as Positioned)[position] ?? 0) + 1
    this.#last = -1
    return 0
  }

  /** Large responses wait one at a time. */
  #hasRoom(served: number): boolean {
    const isSeveral = this.#isTaken && !this.#bounds.unread.wasFull(this.#socket)
    return served === 0 || (isSeveral && served < maxServed)
  }

  #start(request: Positioned, keepAlive: boolean): void {
    if (++this.#last > 0) request[position] = this.#last
    this.#serve(request, keepAlive)
  }

  #defer(request: IncomingMessage, keepAlive: boolean): void {
    ignoreUpgrade(request)
    if (this.#waiting.push({ request, keepAlive }) === 1) this.#awaitResponse()
    this.#pauseWhileWaiting()
  }

  /**
   * The bodies of requests that wait would otherwise be buffered. The end of a client that has closed its sending half is
   * not read either, after which Node would close the connection with the last response that it knows of.
   */
  #pauseWhileWaiting(): void {
    if (this.#waiting.length > 0) pauseReading(this.#socket)
  }

  #awaitResponse(): void {
    currentResponse(this.#socket)?.once('close', () => this.#serveWaiting())
  }

  #serveWaiting(): void {
    this.#isTaken = true
    // After `Connection: close` no further request is served.
    if (this.#socket.writableEnded || this.#socket.destroyed) this.#waiting.length = 0
    while (this.#waiting.length > 0 && this.#hasRoom(this.#countServed())) {
      const next = this.#waiting.shift()
      if (next) this.#start(next.request, next.keepAlive)
    }
    if (this.#waiting.length > 0) this.#awaitResponse()
    else resumeReading(this.#socket)
  }

  /** Node still builds the requests that it has read, so they must not be served. */
  #refuse(): void {
    this.#waiting.length = 0
    const message = `more than ${maxUnanswered} requests of a connection wait for their answers`
    closeReported(this.#socket, new FailureError('too-many-requests', { message }), this.#bounds.render)
    replaceServing(this.#socket, () => () => undefined)
  }
}
