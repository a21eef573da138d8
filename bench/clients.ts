/**
 * The load of clients that wait for each response, in a process of its own: sockets that parse nothing, because a real
 * client would use as much CPU as its target. Usage: node bench/clients.ts JSON-of-Load. Writes one line of JSON, a
 * ClientsResult, to stdout.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CreateRequest, createRequest, randomId } from './create-request.ts'
import type { Load, LoadResult } from './load.ts'

const { url, connections, seconds, ids = 'rising' }: Load = JSON.parse(process.argv[2] ?? '')
const { hostname, port } = new URL(url)
const statusAt = 'HTTP/1.1 '.length

export interface ClientsResult extends LoadResult {
  readonly latency: Latency
}

/** Latencies in milliseconds, from the request to the response. */
export interface Latency {
  readonly p50: number
  readonly p90: number
  readonly p99: number
}

const statuses: Record<string, number> = {}
const latencies: number[] = []
let next = randomId()
let errors = 0

function send(socket: Socket, { bytes, writeId }: CreateRequest): void {
  writeId(ids === 'rising' ? next++ : randomId())
  socket.write(bytes)
}

/** Opens a connection. Every response of these requests arrives in one piece. */
function client(): Socket {
  const request = createRequest(url)
  let sentAt = performance.now()
  const callback = (_length: number, chunk: Uint8Array): boolean => {
    const now = performance.now()
    latencies.push(now - sentAt)
    sentAt = now
    const status = Buffer.from(chunk.buffer).toString('latin1', statusAt, statusAt + 3)
    statuses[status] = (statuses[status] ?? 0) + 1
    send(socket, request)
    return true
  }
  const onread = { buffer: Buffer.from(new ArrayBuffer(16_384)), callback }
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread })
  socket.once('connect', () => {
    sentAt = performance.now()
    send(socket, request)
  })
  socket.on('error', () => errors++)
  return socket
}

const clients = Array.from({ length: connections }, client)
await Promise.all(clients.map((socket) => once(socket, 'connect')))
const began = performance.now()
await sleep(seconds * 1_000)
const elapsed = performance.now() - began
const sorted = Float64Array.from(latencies).sort()
const percentile = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? Number.NaN
const measured: ClientsResult = {
  requests: Object.values(statuses).reduce((sum, count) => sum + count, 0),
  seconds: elapsed / 1_000,
  statuses,
  errors,
  timeouts: 0,
  latency: { p50: percentile(0.5), p90: percentile(0.9), p99: percentile(0.99) }
}
process.stdout.write(`${JSON.stringify(measured)}\n`, () => process.exit())
