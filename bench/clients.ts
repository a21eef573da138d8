/**
 * The load of clients, in a process of its own: sockets that parse nothing, because a real client would use as much CPU as
 * its target. Usage: node bench/clients.ts JSON-of-Load. Writes one line of JSON, a LoadResult, to stdout.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CreateRequest, createRequest, randomId } from './create-request.ts'

export interface Load {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  /** Requests under way on each connection; with many, the load does not wait for responses. */
  readonly pipelining?: number
  /**
   * Order of the ids: `rising` from a random start; `scattered` over the whole range, so that every create uses another
   * page.
   */
  readonly ids?: 'rising' | 'scattered'
}

export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  /** Responses by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Lost and refused connections. */
  readonly errors: number
}

const { url, connections, seconds, pipelining = 1, ids = 'rising' }: Load = JSON.parse(process.argv[2] ?? '')
const { hostname, port } = new URL(url)
const head = 'HTTP/1.1 '

const statuses: Record<string, number> = {}
let next = randomId()
let errors = 0

function send(socket: Socket, { bytes, writeId }: CreateRequest): void {
  writeId(ids === 'rising' ? next++ : randomId())
  // A request that waits in the socket must keep its id.
  socket.write(pipelining > 1 ? Buffer.from(bytes) : bytes)
}

/** Opens a connection, and another one when it is lost. A response arrives in one piece, its head first. */
function client(): Socket {
  const request = createRequest(url)
  const callback = (length: number, chunk: Uint8Array): boolean => {
    const text = Buffer.from(chunk.buffer, 0, length)
    for (let at = text.indexOf(head); at >= 0; at = text.indexOf(head, at + 1)) {
      const status = text.toString('latin1', at + head.length, at + head.length + 3)
      statuses[status] = (statuses[status] ?? 0) + 1
      send(socket, request)
    }
    return true
  }
  const onread = { buffer: Buffer.from(new ArrayBuffer(16_384)), callback }
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread })
  socket.once('connect', () => {
    for (let sent = 0; sent < pipelining; sent++) send(socket, request)
  })
  socket
    .on('error', () => {})
    .on('close', () => {
      errors++
      client()
    })
  return socket
}

const clients = Array.from({ length: connections }, client)
await Promise.allSettled(clients.map((socket) => once(socket, 'connect')))
const began = performance.now()
await sleep(seconds * 1_000)
const elapsed = performance.now() - began
const measured: LoadResult = {
  requests: Object.values(statuses).reduce((sum, count) => sum + count, 0),
  seconds: elapsed / 1_000,
  statuses,
  errors
}
process.stdout.write(`${JSON.stringify(measured)}\n`, () => process.exit())
