/**
 * Undocumented parts of Node's HTTP server. protections.ts lists the protections that depend on them; node-probe.ts
 * probes them at the boot. Other files that patch such parts: ignored-upgrades.ts, lingering-close.ts, unread-bodies.ts.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getBuiltinModule } from 'node:process'
import type { Duplex } from 'node:stream'

/**
 * Values of node:http. An `import` evaluates all exports, some of which load the fetch client, for a tenth of the time of
 * a start (docs/performance.md).
 */
const http = getBuiltinModule('node:http')

export const { createServer, STATUS_CODES } = http

const isServerResponse = (value: unknown): value is ServerResponse => value instanceof http.ServerResponse

/** Creates the response to a parsed request and emits the events of the server. */
export type ServeRequest = (request: IncomingMessage, keepAlive: boolean) => void

/** Number of parsed bytes, or an error of the parser. */
export type Parsed = number | Error

/** Parts of Node's parser; protections.ts says which of them this version of Node has. */
export interface Parser {
  readonly constructor: { readonly kOnExecute: number }
  readonly _consumed: boolean
  incoming: IncomingMessage | null
  onIncoming: (request: IncomingMessage, keepAlive: boolean) => number
  readonly resume: () => void
  readonly execute: (bytes: Buffer) => Parsed
  readonly getCurrentBuffer: () => Buffer
  /** Function that is called after each chunk; `kOnExecute` is its key. */
  [key: number]: ((parsed: Parsed) => void) | undefined
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
  if (typeof parser?.onIncoming !== 'function') return
  const serve = replace(parser.onIncoming)
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

/**
 * Makes Node serve a request like every other one. Node detaches the socket of a CONNECT otherwise, with its listeners.
 * @returns true for a CONNECT or a request with `Upgrade`: the parser stops at its end, and drops the rest of the chunk
 */
export function ignoreUpgrade(request: IncomingMessage): boolean {
  const { upgrade } = request as { upgrade?: unknown }
  if (upgrade !== true) return false
  Object.assign(request, { upgrade: false })
  return true
}

/** Returns true for a request whose connection Node gives to a listener of `upgrade` (`server.shouldUpgradeCallback`). */
export function isUpgraded(server: Server, request: IncomingMessage): boolean {
  if ((request as { upgrade?: unknown }).upgrade !== true) return false
  const { shouldUpgradeCallback } = server as {
    shouldUpgradeCallback?: (request: IncomingMessage) => unknown
  }
  return request.method !== 'CONNECT' && shouldUpgradeCallback?.call(server, request) === true
}

/** Returns the bytes that the operating system has not taken yet (`socket._handle.writeQueueSize`). */
export function writeQueueSize(socket: Socket): number {
  const handle: { writeQueueSize?: number } | null | undefined = Reflect.get(socket, '_handle')
  return handle?.writeQueueSize ?? 0
}

/**
 * Lets a client close its sending half after its request (`nc -N`) and still get its response. Consequence: only a
 * write, or the event `end`, reveals a client that has closed both halves.
 */
export function allowHalfOpen(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true })
}

export function parserOf(socket: Duplex): Parser | null | undefined {
  return Reflect.get(socket, 'parser')
}
