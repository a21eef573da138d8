/** Closes connections after responses that leave a large body unread (RFC 9110, section 15.5.14). */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { ServeRequest } from './node-internals.ts'
import { isOn } from './protections.ts'

/** Bytes of a body up to which the connection is kept, because discarding them is faster than a new connection. */
const maxDiscarded = 65_536

/**
 * Returns a function that serves requests. A response before the end of a large body gets `Connection: close`; the rest
 * of the body is discarded unparsed (lingering-close.ts).
 */
export function closingUnread(server: Server, serve: ServeRequest): ServeRequest {
  if (!isOn('unreadBodies')) return serve
  return (request, keepAlive) => {
    if (!isLarge(request)) return serve(request, keepAlive)
    // Only for large bodies, because a second listener costs time.
    server.prependListener('request', closeUnlessRead)
    serve(request, keepAlive)
    server.off('request', closeUnlessRead)
  }
}

function closeUnlessRead(request: IncomingMessage, response: ServerResponse): void {
  if (!response.shouldKeepAlive) return
  response.shouldKeepAlive = false
  request.once('end', () => {
    response.shouldKeepAlive = true
  })
}

/** Returns true for a large or chunked body; the length of a chunked one is unknown. */
function isLarge({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > maxDiscarded
}
