/** Closes connections whose clients have stopped reading, for which Node has no time-out. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { FailureError } from '../errors/failure.ts'
import { closeReported } from './close-reported.ts'
import { writeQueueSize } from './node-internals.ts'
import type { RenderFailure } from './raw-response.ts'

/** Number of checks in one time-out. */
const checks = 8

interface Progress {
  written: number
  queued: number
  /** Number of checks in a row that found the same bytes. */
  unchanged: number
}

/**
 * Closes a connection after a time-out in which the client read none of the waiting bytes. A response that has not
 * begun has no time-out, because no bytes wait.
 *
 * @param timeout time in ms; 0: no limit
 * @param render reports a connection that is closed
 */
export function closeUnreadResponses(server: Server, timeout: number, render: RenderFailure): void {
  if (timeout === 0) return
  const sockets = new Map<Socket, Progress>()
  server.on('connection', (socket) => {
    sockets.set(socket, { written: 0, queued: 0, unchanged: 0 })
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('listening', () => {
    const check = () => {
      for (const [socket, progress] of sockets)
        if (isStalled(progress, socket)) closeReported(socket, unread(timeout), render)
    }
    const timer = setInterval(check, timeout / checks).unref()
    server.once('close', () => clearInterval(timer))
  })
}

function unread(timeout: number): FailureError {
  return new FailureError('timeout', { message: `no byte of the response was read in ${timeout} ms` })
}

/** Returns true after a time-out without progress. */
function isStalled(progress: Progress, socket: Socket): boolean {
  const { bytesWritten: written } = socket
  const queued = writeQueueSize(socket)
  const isUnchanged = queued > 0 && queued === progress.queued && written === progress.written
  progress.unchanged = isUnchanged ? progress.unchanged + 1 : 0
  progress.written = written
  progress.queued = queued
  return progress.unchanged >= checks
}
