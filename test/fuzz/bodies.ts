/** A connection that sends changed bodies in well-formed requests, one after another. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { request } from '../engine/serve.ts'
import { statusesIn } from './connections.ts'
import type { FuzzContract } from './contracts.ts'
import { mutated } from './mutate.ts'
import type { Random } from './random.ts'

/** Number of requests that wait for their answers at the same time. */
const batch = 10

/** @returns the statuses of all answers, one for each body */
export async function fuzzBodies(
  port: number,
  { requests }: FuzzContract,
  { count, random }: { readonly count: number; readonly random: Random }
): Promise<string[]> {
  const statuses: string[] = []
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (data) => (text += data.toString('latin1')))
  while (statuses.length < count) {
    const bodies = Array.from({ length: Math.min(batch, count - statuses.length) }, () =>
      changed(requests, random)
    )
    socket.write(Buffer.concat(bodies))
    while (statusesIn(text).length < bodies.length) await once(socket, 'data')
    statuses.push(...statusesIn(text))
    text = ''
  }
  socket.destroy()
  return statuses
}

/** Returns the changed requests; one without a body has its query changed. */
function changed(requests: FuzzContract['requests'], random: Random): Buffer {
  const [first, body, type] = requests[random.below(requests.length)] ?? ['GET /']
  const headers = type === undefined ? {} : { 'Content-Type': type }
  if (body !== undefined) return request(first, mutated(Buffer.from(body), random), headers)
  const target = mutated(Buffer.from(first), random).subarray(4).toString('latin1')
  return request(`GET /${encodeURI(target).replaceAll(/[#\s]|^\//g, '')}`)
}
