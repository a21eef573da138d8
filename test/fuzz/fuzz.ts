/** `node test/fuzz/fuzz.ts`: attacks a server with changed connections and bodies, and reports defects. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { parseArgs } from 'node:util'
import { until } from '../time.ts'
import { changedBody, changedRequest, Random } from './mutate.ts'
import type { ServerState } from './server.ts'

export interface FuzzReport {
  /** Number of answers by status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly errors: readonly string[]
  /** Number of connections that the server still has at the end. */
  readonly connections: number
  /** Resident memory in MB after a tenth, half and all of the work. */
  readonly resident: readonly number[]
}

const workers = 32
const bodiesPerConnection = 100
/** Number of bodies that wait for their answers at the same time. */
const batch = 10
/** Longest wait for an answer to a changed connection. */
const maxWaitMs = 400

interface Work {
  readonly seed: number
  readonly connections: number
  readonly bodies: number
}

export async function fuzz({ seed, connections, bodies }: Work): Promise<FuzzReport> {
  const child = fork(new URL('server.ts', import.meta.url))
  const nextState = async (): Promise<ServerState> => (await once(child, 'message'))[0]
  const state = () => {
    child.send('state')
    return nextState()
  }
  const { port } = await nextState()
  const random = new Random(seed)
  const statuses: Record<string, number> = {}
  /** Runs the jobs in several workers, and counts the statuses of the answers. */
  const repeat = async (job: (port: number, random: Random) => Promise<string[]>, count: number) => {
    let left = Math.ceil(count)
    const work = async () => {
      while (left-- > 0)
        for (const status of await job(port, new Random(random.below(2 ** 31))))
          statuses[status] = (statuses[status] ?? 0) + 1
    }
    await Promise.all(Array.from({ length: workers }, work))
  }
  const run = async (share: number) => {
    await repeat(fuzzConnection, connections * share)
    await repeat(fuzzBodies, (bodies * share) / bodiesPerConnection)
    await until(async () => (await state()).connections === 0)
    return state()
  }
  const [tenth, half, end] = [await run(0.1), await run(0.4), await run(0.5)]
  child.disconnect()
  const resident = [tenth, half, end].map(({ rss }) => Math.round(rss / 1e6))
  return { statuses, errors: end.errors, connections: end.connections, resident }
}

/** Sends changed requests in two pieces, and ends the connection in a random way. */
async function fuzzConnection(port: number, random: Random): Promise<string[]> {
  const bytes = Buffer.concat(Array.from({ length: 1 + random.below(4) }, () => changedRequest(random)))
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let text = ''
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => undefined).on('data', (data) => (text += data.toString('latin1')))
  const at = random.below(bytes.length + 1)
  socket.setNoDelay().write(bytes.subarray(0, at))
  setImmediate(() => socket.writable && socket.write(bytes.subarray(at)))
  const way = random.of(['wait', 'wait', 'half-close', 'reset', 'close'])
  if (way === 'half-close') setImmediate(() => socket.end())
  const timer = setTimeout(() => socket.destroy(), maxWaitMs)
  socket.once('data', () => setTimeout(() => socket.destroy(), 5))
  socket.once('end', () => socket.end())
  if (way === 'reset') setImmediate(() => socket.resetAndDestroy())
  if (way === 'close') setImmediate(() => socket.destroy())
  await closed
  clearTimeout(timer)
  return statusesIn(text)
}

/** Sends changed bodies in well-formed requests, and waits for the answer to each. */
async function fuzzBodies(port: number, random: Random): Promise<string[]> {
  const statuses: string[] = []
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (data) => (text += data.toString('latin1')))
  while (statuses.length < bodiesPerConnection) {
    socket.write(Buffer.concat(Array.from({ length: batch }, () => changedBody(random))))
    while (statusesIn(text).length < batch) await once(socket, 'data')
    statuses.push(...statusesIn(text))
    text = ''
  }
  socket.destroy()
  return statuses
}

export const statusesIn = (text: string): string[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = '']) => status)

if (import.meta.main) {
  const option = (value: string) => ({ type: 'string', default: value }) as const
  const options = { seed: option('1'), connections: option('100000'), bodies: option('1000000') }
  const { seed, connections, bodies } = parseArgs({ options }).values
  console.log(await fuzz({ seed: Number(seed), connections: Number(connections), bodies: Number(bodies) }))
}
