/** Bounds what clients have not read of their responses: the bytes in memory, and the time. */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { FailureError } from '../errors/failure.ts'
import { openResponses } from './connections.ts'
import { closeReported, type RenderFailure } from './raw-response.ts'

/** Bytes of each response that are not counted, because its objects cost as much. */
export const uncountedBytes = 1_024

export class UnreadBytes {
  readonly #render: RenderFailure
  readonly #max: number
  /** Unread bytes by connection. The one whose client has read nothing for the longest time comes first. */
  readonly #held = new Map<Socket, number>()
  #total = 0

  /** @param max bytes of all connections together; a single response of any size is always allowed */
  constructor(render: RenderFailure, max = 268_435_456) {
    this.#render = render
    this.#max = max
  }

  /**
   * Returns a function that sets how many bytes of a response its client has not read, and closes connections when there
   * are too many.
   */
  ofStream(response: ServerResponse): (bytes: number) => void {
    const { socket } = response.req
    let held = 0
    const set = (bytes: number) => {
      const counted = bytes > uncountedBytes ? bytes : 0
      if (counted === held || socket.destroyed || response.closed) return
      this.#change(socket, counted - held)
      if (counted > held) this.#closeLongestWaiting(counted)
      held = counted
    }
    response.once('close', () => this.#change(socket, -held))
    return set
  }

  /** Moves a connection to the end, because its client has read a part of its response. */
  onTaken(socket: Socket): void {
    this.#change(socket, 0)
  }

  #change(socket: Socket, bytes: number): void {
    const held = (this.#held.get(socket) ?? 0) + bytes
    this.#held.delete(socket)
    this.#total += bytes
    if (held > 0) this.#held.set(socket, held)
  }

  /** Closes connections. Their bytes are counted until their responses are closed, in a later event-loop turn. */
  #closeLongestWaiting(newest: number): void {
    const message = `more than ${this.#max} unread bytes of responses on all connections`
    let left = this.#total - newest
    for (const [socket, held] of this.#held) {
      if (left <= this.#max) return
      left -= held
      if (!socket.destroyed) closeReported(socket, new FailureError('overloaded', { message }), this.#render)
    }
  }
}

/** Bytes that a client has taken and bytes that it has sent, at a time in ms. */
interface Progress {
  readonly taken: number
  readonly sent: number
  readonly at: number
}

/**
 * Ends connections on which no byte is read during the time-out of the server (of idle ones, unless it has its own). A
 * time-out of each socket at all times would cost 4 % of a small request.
 */
export function limitReading(server: Server, render: RenderFailure): void {
  const connections = new Map<Socket, Progress>()
  const limit = server.timeout || server.keepAliveTimeout
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { taken: -1, sent: 0, at: 0 })
    socket.once('close', () => connections.delete(socket))
  })
  server.on('timeout', (socket) => endUnlessWorking(socket, limit, render))
  if (limit === 0) return
  server.on('listening', () => {
    const timer = setInterval(() => {
      for (const [socket, before] of connections) connections.set(socket, checkReading(socket, before, limit))
    }, limit / 8).unref()
    server.once('close', () => clearInterval(timer))
  })
}

/**
 * Sets the time-out of a socket whose client has bytes to read. What the client sends keeps it from expiring: one that
 * only sends is disconnected here.
 * @returns the latest progress in reading
 */
function checkReading(socket: Socket, before: Progress, limit: number): Progress {
  const taken = socket.bytesWritten - socket.writableLength
  const now = { taken, sent: socket.bytesRead, at: performance.now() }
  const isStill = socket.writableLength > 0 && taken === before.taken
  if (isStill && now.sent > before.sent && now.at - before.at >= limit) socket.destroy()
  else if (isUnread(socket) && !socket.timeout) socket.setTimeout(limit)
  return isStill ? before : now
}

/** Returns true while bytes wait for the client, also those of a response behind another one. */
const isUnread = (socket: Socket): boolean =>
  socket.writableLength > 0 || openResponses(socket).some((response) => response.writableLength > 0)

/** Ends the connection, except while a handler works. */
function endUnlessWorking(socket: Socket, limit: number, render: RenderFailure): void {
  const message = `no byte of the response was read in ${limit} ms`
  if (isUnread(socket)) closeReported(socket, new FailureError('timeout', { message }), render)
  else if (openResponses(socket).length > 0) socket.setTimeout(limit)
  else socket.destroy()
}
