/**
 * Closes a connection without a reset (RFC 9112, section 9.6; `lingering_close` of nginx). A socket that is closed
 * with unread input is reset, and a reset discards the response that the client has not read yet.
 */
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { isReceiving, replaceDestroySoon } from './node-internals.ts'

const checkIntervalMs = 1000
/** As in nginx: a client that keeps sending is read for 30 s, a silent one for at most two checks. */
const maxChecks = 30
const closing = new WeakSet<Duplex>()

/**
 * Sends the last bytes, closes the sending half, and discards what the client still sends. Discarded bytes are not
 * parsed: after `Connection: close` no further request is served. Idempotent.
 */
export function lingeringClose(socket: Duplex, lastBytes = ''): void {
  if (closing.has(socket)) return
  closing.add(socket)
  socket.removeAllListeners('data').on('data', ignore).on('error', ignore)
  socket.end(lastBytes)
  let checks = 0
  let lastRead: unknown
  const timer = setInterval(() => {
    const bytesRead: unknown = Reflect.get(socket, 'bytesRead')
    if (bytesRead === lastRead || ++checks > maxChecks) socket.destroy()
    lastRead = bytesRead
  }, checkIntervalMs)
  socket.once('close', () => clearInterval(timer))
}

/** Makes Node close the connection that way, too, when a response ends it while the client is still sending. */
export function lingerOnClose(socket: Socket): void {
  replaceDestroySoon(socket, (destroySoon) => {
    if (isReceiving(socket)) lingeringClose(socket)
    else destroySoon()
  })
}

function ignore(): void {}
