/** Bounds responses that clients do not read: the time, for which Node has no time-out, and the bytes in memory. */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { FailureError } from '../errors/failure.ts'
import { currentResponse, writeQueueSize } from './node-internals.ts'
import { closeReported, type RenderFailure } from './raw-response.ts'

/** Number of checks in one time-out. */
const checks = 8

interface Progress {
  written: number
  queued: number
  /** Number of checks in a row that found the same bytes. */
  unchanged: number
}

/**
 * Closes a connection after a time-out in which the client read none of the waiting bytes. A response that has not
 * begun has no time-out, because no bytes wait.
 *
 * @param timeout time in ms; 0: no limit
 * @param render reports a connection that is closed
 */
export function closeUnreadResponses(server: Server, timeout: number, render: RenderFailure): void {
  if (timeout === 0) return
  const sockets = new Map<Socket, Progress>()
  server.on('connection', (socket) => {
    sockets.set(socket, { written: 0, queued: 0, unchanged: 0 })
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('listening', () => {
    const check = () => {
      for (const [socket, progress] of sockets)
        if (isStalled(progress, socket)) closeReported(socket, unread(timeout), render)
    }
    const timer = setInterval(check, timeout / checks).unref()
    server.once('close', () => clearInterval(timer))
  })
}

function unread(timeout: number): FailureError {
  return new FailureError('timeout', { message: `no byte of the response was read in ${timeout} ms` })
}

/** Returns true after a time-out without progress. */
function isStalled(progress: Progress, socket: Socket): boolean {
  const { bytesWritten: written } = socket
  const queued = writeQueueSize(socket)
  const isUnchanged = queued > 0 && queued === progress.queued && written === progress.written
  progress.unchanged = isUnchanged ? progress.unchanged + 1 : 0
  progress.written = written
  progress.queued = queued
  return progress.unchanged >= checks
}

/** Bytes of each response that are not counted, because its objects cost as much. */
const freeBytes = 1_024
/** Unread bytes of a connection, beyond which its requests are served one at a time from then on. */
const maxTogether = 262_144
/** Unread bytes of a connection, beyond which it is closed when another response is added. */
const maxPerConnection = 16_777_216

/** Bounds the bytes of responses that clients have not read: per connection, and in total. */
export class UnreadBytes {
  readonly #render: RenderFailure
  readonly #max: number
  /** Unread bytes by connection. The one whose client has read nothing for the longest time comes first. */
  readonly #held = new Map<Socket, number>()
  readonly #full = new WeakSet<Socket>()
  #total = 0

  /** @param max bytes of all connections together; a single response of any size is always allowed */
  constructor(render: RenderFailure, max = 268_435_456) {
    this.#render = render
    this.#max = max
  }

  /** Counts a response until its client has read it, and closes connections when there are too many bytes. */
  hold(bytes: number, response: ServerResponse): void {
    if (bytes <= freeBytes) return
    const { socket } = response.req
    if (socket.destroyed) return
    this.#change(socket, bytes)
    // Runs before the listener that serves the next request.
    response.prependOnceListener('close', () => this.#change(socket, -bytes))
    const held = this.#bytesOf(socket)
    if (held > maxTogether) this.#full.add(socket)
    if (held > maxPerConnection && isBehind(socket, response))
      closeReported(socket, tooMany(maxPerConnection, 'a connection'), this.#render)
    this.#closeLongestWaiting(bytes)
  }

  /** Returns a function that sets how many bytes of a stream its client has not read. */
  ofStream(response: ServerResponse): (bytes: number) => void {
    const { socket } = response.req
    let held = 0
    const set = (bytes: number) => {
      const counted = bytes > freeBytes ? bytes : 0
      if (counted === held) return
      this.#change(socket, counted - held)
      if (counted > held) this.#closeLongestWaiting(counted)
      held = counted
    }
    response.prependOnceListener('close', () => set(0))
    return set
  }

  /** Returns true if the connection once had too many unread bytes for several responses. */
  wasFull(socket: Socket): boolean {
    return this.#full.has(socket)
  }

  /** Moves a connection to the end, because its client has read a part of its response. */
  onTaken(socket: Socket): void {
    this.#change(socket, 0)
  }

  #bytesOf(socket: Socket): number {
    return this.#held.get(socket) ?? 0
  }

  #change(socket: Socket, bytes: number): void {
    const held = this.#bytesOf(socket) + bytes
    this.#held.delete(socket)
    this.#total += bytes
    if (held > 0) this.#held.set(socket, held)
  }

  /** Closes connections. Their bytes are counted until their responses are closed, in a later event-loop turn. */
  #closeLongestWaiting(newest: number): void {
    let left = this.#total - newest
    for (const [socket, held] of this.#held) {
      if (left <= this.#max) return
      left -= held
      if (!socket.destroyed) closeReported(socket, tooMany(this.#max, 'all connections'), this.#render)
    }
  }
}

/** Returns true if an earlier response of the connection is being written. */
function isBehind(socket: Socket, response: ServerResponse): boolean {
  const current = currentResponse(socket)
  return current !== undefined && current !== response
}

function tooMany(max: number, place: string): FailureError {
  return new FailureError('overloaded', { message: `more than ${max} unread bytes of responses on ${place}` })
}
