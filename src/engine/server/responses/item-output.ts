/** Material of a stream of items: the parts that all of a server share, and its response. */
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { OpenRequests } from '../transport/open-requests.ts'
import type { UnreadBytes } from '../transport/unread.ts'

/** Parts that all streams of a server share. */
export interface Streaming {
  /** Milliseconds of silence before a heartbeat; 0: no heartbeats. */
  readonly heartbeat: number
  readonly open: OpenRequests
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
