/** Overload: 2,000 connections that do not wait for responses. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatRows } from '@contract-first/cli/format'
import { generate } from './measure.ts'
import { atMost, heading, verdict } from './report.ts'
import { residentMegabytes } from './resident.ts'
import type { Plan } from './sqlite.ts'
import { Target } from './target.ts'

export async function benchOverload({ folder, seconds }: Plan): Promise<void> {
  const service = await Target.service(`sqlite:${join(folder, 'overload.db')}`)
  await service.check()
  let resident = 0
  const timer = setInterval(() => {
    resident = Math.max(resident, residentMegabytes(service.pid))
  }, 100)
  const load = {
    url: `${service.origin}/plants`,
    connections: 2_000,
    pipelining: 10,
    seconds: seconds * 2
  }
  const result = await generate(load)
  clearInterval(timer)
  const healthy = await untilHealthy(service)
  heading('Overload: 2,000 connections, 10 requests under way on each')
  const answers = Object.entries(result.statuses).map(([status, count]) => [status, `${count}`] as const)
  console.log(`${formatRows([...answers, ['lost connections', `${result.errors}`]])}\n`)
  const others = Object.keys(result.statuses).filter((status) => status !== '200' && status !== '503')
  verdict('answers that are neither 200 nor 503', others.length, 'none', others.length === 0)
  verdict('milliseconds until healthy', healthy, 'at most 1000', healthy <= 1_000)
  atMost('resident memory, MB', resident, 300)
  await service.stop()
}

/** @returns the time until a create succeeds, in ms */
async function untilHealthy(service: Target): Promise<number> {
  const began = performance.now()
  for (;;) {
    const { status } = await service.post('{"id":1,"name":"Monstera deliciosa","tag":"climber"}')
    if (status === 200) return performance.now() - began
    if (performance.now() - began > 30_000) throw new Error(`still ${status} after half a minute`)
    await sleep(50)
  }
}
