/**
 * Drains the connections of an HTTP server without losing a request (RFC 9112, section 9.6), in five steps:
 * 1. accept every connection in the backlog, because closing the listener resets them;
 * 2. announce `connection: close` in every answer from now on;
 * 3. close the listener;
 * 4. sample the received bytes until requests on their way have arrived; then close the connections of clients that have
 *    their answer, and, once no answer is being sent, the idle ones;
 * 5. resolve when the last connection has ended: each request that is being answered ends its own.
 */
import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { Server as Listener, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

export interface Connections {
  /** Closes the listener, and resolves when the last connection has ended. */
  readonly drain: () => Promise<void>
  readonly isDraining: () => boolean
  readonly left: () => ConnectionsLeft
}

export interface ConnectionsLeft {
  readonly connections: number
  /** Requests without a complete answer. */
  readonly requests: number
}

/** Longest time to keep accepting the backlog, in ms, unless fewer event-loop turns were taken: a stall accepts nothing. */
const maxBacklogMs = 500
const minBacklogTurns = 200
/** Sampling interval in ms. Samples are counted, not time: after a stall the bytes received meanwhile are read first. */
const sampleIntervalMs = 25
/** Samples in a row without a received byte after which no request is on its way any more. */
const minQuietSamples = 10
/** Samples after which idle connections are closed even while other connections receive. */
const maxSamples = 40

export function trackConnections(server: Server): Connections {
  /** The latest response of each connection. */
  const latest = new Map<Socket, ServerResponse | undefined>()
  let isDraining = false

  server.on('connection', (socket) => {
    latest.set(socket, undefined)
    socket.once('close', () => latest.delete(socket))
  })
  server.prependListener('request', ({ socket }, response) => {
    if (!server.listening) announceClose(response, latest.get(socket))
    latest.set(socket, response)
  })

  return {
    drain: async () => {
      isDraining = true
      await acceptBacklog(server)
      for (const response of latest.values()) if (response !== undefined) announceClose(response)
      // http's own close would end idle connections at once, and with them the requests that are on their way.
      Listener.prototype.close.call(server)
      const timer = setInterval(createIdleCloser(server, latest), sampleIntervalMs)
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

/** Waits until an event-loop turn accepts no connection: while the backlog holds any, each turn accepts at least one. */
async function acceptBacklog(server: Server): Promise<void> {
  let accepted = 0
  const count = () => {
    accepted += 1
  }
  server.on('connection', count)
  const deadline = performance.now() + maxBacklogMs
  // The current event-loop turn may already have accepted one.
  await nextTurn()
  let before = -1
  for (let turn = 0; before < accepted; turn++) {
    if (turn >= minBacklogTurns && performance.now() > deadline) break
    before = accepted
    await nextTurn()
  }
  server.off('connection', count)
}

/** Only the last of several pipelined answers may have the header, because no answer after it is delivered. */
function announceClose(response: ServerResponse, before?: ServerResponse): void {
  if (before?.headersSent === false) before.removeHeader('connection')
  if (!response.headersSent) response.setHeader('connection', 'close')
}

function createIdleCloser(
  server: Server,
  latest: ReadonlyMap<Socket, ServerResponse | undefined>
): () => void {
  let samples = 0
  let quiet = 0
  let received = -1
  return () => {
    const sum = latest.keys().reduce((total, socket) => total + socket.bytesRead, 0)
    samples += 1
    quiet = sum === received ? quiet + 1 : 0
    received = sum
    if (quiet < minQuietSamples && samples < maxSamples) return
    for (const [socket, response] of latest) if (isAnswered(socket, response)) socket.destroy()
    // Node counts a connection as idle before the last bytes of its answer have left.
    if (latest.entries().some(isSending)) return
    server.closeIdleConnections()
    // Some versions of Node do not count a connection as idle before its first request.
    for (const socket of latest.keys()) if (socket.bytesRead === 0) socket.destroy()
  }
}

/** True while bytes of an answer that has ended wait for the client to read. */
function isSending([socket, response]: [Socket, ServerResponse | undefined]): boolean {
  return socket.writableLength > 0 || (response?.writableEnded === true && !response.writableFinished)
}

/** True for a client that has its whole answer and is sending only the rest of a refused request. */
function isAnswered(socket: Socket, response: ServerResponse | undefined): boolean {
  if (isSending([socket, response])) return false
  return socket.writableFinished || (response?.writableFinished === true && !response.req.complete)
}
