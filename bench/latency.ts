/** Time of a durable create on SQLite, by the number of clients that wait for their responses. */
import { join } from 'node:path'
import { formatRows } from '@contract-first/service/terminal/format'
import { lineChart, type Series } from './charts/lines.ts'
import { captionOf, mediansOf, saveChart } from './charts/save.ts'
import { logScale, named, namedScale } from './charts/scale.ts'
import type { Latency } from './clients.ts'
import { compare } from './measure.ts'
import { heading } from './report.ts'
import type { Plan } from './sqlite.ts'
import { Target } from './target.ts'

const connectionCounts = [1, 4, 16, 64, 256]

/** Latencies of each server, by connections. */
type Found = Map<string, Map<number, Latency>>

export async function benchLatency({ folder, seconds, rounds, draws }: Plan): Promise<void> {
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
  if (draws) saveChart('latency', chart(found, rounds))
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

function chart(found: Found, rounds: number): string {
  const series = [...found].flatMap(([name, latencies]): Series[] =>
    (['p50', 'p99'] as const).map((percentile) => ({
      name: `${name}, ${percentile === 'p50' ? 'median' : '99 %'}`,
      points: [...latencies].map(([connections, latency]) => [connections, latency[percentile]])
    }))
  )
  const times = series.flatMap(({ points }) => points.map(([, time]) => time))
  return lineChart({
    title: 'Time of a durable create under load: SQLite',
    caption: captionOf(mediansOf(rounds, 'round')),
    x: {
      label: 'connections, each of which waits for its response',
      scale: namedScale(connectionCounts.map(named))
    },
    y: { label: 'milliseconds (logarithmic)', scale: logScale(times) },
    series
  })
}
