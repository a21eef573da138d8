/** CPU of a create on SQLite, by the number of plants that are stored. */
import { join } from 'node:path'
import { formatRows } from '@contract-first/cli/format'
import { plants, run } from './fill.ts'
import type { Load } from './load.ts'
import { median } from './measure.ts'
import { heading } from './report.ts'
import { Slices } from './slices.ts'
import type { Plan } from './sqlite.ts'
import { Target } from './target.ts'
import { total } from './thread-cpu.ts'
import { costsOfTurns } from './turns.ts'

const counts = [0, 1_000, 10_000, 100_000, 1_000_000]
const connections = 64
/** Requests of each connection in one turn. */
const each = 8
const warmUpTurns = 120
const turnsOfRound = 16
const orders = ['rising', 'scattered'] as const

export async function benchStored({ folder, rounds }: Plan): Promise<void> {
  const targets: Target[] = []
  for (const count of counts) targets.push(await filled(folder, count))
  for (const ids of orders) {
    const costs = await costsOf(targets, ids, rounds * turnsOfRound)
    print(ids, targets, costs)
  }
  await Promise.all(targets.map((target) => target.stop()))
}

/** @returns the median CPU of a create on each of them, all threads, in microseconds */
async function costsOf(
  targets: readonly Target[],
  ids: Load['ids'],
  turns: number
): Promise<readonly number[]> {
  const servers = await Promise.all(targets.map(({ origin }) => Slices.connect(origin, connections, ids)))
  const cpu = (index: number) => total(targets[index]?.cpu() ?? new Map())
  const costs = await costsOfTurns(servers, { each, warmUpTurns, turns, cpu })
  for (const server of servers) server.close()
  return costs.map((all) => median(all) / each / connections)
}

function print(ids: string, targets: readonly Target[], costs: readonly number[]): void {
  heading(`SQLite, ${connections} connections, ${ids} ids: CPU of a create`)
  const rows = targets.map(({ name }, index) => [name, `${costs[index]?.toFixed(1).padStart(8)} µs`] as const)
  console.log(`${formatRows(rows)}\n`)
}

/** Starts the service on a store with `count` plants; the benchmark adds its own. */
async function filled(folder: string, count: number): Promise<Target> {
  const url = `sqlite:${join(folder, `stored-${count}.db`)}`
  await run('scripts/import.ts', url, plants(count))
  const target = await Target.service(url)
  return Object.assign(target, { name: count === 0 ? 'empty' : `${count.toLocaleString('en')} plants` })
}
