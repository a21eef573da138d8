/** Closes the connection of a response that stays incomplete, or its stream of HTTP/2, so that its client can tell. */

import type { ServerResponse } from 'node:http'
import { constants } from 'node:http2'
import type { Socket } from 'node:net'
import { currentResponse } from './node-internals.ts'
import { http2Stream } from './request-checks.ts'

/** Sends the bytes that were written first. Behind other responses of its connection it waits for their end. */
export function closeUnfinished(response: ServerResponse): void {
  const { socket, req } = response
  const stream = http2Stream(req)
  // The callback comes after the bytes that were written first.
  if (stream !== undefined) return void stream.write('', () => stream.close(constants.NGHTTP2_INTERNAL_ERROR))
  const before = socket === null ? currentResponse(req.socket) : undefined
  if (before !== undefined) before.once('close', () => closeUnfinished(response))
  else if (socket?.destroySoon === undefined) response.destroy()
  // Node holds back what is written in one event-loop turn.
  else setImmediate(() => (response.chunkedEncoding ? socket.destroySoon() : reset(socket)))
}

/** Without chunks a body ends with its connection (RFC 9112, section 6.3), so that only a reset tells. */
function reset(socket: Socket): void {
  try {
    socket.resetAndDestroy()
  } catch {
    // Only a connection of TCP can be reset.
    socket.destroy()
  }
}
