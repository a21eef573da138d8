/** Disconnects clients that read nothing of their responses. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { FailureError } from '../errors/failure.ts'
import { openResponses } from './connections.ts'
import { closeReported, type RenderFailure } from './raw-response.ts'

/** Bytes that a client has taken and bytes that it has sent, at a time in ms. */
interface Progress {
  readonly taken: number
  readonly sent: number
  readonly at: number
}

/**
 * Ends connections on which no byte is read during the time-out of the server (of idle ones, unless it has its own). A
 * time-out of each socket at all times would cost 4 % of a small request.
 */
export function limitReading(server: Server, render: RenderFailure): void {
  const connections = new Map<Socket, Progress>()
  const limit = server.timeout || server.keepAliveTimeout
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { taken: -1, sent: 0, at: 0 })
    socket.once('close', () => connections.delete(socket))
  })
  server.on('timeout', (socket) => endUnlessWorking(socket, limit, render))
  if (limit === 0) return
  server.on('listening', () => {
    const timer = setInterval(() => {
      for (const [socket, before] of connections) connections.set(socket, checkReading(socket, before, limit))
    }, limit / 8).unref()
    server.once('close', () => clearInterval(timer))
  })
}

/**
 * Sets the time-out of a socket whose client has bytes to read. What the client sends keeps it from expiring: one that
 * only sends is disconnected here.
 * @returns the latest progress in reading
 */
function checkReading(socket: Socket, before: Progress, limit: number): Progress {
  const taken = socket.bytesWritten - socket.writableLength
  const now = { taken, sent: socket.bytesRead, at: performance.now() }
  const isStill = socket.writableLength > 0 && taken === before.taken
  if (isStill && now.sent > before.sent && now.at - before.at >= limit) socket.destroy()
  else if (isUnread(socket) && !socket.timeout) socket.setTimeout(limit)
  return isStill ? before : now
}

/** Returns true while bytes wait for the client, also those of a response behind another one. */
const isUnread = (socket: Socket): boolean =>
  socket.writableLength > 0 || openResponses(socket).some((response) => response.writableLength > 0)

/** Ends the connection, except while a handler works. */
function endUnlessWorking(socket: Socket, limit: number, render: RenderFailure): void {
  const message = `no byte of the response was read in ${limit} ms`
  if (isUnread(socket)) closeReported(socket, new FailureError('timeout', { message }), render)
  else if (openResponses(socket).length > 0) socket.setTimeout(limit)
  else socket.destroy()
}
