/** Time from the start of the process to its first 200, against a bare hand-written Fastify route. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatRows } from '../src/service/terminal/format.ts'
import { heading } from './report.ts'
import type { Plan } from './sqlite.ts'
import { token } from './target.ts'

const project = join(import.meta.dirname, '..')
const printedUrl = /http:\/\/127\.0\.0\.1:\d+/

export async function benchBoot({ folder, rounds }: Plan): Promise<void> {
  const databaseUrl = `sqlite:${join(folder, 'boot.db')}`
  const times = { service: [] as number[], bare: [] as number[] }
  for (let round = 0; round < rounds * 2 + 1; round++) {
    const service = await firstAnswer('src/main.ts', { DATABASE_URL: databaseUrl, AUTH_TOKENS: token })
    const bare = await firstAnswer('bench/targets/bare.ts', {})
    if (round === 0) continue // the first one warms the file cache
    times.service.push(service)
    times.bare.push(bare)
  }
  const service = median(times.service)
  const bare = median(times.bare)
  const ratios = times.service.map((time, index) => time / (times.bare[index] ?? Number.NaN))
  heading('Boot to the first 200')
  const ms = (time: number) => `${time.toFixed(0).padStart(8)} ms`
  console.log(
    formatRows([
      ['plant-store', ms(service)],
      ['bare Fastify', ms(bare)],
      ['ratio', median(ratios).toFixed(2).padStart(8)]
    ])
  )
}

async function firstAnswer(file: string, environment: Record<string, string>): Promise<number> {
  const started = performance.now()
  const child = spawn(process.execPath, [join(project, file)], {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const exit = once(child, 'exit')
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  while (!printedUrl.test(output) && child.exitCode === null) await sleep(1)
  const [origin] = printedUrl.exec(output) ?? []
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = '{"id":1,"name":"Monstera deliciosa","tag":"climber"}'
  const answer = await fetch(`${origin}/plants`, { method: 'POST', headers, body })
  const time = performance.now() - started
  if (answer.status !== 200) throw new Error(`${file}: ${answer.status}`)
  child.kill('SIGKILL')
  await exit
  return time
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
