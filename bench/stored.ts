/** CPU of a create on SQLite, by the number of plants that are stored. */
import { join } from 'node:path'
import { lineChart, type Series } from './charts/lines.ts'
import { captionOf, mediansOf, saveChart } from './charts/save.ts'
import { linearScale, named, namedScale } from './charts/scale.ts'
import { plants, run } from './fill.ts'
import { compare } from './measure.ts'
import { table } from './report.ts'
import type { Plan } from './sqlite.ts'
import { Target } from './target.ts'

const counts = [0, 1_000, 10_000, 100_000, 1_000_000]
/** An empty store stands one step left of the smallest on the logarithmic axis. */
const emptyAt = 100
const orders = ['rising', 'scattered'] as const

export async function benchStored({ folder, seconds, rounds, draws }: Plan): Promise<void> {
  const targets = await Promise.all(counts.map((count) => filled(folder, count)))
  const series: Series[] = []
  for (const ids of orders) {
    const load = { connections: 64, seconds, ids }
    const { medians } = await compare(targets, load, { rounds, maxRepeats: 1 })
    table(`SQLite, 64 connections, ${ids} ids`, medians)
    const cpus = [...medians.values()].map(({ cpu }) => cpu)
    series.push({
      name: `${ids} ids`,
      points: cpus.map((cpu, index) => [counts[index] || emptyAt, cpu] as const)
    })
  }
  if (draws) saveChart('stored', chart(series, rounds))
  await Promise.all(targets.map((target) => target.stop()))
}

/** Starts the service on a store with so many plants; those of the benchmark are added to them. */
async function filled(folder: string, count: number): Promise<Target> {
  const url = `sqlite:${join(folder, `stored-${count}.db`)}`
  await run('scripts/import.ts', url, plants(count))
  const target = await Target.service(url)
  return Object.assign(target, { name: count === 0 ? 'empty' : `${count.toLocaleString('en')} plants` })
}

function chart(series: readonly Series[], rounds: number): string {
  const ticks = counts.map((count) => (count === 0 ? { value: emptyAt, name: 'empty' } : named(count)))
  const cpus = series.flatMap(({ points }) => points.map(([, cpu]) => cpu))
  return lineChart({
    title: 'CPU of a durable create by the size of the store: SQLite, 64 connections',
    caption: captionOf(mediansOf(rounds, 'round')),
    x: { label: 'plants stored before', scale: namedScale(ticks) },
    y: { label: 'CPU of a create, all threads, µs', scale: linearScale(Math.max(...cpus)) },
    series
  })
}
