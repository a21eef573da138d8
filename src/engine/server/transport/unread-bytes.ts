/** Bounds the bytes of responses that stay in memory because clients do not read: per connection, and in total. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { FailureError } from '../errors/failure.ts'
import { closeReported } from './close-reported.ts'
import { currentResponse } from './node-internals.ts'
import type { RenderFailure } from './raw-response.ts'

/** Bytes of each response that are not counted, because its objects cost as much. */
const freeBytes = 1_024
/** Unread bytes of a connection, beyond which its requests are served one at a time from then on. */
const maxTogether = 262_144
/** Unread bytes of a connection, beyond which it is closed when another response is added. */
const maxPerConnection = 16_777_216

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
