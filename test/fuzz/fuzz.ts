/** `node test/fuzz/fuzz.ts`: attacks five servers with changed connections and bodies, and reports defects. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { until } from '../time.ts'
import { fuzzBodies } from './bodies.ts'
import { fuzzConnection } from './connections.ts'
import { contracts, type FuzzContract } from './contracts.ts'
import { Random } from './random.ts'
import type { ServerState } from './server.ts'

export interface FuzzOptions {
  readonly seed: number
  readonly connections: number
  readonly bodies: number
}

export interface FuzzReport {
  /** Number of answers by status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly errors: readonly string[]
  /** Number of connections that the servers still have at the end. */
  readonly connections: number
  /** Resident memory in MB after a tenth, half and all of the work. */
  readonly resident: readonly number[]
}

const workers = 32
const bodiesPerConnection = 100

export async function fuzz({ seed, connections, bodies }: FuzzOptions): Promise<FuzzReport> {
  const child = fork(new URL('server.ts', import.meta.url))
  const nextState = async (): Promise<ServerState> => (await once(child, 'message'))[0]
  const state = () => {
    child.send('state')
    return nextState()
  }
  const { ports } = await nextState()
  const random = new Random(seed)
  const statuses: Record<string, number> = {}
  const target = () => {
    const index = random.below(contracts.length)
    return {
      port: ports[index] ?? 0,
      contract: contracts[index] as FuzzContract,
      random: new Random(random.below(2 ** 31))
    }
  }
  const connection = async () => {
    const { port, contract, random } = target()
    return fuzzConnection(port, contract, random)
  }
  const body = async () => {
    const { port, contract, random } = target()
    return fuzzBodies(port, contract, { count: bodiesPerConnection, random })
  }
  const run = async (share: number) => {
    await repeat(connection, connections * share, statuses)
    await repeat(body, (bodies * share) / bodiesPerConnection, statuses)
    await until(async () => (await state()).connections === 0)
    return state()
  }
  const [tenth, half, end] = [await run(0.1), await run(0.4), await run(0.5)]
  child.disconnect()
  const resident = [tenth, half, end].map(({ rss }) => Math.round(rss / 1e6))
  return { statuses, errors: end.errors, connections: end.connections, resident }
}

/** Runs the jobs in several workers, and counts the statuses of the answers. */
async function repeat(
  job: () => Promise<string[]>,
  count: number,
  statuses: Record<string, number>
): Promise<void> {
  let left = Math.ceil(count)
  const work = async () => {
    while (left-- > 0) for (const status of await job()) statuses[status] = (statuses[status] ?? 0) + 1
  }
  await Promise.all(Array.from({ length: workers }, work))
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      connections: { type: 'string', default: '100000' },
      bodies: { type: 'string', default: '1000000' }
    }
  })
  const { seed, connections, bodies } = values
  console.log(await fuzz({ seed: Number(seed), connections: Number(connections), bodies: Number(bodies) }))
}
