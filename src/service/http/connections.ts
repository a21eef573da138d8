/**
 * The open connections of an HTTP server, and how they end without harm to a request (RFC 9112, section 9.6): what is being
 * answered is answered, what is on its way is awaited, and what nobody uses holds nothing open.
 */
import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { Server as Listener, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

export interface Connections {
  /** Accepts no more, and resolves when the last connection has ended. */
  readonly drain: () => Promise<void>
  readonly isDraining: () => boolean
  readonly left: () => ConnectionsLeft
}

export interface ConnectionsLeft {
  readonly connections: number
  /** Requests that are not answered yet. */
  readonly requests: number
}

/** Milliseconds for those who wait to be accepted, where more and more come. */
const longestBacklog = 500
/** Milliseconds between two looks. Looks are counted, not time: after a stall the bytes that came meanwhile are read first. */
const lookEvery = 25
/** Looks without a byte from anybody after which nothing is taken to be on its way any more. */
const quietLooks = 10
/** Looks after which that is decided at the latest. */
const mostLooks = 40

export function trackConnections(server: Server): Connections {
  /** With the response that was begun last on each. */
  const latest = new Map<Socket, ServerResponse | undefined>()
  let isDraining = false

  server.on('connection', (socket) => {
    latest.set(socket, undefined)
    socket.once('close', () => latest.delete(socket))
  })
  server.prependListener('request', ({ socket }, response) => {
    if (!server.listening) sayClose(response, latest.get(socket))
    latest.set(socket, response)
  })

  return {
    drain: async () => {
      isDraining = true
      await acceptWaiting(server)
      for (const response of latest.values()) if (response !== undefined) sayClose(response)
      // Not http's own close: that ends idle connections at once, and with them the requests that are on their way.
      Listener.prototype.close.call(server)
      const timer = setInterval(idleEnder(server, latest), lookEvery)
      if (latest.size > 0) await once(server, 'close')
      clearInterval(timer)
    },
    isDraining: () => isDraining,
    left: () => ({
      connections: latest.size,
      requests: [...latest.values()].filter((response) => response?.writableFinished === false).length
    })
  }
}

/**
 * Whoever has connected is accepted, for to close resets those who still wait. While any do, the event loop accepts at least one
 * in each turn.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = 0
  const count = () => {
    accepted += 1
  }
  server.on('connection', count)
  const deadline = performance.now() + longestBacklog
  // The turn that has begun may have accepted its one before.
  await nextTurn()
  for (let before = -1; before < accepted && performance.now() < deadline; ) {
    before = accepted
    await nextTurn()
  }
  server.off('connection', count)
}

/** Only the last of several pipelined answers may say it, for nothing that comes after it is delivered. */
function sayClose(response: ServerResponse, before?: ServerResponse): void {
  if (before?.headersSent === false) before.removeHeader('connection')
  if (!response.headersSent) response.setHeader('connection', 'close')
}

function idleEnder(server: Server, latest: ReadonlyMap<Socket, unknown>): () => void {
  let looks = 0
  let quiet = 0
  let received = -1
  return () => {
    const sum = latest.keys().reduce((total, socket) => total + socket.bytesRead, 0)
    looks += 1
    quiet = sum === received ? quiet + 1 : 0
    received = sum
    if (quiet < quietLooks && looks < mostLooks) return
    server.closeIdleConnections()
    // Not every Node counts these as idle: it is still waiting for their first request.
    for (const socket of latest.keys()) if (socket.bytesRead === 0) socket.destroy()
  }
}
