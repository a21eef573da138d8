/**
 * Drains the connections of an HTTP server without losing a request (RFC 9112, section 9.6), in five steps, while the
 * streams of responses end:
 * 1. accept every connection in the backlog, because closing the listener resets them;
 * 2. add `connection: close` to every response from now on;
 * 3. close the listener;
 * 4. sample the received bytes until requests in transit have arrived; then close the connections of clients that have
 *    their response, refuse requests that stay incomplete, and, once no response is being sent, close the idle ones;
 * 5. resolve when the last connection has ended: each response closes its connection. WebSockets are left to their plugin,
 *    which closes them in its hook for preClose.
 */
import type { Server, ServerResponse } from 'node:http'
import { Server as Listener, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { FailureError } from '@contract-first/engine/errors'
import type { FastifyInstance } from 'fastify'

export interface Connections {
  /** Closes the listener, and resolves when the last connection of HTTP has ended. */
  readonly drain: () => Promise<void>
  readonly isDraining: () => boolean
  /** Returns true if a request of the connection has no complete response. */
  readonly isResponding: (socket: object) => boolean
  /** Returns the numbers of connections, and of requests without a complete response. */
  readonly left: () => { readonly connections: number; readonly requests: number }
}

/** Longest time to keep accepting the backlog, in ms, after a minimum of event-loop turns: a stall accepts nothing. */
const maxBacklogMs = 500
const minBacklogTurns = 200
/** Sampling interval in ms. Samples are counted, not time, because a stall delays the reading of received bytes. */
const sampleIntervalMs = 25
/** Samples in a row without a received byte after which no request is in transit. */
const minQuietSamples = 10
/** Samples after which idle connections are closed even while other connections receive. */
const maxSamples = 40
/** Samples in a row without a received byte after which incomplete bodies are refused: 1 s. */
const maxQuietSamples = 40
/** Samples after which every incomplete request is refused: 3 s. */
const maxIncompleteSamples = 120

/** @param onDrain called when the drain begins, which also waits for its promise */
export function trackConnections(server: Server, onDrain: () => Promise<unknown>): Connections {
  /** Latest response of each connection. */
  const latest = new Map<Socket, ServerResponse | undefined>()
  const emptied = Promise.withResolvers<void>()
  let isDraining = false
  let isClosed = false
  const forget = (socket: Socket) => {
    latest.delete(socket)
    if (isClosed && latest.size === 0) emptied.resolve()
  }

  server.on('connection', (socket) => {
    latest.set(socket, undefined)
    socket.once('close', () => forget(socket))
  })
  server.once('listening', () => {
    // Without a plugin for them there is no such event, and a listener would make Node accept upgrades.
    if (server.listenerCount('upgrade') > 0) server.on('upgrade', ({ socket }) => forget(socket))
  })
  server.prependListener('request', ({ socket }, response) => {
    if (!server.listening) announceClose(response, latest.get(socket))
    latest.set(socket, response)
  })

  return {
    drain: async () => {
      isDraining = true
      const prepared = onDrain()
      await acceptBacklog(server)
      for (const response of latest.values()) if (response !== undefined) announceClose(response)
      // Server.close of http would also close idle connections, and lose requests in transit on them.
      Listener.prototype.close.call(server)
      const timer = setInterval(createIdleCloser(server, latest), sampleIntervalMs)
      isClosed = true
      if (latest.size > 0) await emptied.promise
      clearInterval(timer)
      await prepared
    },
    isDraining: () => isDraining,
    isResponding: (socket) => latest.get(socket as Socket)?.writableFinished === false,
    left: () => ({
      connections: latest.size,
      requests: [...latest.values()].filter((response) => response?.writableFinished === false).length
    })
  }
}

/** Waits until an event-loop turn accepts no connection: each turn accepts at least one until the backlog is empty. */
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

/** Adds the header to the last of several pipelined responses only, because no response after it is delivered. */
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
    for (const [socket, response] of latest) if (hasWholeResponse(socket, response)) socket.destroy()
    const isLate = samples >= maxIncompleteSamples
    if (isLate || quiet >= maxQuietSamples)
      for (const [socket, response] of latest) if (response?.req.complete === false) refuse(server, socket)
    // Node counts a connection as idle before the last bytes of its response are sent.
    if (latest.entries().some(isSending)) return
    server.closeIdleConnections()
    // Some versions of Node do not count a connection as idle before its first request.
    for (const socket of latest.keys()) if (socket.bytesRead === 0) socket.destroy()
    // A connection that is not idle and has no request without its response receives headers.
    if (isLate)
      for (const [socket, response] of latest)
        if (response?.writableFinished !== false) refuse(server, socket)
  }
}

/** Responds with 503 to the request that the connection is receiving: the engine takes its failure from this event. */
function refuse(server: Server, socket: Socket): void {
  const failure = new FailureError('shutting-down', { headers: { 'retry-after': '1' } })
  if (!server.emit('clientError', failure, socket)) socket.destroy()
}

/** Returns true while bytes of an ended response wait for the client to read. */
function isSending([socket, response]: [Socket, ServerResponse | undefined]): boolean {
  return socket.writableLength > 0 || (response?.writableEnded === true && !response.writableFinished)
}

/** Returns true for a client that has its whole response and only sends the rest of a refused request. */
function hasWholeResponse(socket: Socket, response: ServerResponse | undefined): boolean {
  if (isSending([socket, response])) return false
  return socket.writableFinished || (response?.writableFinished === true && !response.req.complete)
}

/** Hook that takes a callback, or returns a promise. */
type Hook = (this: FastifyInstance, done: (error?: unknown) => void) => unknown
type AddHook = (this: FastifyInstance, name: string, hook: Hook) => FastifyInstance

/**
 * Collects the hooks for preClose of `extend`, such as one that ends streams: those that are added from now on, those of
 * plugins as well, which inherit `addHook`. Fastify runs them when the application is closed, which a service does after
 * its last response.
 * @returns a function that runs them at the beginning of the drain instead, each only once
 */
export function collectPreClose(app: FastifyInstance): () => Promise<void> {
  const hooks: (() => Promise<unknown>)[] = []
  const addHook = app.addHook as unknown as AddHook
  const collecting: AddHook = function (name, hook) {
    if (name !== 'preClose' || typeof hook !== 'function') return addHook.call(this, name, hook)
    let running: Promise<unknown> | undefined
    const run = () => {
      running ??= outcome(hook, this)
      return running
    }
    hooks.push(run)
    return addHook.call(this, name, run)
  }
  app.addHook = collecting as never
  return async () => {
    // Fastify goes on after an error as well.
    for (const run of hooks) await run().catch(() => undefined)
  }
}

async function outcome(hook: Hook, app: FastifyInstance): Promise<unknown> {
  if (hook.length === 0) return Reflect.apply(hook, app, [])
  const { promise, resolve } = Promise.withResolvers()
  hook.call(app, resolve)
  return promise
}
