/** Closes connections whose clients have stopped reading their responses. Node has no time-out for that. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { writeQueueSize } from './node-internals.ts'

/** Checks in one time-out. */
const checks = 8

interface Progress {
  written: number
  queued: number
  /** Checks in a row that found the same bytes. */
  unchanged: number
}

/**
 * Closes a connection after a time-out in which the client took none of the bytes that wait for it. A response that has
 * not begun is not limited, because then no bytes wait.
 *
 * @param timeout in ms; 0 for no limit
 */
export function closeUnreadResponses(server: Server, timeout: number): void {
  if (timeout === 0) return
  const sockets = new Map<Socket, Progress>()
  server.on('connection', (socket) => {
    sockets.set(socket, { written: 0, queued: 0, unchanged: 0 })
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('listening', () => {
    const timer = setInterval(() => sockets.forEach(checkProgress), timeout / checks).unref()
    server.once('close', () => clearInterval(timer))
  })
}

function checkProgress(progress: Progress, socket: Socket): void {
  const { bytesWritten: written } = socket
  const queued = writeQueueSize(socket)
  const isStalled = queued > 0 && queued === progress.queued && written === progress.written
  progress.unchanged = isStalled ? progress.unchanged + 1 : 0
  progress.written = written
  progress.queued = queued
  if (progress.unchanged >= checks) socket.destroy()
}
