/** Closes the connection of a response that stays incomplete, or its stream of HTTP/2, so that its client can tell. */
import type { ServerResponse } from 'node:http'
import { constants } from 'node:http2'
import type { Socket } from 'node:net'
import { http2Stream } from './request-checks.ts'

/** Sends the bytes that were written first. Behind other responses of its connection it waits for their end. */
export function closeUnfinished(response: ServerResponse): void {
  const stream = http2Stream(response.req)
  // The callback comes after the bytes that were written first.
  if (stream !== undefined) stream.write('', () => stream.close(constants.NGHTTP2_INTERNAL_ERROR))
  else response.write('', () => close(response))
}

/** Without chunks or a length a body ends with its connection (RFC 9112, section 6.3), so that only a reset tells. */
function close(response: ServerResponse): void {
  const { socket, httpVersion } = response.req
  if (socket.destroySoon === undefined) response.destroy()
  else if (httpVersion === '1.0' && !response.hasHeader('content-length')) reset(socket)
  else socket.destroySoon()
}

function reset(socket: Socket): void {
  try {
    socket.resetAndDestroy()
  } catch {
    // Only a connection of TCP can be reset.
    socket.destroy()
  }
}
