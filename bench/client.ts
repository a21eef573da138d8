/** CPU time of a call of the client, beside `fetch` with `JSON.stringify` and `JSON.parse`, against one server. */
import { createClient } from '@contract-first/engine/client'
import contract from '../generated/contract.ts'
import { median } from './measure.ts'
import { atMost, heading } from './report.ts'
import type { Plan } from './sqlite.ts'
import { Target, token } from './target.ts'

/** Calls of a slice, calls at a time, and pairs of slices in a round: other work on the machine comes and goes. */
const settings = [
  [600, 20, 4],
  [2000, 20, 2],
  [2000, 1, 2]
] as const

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
  const ratios: number[][] = settings.map(() => [])
  for (let round = -1; round < rounds; round++)
    for (const [index, [calls, together, pairs]] of settings.entries())
      for (let pair = 0; pair < pairs; pair++) {
        const [before, ours] = [await cpuOf(bare, calls, together), await cpuOf(checked, calls, together)]
        const ratio = (2 * ours) / (before + (await cpuOf(bare, calls, together)))
        if (round >= 0) ratios[index]?.push(ratio)
      }
  await server.stop()
  heading('CPU of a call of the client, over a bare fetch before and after it')
  for (const [index, [calls, together]] of settings.entries())
    atMost(`client: ${calls} calls, ${together} at a time`, median(ratios[index] ?? []), 1.25)
}

/** Returns the CPU time of a call, all threads of this process. */
async function cpuOf(call: () => Promise<unknown>, calls: number, together: number): Promise<number> {
  const before = process.cpuUsage()
  for (let done = 0; done < calls; done += together) await Promise.all(Array.from({ length: together }, call))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}
