/**
 * The parts of Node's HTTP server that are not documented. No other file of the engine reads or patches them;
 * node-internals.test.ts fails, and names the Node version, when one of them is gone.
 */
import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Returns the response that is written next on the connection (`socket._httpMessage`). */
export function currentResponse(socket: Duplex): ServerResponse | undefined {
  const response: unknown = Reflect.get(socket, '_httpMessage')
  return response instanceof ServerResponse ? response : undefined
}

/** Returns true if the body of a request is still incomplete (`socket.parser.incoming`). */
export function isReceiving(socket: Duplex): boolean {
  const parser: { incoming?: IncomingMessage | null } | null | undefined = Reflect.get(socket, 'parser')
  return parser?.incoming?.complete === false
}

/**
 * Lets a client close its sending half after its request (`nc -N`) and still get its response. Consequence: a client
 * that closes both halves is noticed only by writing to it, or by `end` of the socket.
 */
export function allowHalfOpen(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true })
}

/** Calls `run` in place of `socket.destroySoon`, by which Node ends a connection after `Connection: close`. */
export function replaceDestroySoon(socket: Socket, run: (destroySoon: () => void) => void): void {
  const destroySoon = socket.destroySoon.bind(socket)
  socket.destroySoon = () => run(destroySoon)
}
