/** One connection of the fuzzer: changed requests in random pieces, and a random end. */
import { connect, type Socket } from 'node:net'
import { bytesOf, type FuzzContract } from './contracts.ts'
import { mutated } from './mutate.ts'
import type { Random } from './random.ts'

/** Longest wait for an answer, in ms. */
const maxWaitMs = 400

/** @returns the statuses of all answers */
export async function fuzzConnection(
  port: number,
  { requests }: FuzzContract,
  random: Random
): Promise<string[]> {
  const bytes = Buffer.concat(
    Array.from({ length: 1 + random.below(4) }, () => {
      const request = bytesOf(requests[random.below(requests.length)] ?? ['GET /'])
      return random.is(0.7) ? mutated(request, random) : request
    })
  )
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let text = ''
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => undefined).on('data', (data) => (text += data.toString('latin1')))
  send(socket, bytes, random)
  await end(socket, closed, random)
  return statusesIn(text)
}

function send(socket: Socket, bytes: Buffer, random: Random): void {
  const at = random.below(bytes.length + 1)
  socket.setNoDelay().write(bytes.subarray(0, at))
  setImmediate(() => socket.writable && socket.write(bytes.subarray(at)))
}

async function end(socket: Socket, closed: Promise<void>, random: Random): Promise<void> {
  const way = random.of(['wait', 'wait', 'half-close', 'reset', 'close'])
  if (way === 'half-close') setImmediate(() => socket.end())
  const timer = setTimeout(() => socket.destroy(), maxWaitMs)
  socket.once('data', () => setTimeout(() => socket.destroy(), 5))
  socket.once('end', () => socket.end())
  if (way === 'reset') setImmediate(() => socket.resetAndDestroy())
  if (way === 'close') setImmediate(() => socket.destroy())
  await closed
  clearTimeout(timer)
}

export function statusesIn(text: string): string[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = '']) => status)
}
