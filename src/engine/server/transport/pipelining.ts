/**
 * Bounds the unanswered requests of one connection (RFC 9112, section 9.3.2). Node parses up to 64 KB of a connection
 * before it can pause it, and would serve all of these requests at once.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { FailureError } from '../errors/failure.ts'
import { IgnoredUpgrades } from './ignored-upgrades.ts'
import { alwaysLinger, closingUnread } from './lingering-close.ts'
import {
  currentResponse,
  ignoreUpgrade,
  isUpgraded,
  pauseReading,
  replaceServing,
  resumeReading,
  type ServeRequest
} from './node-internals.ts'
import { isOn } from './protections.ts'
import { closeReported, type RenderFailure } from './raw-response.ts'
import type { UnreadBytes } from './unread.ts'

/** Maximum of requests served at the same time; their responses stay in memory until the client reads them. */
const maxServed = 16
/** Requests without a complete response, beyond which the connection is closed. Clients pipeline far fewer. */
const maxUnanswered = 100

/** Position of a request that was served behind others; absent for the first. Cheaper than a WeakMap. */
const position = Symbol('position')

interface Positioned extends IncomingMessage {
  [position]?: number
}

interface Bounds {
  readonly unread: UnreadBytes
  /** Reports a closed connection. */
  readonly render: RenderFailure
}

export function limitPipelining(server: Server, socket: Socket, bounds: Bounds): void {
  replaceServing(socket, (serve) => {
    const pipeline = new Pipeline(socket, closingUnread(server, serve), bounds)
    return (request, keepAlive) =>
      isUpgraded(server, request) && pipeline.isIdle
        ? serve(request, keepAlive)
        : pipeline.receive(request, keepAlive)
  })
}

/** Drops the requests that Node has read already, or still reads. */
export function serveNoMore(socket: Socket): void {
  if (isOn('pipelining')) replaceServing(socket, () => () => undefined)
}

class Pipeline {
  readonly #socket: Socket
  readonly #serve: ServeRequest
  readonly #bounds: Bounds
  /** False until a response was read: requests are served one at a time while the sizes of responses are unknown. */
  #isTaken = false
  readonly #waiting: { readonly request: IncomingMessage; readonly keepAlive: boolean }[] = []
  /** Position of the request that was served last. */
  #last = -1
  /** True when the last request of the connection has been received. */
  #isOver = false
  /** Undefined before the first request with `Upgrade`. */
  #upgrades: IgnoredUpgrades | undefined

  constructor(socket: Socket, serve: ServeRequest, bounds: Bounds) {
    this.#socket = socket
    this.#serve = serve
    this.#bounds = bounds
    // Node resumes reading after it has written bytes.
    socket.on('resume', () => this.#onResume())
  }

  /** True while no request waits for its response. */
  get isIdle(): boolean {
    return this.#waiting.length === 0 && this.#countServed() === 0
  }

  receive(request: IncomingMessage, keepAlive: boolean): void {
    if (ignoreUpgrade(request) && !this.#isContinued(request)) this.#end()
    const served = this.#countServed()
    const isKept = keepAlive && !this.#isOver
    if (served + this.#waiting.length >= maxUnanswered) this.#refuse()
    else if (this.#waiting.length === 0 && this.#hasRoom(served)) this.#start(request, isKept)
    else this.#defer(request, isKept)
  }

  /** Returns true if the bytes behind a request with `Upgrade` are parsed. Those behind a CONNECT are not HTTP. */
  #isContinued(request: IncomingMessage): boolean {
    if (request.method === 'CONNECT') return false
    this.#upgrades ??= IgnoredUpgrades.on(this.#socket)
    this.#upgrades?.expect(request)
    return this.#upgrades !== undefined
  }

  /** Serves no further request: the response to the last one closes the connection. */
  #end(): void {
    this.#isOver = true
    alwaysLinger(this.#socket)
  }

  #onResume(): void {
    this.#pauseWhileWaiting()
    this.#upgrades?.parseRest()
  }

  /** Counts the served requests from the position of the current response, because responses are written in order. */
  #countServed(): number {
    const current = currentResponse(this.#socket)
    if (current !== undefined) return this.#last - ((current.req as Positioned)[position] ?? 0) + 1
    this.#last = -1
    return 0
  }

  /** Returns true if another request may be served; large responses are made one at a time. */
  #hasRoom(served: number): boolean {
    const isSeveral = this.#isTaken && !this.#bounds.unread.wasFull(this.#socket)
    return served === 0 || (isSeveral && served < maxServed)
  }

  #start(request: Positioned, keepAlive: boolean): void {
    if (++this.#last > 0) request[position] = this.#last
    this.#serve(request, keepAlive)
  }

  #defer(request: IncomingMessage, keepAlive: boolean): void {
    if (this.#waiting.push({ request, keepAlive }) === 1) this.#awaitResponse()
    this.#pauseWhileWaiting()
  }

  /**
   * Pauses reading while requests wait: Node would otherwise buffer their bodies. It would also read the end of a
   * client that closes its sending half, and close the connection after the last response that it knows of.
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

  /** Closes the connection. Requests that Node has already read must not be served. */
  #refuse(): void {
    this.#waiting.length = 0
    const message = `more than ${maxUnanswered} requests of a connection wait for their answers`
    closeReported(this.#socket, new FailureError('too-many-requests', { message }), this.#bounds.render)
    serveNoMore(this.#socket)
  }
}
