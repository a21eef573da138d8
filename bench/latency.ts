/** Time of a durable create on SQLite, by the number of clients that wait for their responses. */
import { join } from 'node:path'
import { formatRows } from '@contract-first/cli/format'
import type { Latency } from './clients.ts'
import { compare } from './measure.ts'
import { heading } from './report.ts'
import type { Plan } from './sqlite.ts'
import { Target } from './target.ts'

const connectionCounts = [1, 4, 16, 64, 256]

/** Latencies of each server, by connections. */
type Found = Map<string, Map<number, Latency>>

export async function benchLatency({ folder, seconds, rounds }: Plan): Promise<void> {
  const service = await Target.service(`sqlite:${join(folder, 'latency.db')}`)
  const insert = await Target.start('one INSERT each', [
    'bench/targets/insert-sqlite.ts',
    join(folder, 'latency-insert.db')
  ])
  const targets = [service, insert]
  const found: Found = new Map(targets.map(({ name }) => [name, new Map()]))
  for (const connections of connectionCounts) {
    const { medians } = await compare(targets, { connections, seconds }, { rounds, maxRepeats: 1 })
    for (const [name, { latency }] of medians) found.get(name)?.set(connections, latency)
  }
  print(found)
  await Promise.all(targets.map((target) => target.stop()))
}

function print(found: Found): void {
  heading('Time of a create on SQLite: median, 90th and 99th percentile, ms')
  const rows = [...found].flatMap(([name, latencies]) =>
    [...latencies].map(([connections, { p50, p90, p99 }]) => {
      const columns = [p50, p90, p99].map((time) => time.toFixed(2).padStart(9))
      const clients = connections === 1 ? '1 connection' : `${connections} connections`
      return [`${name}, ${clients}`, columns.join('')] as const
    })
  )
  console.log(`${formatRows(rows)}\n`)
}
