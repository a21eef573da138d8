/**
 * Probes the undocumented parts of Node that the transport depends on, with a connection that never reaches the
 * network. A part that is renamed, read-only or of another type is missing.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import {
  createServer,
  currentResponse,
  isReceiving,
  type Parser,
  parserOf,
  replaceServing
} from './node-internals.ts'

/** A request whose body is incomplete, and the objects around it. */
interface Probed {
  readonly server: Server
  readonly socket: Socket
  readonly parser: Parser
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Requests that a replaced `onIncoming` has received. */
  readonly received: WeakSet<IncomingMessage>
}

const probes = {
  'server.httpAllowHalfOpen': ({ server }) => isReplaceable(server, 'httpAllowHalfOpen', 'boolean'),
  'socket.destroySoon': ({ socket }) => isReplaceable(socket, 'destroySoon', 'function'),
  'socket._handle.writeQueueSize': ({ socket }) =>
    typeof Object(Reflect.get(socket, '_handle')).writeQueueSize === 'number',
  'socket._httpMessage': ({ socket, response }) => currentResponse(socket) === response,
  'socket._paused': ({ socket }) => isReplaceable(socket, '_paused', 'boolean'),
  'socket.parser.incoming': ({ socket }) => isReceiving(socket),
  'socket.parser.onIncoming': ({ received, request }) => received.has(request),
  'socket.parser.resume': ({ parser }) => typeof parser.resume === 'function',
  'socket.parser._consumed': ({ parser }) => parser._consumed === true,
  'socket.parser.execute': ({ parser }) => typeof parser.execute === 'function',
  'socket.parser.getCurrentBuffer': ({ parser }) => typeof parser.getCurrentBuffer === 'function',
  'socket.parser.constructor.kOnExecute': ({ parser }) =>
    isReplaceable(parser, parser.constructor.kOnExecute, 'function'),
  'request.upgrade': ({ request }) => isReplaceable(request, 'upgrade', 'boolean'),
  'response.shouldKeepAlive': ({ response }) => isReplaceable(response, 'shouldKeepAlive', 'boolean')
} satisfies Record<string, (probed: Probed) => boolean>

/** Path of an undocumented part of Node. */
export type Part = keyof typeof probes

/** Returns the parts that this version of Node lacks. */
export function missingParts(): ReadonlySet<Part> {
  const missing = new Set(Object.keys(probes) as Part[])
  tryRequest((probed) => {
    for (const part of missing) if (isTrue(() => probes[part](probed))) missing.delete(part)
  })
  return missing
}

const head = 'POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: a\r\nContent-Length: 1\r\n\r\n'

/** Calls `probe` with a request, unless this version of Node serves none on such a connection. */
function tryRequest(probe: (probed: Probed) => void): void {
  const received = new WeakSet<IncomingMessage>()
  const socket = new Socket()
  const server = createServer({ shouldUpgradeCallback: () => false }, (request, response) => {
    const parser: Parser = Object(parserOf(socket))
    probe({ server, socket, parser, request, response, received })
  })
  isTrue(() => {
    // Gives the socket a handle. Node would connect in a later turn; the socket is then destroyed.
    socket.connect({ host: '127.0.0.1', port: 1 })
    server.emit('connection', socket)
    isTrue(() => observe(socket, received))
    return socket.emit('data', Buffer.from(head))
  })
  socket.destroy()
}

function observe(socket: Socket, received: WeakSet<IncomingMessage>): boolean {
  replaceServing(socket, (serve) => (request, keepAlive) => {
    received.add(request)
    serve(request, keepAlive)
  })
  return true
}

/** Returns true if a property has a value of the type, and can be assigned to. */
function isReplaceable(object: object, key: PropertyKey, type: string): boolean {
  const value: unknown = Reflect.get(object, key)
  return typeof value === type && Reflect.set(object, key, value)
}

/** Returns false also where Node throws. */
function isTrue(probe: () => boolean): boolean {
  try {
    return probe()
  } catch {
    return false
  }
}
