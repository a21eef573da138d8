/** Bounds the bytes in memory of responses that clients have not read. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { FailureError } from '../errors/failure.ts'
import { closeReported, type RenderFailure } from './raw-response.ts'

/** Bytes of each response that are not counted, because its objects cost as much. */
const freeBytes = 1_024

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

  /** Counts a response until its client has read it, and closes connections when there are too many bytes. */
  hold(bytes: number, response: ServerResponse): void {
    if (bytes > freeBytes) this.ofStream(response)(bytes)
  }

  /** Returns a function that sets how many bytes of a response its client has not read. */
  ofStream(response: ServerResponse): (bytes: number) => void {
    const { socket } = response.req
    let held = 0
    const set = (bytes: number) => {
      const counted = bytes > freeBytes ? bytes : 0
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
