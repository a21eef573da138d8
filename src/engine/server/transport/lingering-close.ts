/**
 * Closes a connection without a reset (RFC 9112, section 9.6; `lingering_close` of nginx). A socket that is closed
 * with unread input is reset, and a reset discards the response that the client has not read yet.
 */

import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { isReceiving, type ServeRequest } from './node-internals.ts'
import { isOn } from './protections.ts'

const checkIntervalMs = 500
/** Checks after which a connection is closed although its client still sends: 5 s. */
const maxChecks = 10
/** Checks in a row without a received byte after which a connection is closed: 2 s. */
const maxSilentChecks = 4
/** Bytes after which reading stops; the client then has the rest of the time to read its response. */
const maxDiscarded = 8_388_608
const closing = new WeakSet<Duplex>()
const lingering = new WeakSet<Duplex>()
const servers = new WeakMap<Duplex, Server>()

/**
 * Sends the last bytes, closes the sending half, and discards what the client still sends. Discarded bytes are not
 * parsed: after `Connection: close` no further request is served. A server that is closing does not wait. Idempotent.
 */
export function lingeringClose(socket: Duplex, lastBytes = ''): void {
  if (closing.has(socket)) return
  closing.add(socket)
  discardInput(socket)
  socket.end(lastBytes)
  let checks = 0
  let silentChecks = 0
  let lastRead: unknown
  const timer = setInterval(() => {
    const bytesRead: unknown = Reflect.get(socket, 'bytesRead')
    silentChecks = bytesRead === lastRead ? silentChecks + 1 : 0
    lastRead = bytesRead
    if (++checks >= maxChecks || silentChecks >= maxSilentChecks || isServerClosing(socket)) socket.destroy()
  }, checkIntervalMs)
  socket.once('close', () => clearInterval(timer))
}

function discardInput(socket: Duplex): void {
  let discarded = 0
  socket
    .removeAllListeners('data')
    .on('data', (chunk: Buffer) => {
      discarded += chunk.length
      if (discarded > maxDiscarded) socket.pause()
    })
    .on('error', ignore)
    .resume()
}

/**
 * Makes Node close a connection in the same way when a response ends it while the client is still sending. After
 * `Connection: close` Node calls `socket.destroySoon`.
 */
export function lingerOnClose(server: Server, socket: Socket): void {
  servers.set(socket, server)
  const destroySoon = socket.destroySoon.bind(socket)
  socket.destroySoon = () => {
    if (lingering.has(socket) || isReceiving(socket)) lingeringClose(socket)
    else destroySoon()
  }
}

/** Makes Node close a connection in this way whatever its client is sending. */
export function alwaysLinger(socket: Duplex): void {
  lingering.add(socket)
}

function isServerClosing(socket: Duplex): boolean {
  return servers.get(socket)?.listening === false
}

function ignore(): void {}

/** Bytes of a body up to which the connection is kept, because discarding them is faster than a new connection. */
const maxUnread = 65_536

/**
 * Returns a function that serves requests. A response before the end of a large body gets `Connection: close`; the rest
 * of the body is discarded unparsed (lingering-close.ts).
 */
export function closingUnread(server: HttpServer, serve: ServeRequest): ServeRequest {
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
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > maxUnread
}
