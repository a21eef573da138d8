/** Material of a stream of items: the parts that all of a server share, and its response. */
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { UnreadBytes } from '../transport/unread.ts'

/** Response of unknown length. */
export interface OpenStream {
  /**
   * Ends the stream after the item that its iterator is making, at the latest after this time in ms.
   * @returns false for a stream that is over
   */
  readonly stop: (timeout: number) => boolean
}

/** Parts that all streams of a server share. */
export interface Streaming {
  /** Milliseconds of silence before a heartbeat; 0: no heartbeats. */
  readonly heartbeat: number
  readonly open: { readonly addStream: (stream: OpenStream, response: ServerResponse) => void }
  readonly unread: UnreadBytes
}

/** Way of the items to the connection. */
export interface Output {
  readonly reply: FastifyReply
  /** @throws {Error} for an item that is not as declared */
  readonly write: (item: unknown, index: number) => string
  /** Returns what a silent stream sends after this number of items. */
  readonly heartbeatText: (count: number) => string
  /** Sends status and headers, with the stream as body. */
  readonly begin: (stream: Readable) => void
  /** Is called with the error of an iterator or of a broken item. Status and headers are not sent yet if `isFirst`. */
  readonly fail: (error: unknown, at: { readonly index: number; readonly isFirst: boolean }) => void
}
