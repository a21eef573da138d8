/**
 * Undocumented parts of Node's HTTP server. No other file of the engine reads or patches them. When one is missing,
 * node-internals.test.ts fails and names the Node version.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { isServerResponse } from './node-http.ts'

/** Creates the response to a parsed request and emits the events of the server. */
export type ServeRequest = (request: IncomingMessage, keepAlive: boolean) => void

interface Parser {
  incoming?: IncomingMessage | null
  onIncoming: (request: IncomingMessage, keepAlive: boolean) => number
  readonly resume: () => void
}

/** Returns the response that is written next on the connection (`socket._httpMessage`). */
export function currentResponse(socket: Duplex): ServerResponse | undefined {
  // This runs for every request, and Reflect.get would cost ten times as much.
  const response = (socket as { _httpMessage?: unknown })._httpMessage
  return isServerResponse(response) ? response : undefined
}

/** Returns true if the body of a request is still incomplete (`socket.parser.incoming`). */
export function isReceiving(socket: Duplex): boolean {
  return parserOf(socket)?.incoming?.complete === false
}

/** Replaces the function that the parser calls with each request (`socket.parser.onIncoming`). */
export function replaceServing(socket: Socket, replace: (serve: ServeRequest) => ServeRequest): void {
  const parser = parserOf(socket)
  if (!parser) return
  const { onIncoming } = parser
  const serve = replace(onIncoming)
  parser.onIncoming = (request, keepAlive) => {
    serve(request, keepAlive)
    return 0
  }
}

/**
 * Stops reading a connection whose requests Node parses (`socket._paused`). After `socket.pause()` alone, Node resumes
 * when a part of a body arrives.
 */
export function pauseReading(socket: Socket): void {
  Object.assign(socket, { _paused: true })
  // Without the event, a socket that was resumed and paused again keeps reading.
  socket.pause().emit('pause')
}

export function resumeReading(socket: Socket): void {
  Object.assign(socket, { _paused: false })
  parserOf(socket)?.resume()
  socket.resume()
}

/** Ignores the `Upgrade` header of a request that is served later; Node itself does so while it serves one. */
export function ignoreUpgrade(request: IncomingMessage): void {
  Object.assign(request, { upgrade: false })
}

/** Returns the bytes that the operating system has not taken yet (`socket._handle.writeQueueSize`). */
export function writeQueueSize(socket: Socket): number {
  const handle: { writeQueueSize?: number } | null | undefined = Reflect.get(socket, '_handle')
  return handle?.writeQueueSize ?? 0
}

/** Returns true if the server of the connection accepts no further ones (`socket.server`). */
export function isServerClosing(socket: Duplex): boolean {
  const server: { listening?: boolean } | null | undefined = Reflect.get(socket, 'server')
  return server?.listening === false
}

/**
 * Lets a client close its sending half after its request (`nc -N`) and still get its response. Consequence: only a
 * write, or the event `end`, reveals a client that has closed both halves.
 */
export function allowHalfOpen(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true })
}

/** Calls `run` in place of `socket.destroySoon`, by which Node ends a connection after `Connection: close`. */
export function replaceDestroySoon(socket: Socket, run: (destroySoon: () => void) => void): void {
  const destroySoon = socket.destroySoon.bind(socket)
  socket.destroySoon = () => run(destroySoon)
}

function parserOf(socket: Duplex): Parser | null | undefined {
  return Reflect.get(socket, 'parser')
}
