/** Closes connections after responses that leave a large body unread (RFC 9110, section 15.5.14). */
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Bytes of a body up to which the connection is kept: so many are discarded in less time than a new connection takes. */
const maxDiscarded = 65_536

/**
 * Sends `Connection: close` with a response before the end of the request's body, unless the body is small. The rest
 * is then discarded without being parsed (lingering-close.ts). Call it before the response begins.
 */
export function closeUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  if (!isLarge(request) || !response.shouldKeepAlive) return
  response.shouldKeepAlive = false
  request.once('end', () => {
    response.shouldKeepAlive = true
  })
}

/** The length of a chunked body is unknown. */
function isLarge({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > maxDiscarded
}
