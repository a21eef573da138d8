/** CPU time of a call of the client, beside `fetch` with `JSON.stringify` and `JSON.parse`, against one server. */
import { createClient } from '@contract-first/engine/client'
import contract from '../generated/contract.ts'
import { median } from './measure.ts'
import { atMost, heading, information } from './report.ts'
import type { Plan } from './sqlite.ts'
import { Target, token } from './target.ts'

/** Calls of a slice: short ones, because other work on the machine comes and goes. */
const calls = 600
/** Calls at a time. */
const together = 20

export async function benchClient({ rounds }: Plan): Promise<void> {
  const server = await Target.start('engine', ['bench/targets/engine.ts'])
  const { origin: baseUrl } = server
  const client = createClient(contract, { baseUrl, security: { bearerAuth: token } })
  const plant = { name: 'Monstera deliciosa', tag: 'climber' }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const checked = () => client.createPlant({ body: { id: 1n, ...plant } })
  const bare = async () => {
    const body = JSON.stringify({ id: 1, ...plant })
    return JSON.parse(await (await fetch(`${baseUrl}/plants`, { method: 'POST', headers, body })).text())
  }
  for (let warm = 0; warm < 5; warm++) await cpuOf(checked).then(() => cpuOf(bare))
  const pairs: (readonly [number, number])[] = []
  while (pairs.length < 10 * rounds) pairs.push([await cpuOf(checked), await cpuOf(bare)])
  await server.stop()
  heading('A call of the client, and a bare fetch')
  information('µs of CPU of a call', median(pairs.map(([ours]) => ours)))
  information('µs of CPU of a bare fetch', median(pairs.map(([, theirs]) => theirs)))
  atMost(
    'client: CPU of a call, over a bare fetch',
    median(pairs.map(([ours, theirs]) => ours / theirs)),
    1.25
  )
}

/** Returns the CPU time of a call in µs, all threads of this process. */
async function cpuOf(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  for (let count = 0; count < calls; count += together)
    await Promise.all(Array.from({ length: together }, call))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}
