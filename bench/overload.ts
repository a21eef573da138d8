/** Far more than can be served: 2,000 connections that do not wait for answers. */
import { join } from 'node:path'
import { generate } from './measure.ts'
import { atMost, verdict } from './report.ts'
import type { Plan } from './sqlite.ts'
import { Target, token } from './target.ts'

export async function benchOverload({ folder, seconds }: Plan): Promise<void> {
  const service = await Target.service(`sqlite:${join(folder, 'overload.db')}`)
  await service.check()
  let resident = 0
  const timer = setInterval(async () => {
    resident = Math.max(resident, (await service.use()).rss)
  }, 250)
  const load = {
    url: `${service.origin}/plants`,
    token,
    connections: 2_000,
    pipelining: 10,
    seconds: seconds * 2
  }
  const result = await generate(load)
  clearInterval(timer)
  const began = performance.now()
  const refused = await refusals(service)
  await service.check()
  const healthy = performance.now() - began
  console.log(`\n2,000 connections, 10 requests under way on each: ${JSON.stringify(result)}`)
  const others = Object.keys(result.statuses).filter((status) => status !== '200' && status !== '503')
  verdict('answers that are neither 200 nor 503', others.length, 'none', others.length === 0)
  verdict('milliseconds until healthy', healthy, 'at most 1000', healthy < 1_000 && refused)
  atMost('resident memory, MB', resident / 1e6, 300)
  await service.stop()
}

/** Ready again. */
async function refusals(service: Target): Promise<boolean> {
  return (await fetch(`${service.origin}/-/ready`)).status === 200
}
