/**
 * Closes connections. A socket that is closed with unread input is reset, and a reset discards the response that the
 * client has not read yet (RFC 9112, section 9.6): what the client still sends is discarded first, within bounds.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Bytes after which a client that goes on sending is disconnected. */
const maxDiscarded = 8_388_608
/** Time in ms after which a connection is destroyed that has sent its last bytes. */
const maxClosingMs = 5_000

/** Sends the last bytes, and discards what the client still sends. Discarded bytes are not parsed. */
export function endConnection(socket: Duplex, lastBytes = ''): void {
  let discarded = 0
  socket
    .removeAllListeners('data')
    .on('data', (chunk: Buffer) => {
      discarded += chunk.length
      if (discarded > maxDiscarded) socket.destroy()
    })
    .on('error', ignore)
    .resume()
  if (socket.writable) socket.end(lastBytes)
  destroyLater(socket)
}

/** Destroys a connection after a time in which its client can read what was sent. */
export function destroyLater(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), maxClosingMs)
  socket.once('close', () => clearTimeout(timer))
}

/** Closes the connection after a response whose headers are not sent yet. */
export function closeAfter(response: ServerResponse): void {
  const { socket } = response.req
  response.setHeader('Connection', 'close')
  response.once('finish', () => socket.destroySoon())
}

/** Discards the rest of a body whose request is answered; Node alone would do so without a bound. */
export function discardBody(request: IncomingMessage): void {
  if (request.complete) return
  const { socket } = request
  const end = socket.bytesRead + maxDiscarded
  request.on('data', () => socket.bytesRead > end && socket.destroy()).resume()
}

function ignore(): void {}
