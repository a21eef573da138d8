/** Measures targets under load: responses a second and CPU time for each, as medians of interleaved rounds. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Load, LoadResult } from './clients.ts'
import type { Target } from './target.ts'
import { cpuPerRequest, type ThreadCpu, total } from './thread-cpu.ts'

export interface Measured {
  /** Responses per second. */
  readonly rate: number
  /** CPU time of the target for each request, all threads, in microseconds. */
  readonly cpu: number
  readonly threads: ThreadCpu
  /** CPU time of the database for each request, in microseconds. */
  readonly databaseCpu: number
}

export type Pattern = Omit<Load, 'url'>

/** Returns the CPU time of the database so far, in microseconds. */
export type DatabaseCpu = () => Promise<number>

/** Runs the clients in a process of their own. */
export async function generate(load: Load): Promise<LoadResult> {
  const file = join(import.meta.dirname, 'clients.ts')
  const child = spawn(process.execPath, [file, JSON.stringify(load)], { stdio: ['ignore', 'pipe', 'ignore'] })
  return JSON.parse((await Array.fromAsync(child.stdout)).join(''))
}

/**
 * Loads one target.
 * @throws {Error} when a response is not 200
 */
export async function measure(
  target: Target,
  load: Pattern,
  databaseCpu: DatabaseCpu = async () => 0
): Promise<Measured> {
  const [before, databaseBefore] = [target.cpu(), await databaseCpu()]
  const result = await generate({ url: `${target.origin}/plants`, ...load })
  const [after, databaseAfter] = [target.cpu(), await databaseCpu()]
  const { requests, errors, statuses } = result
  if (errors > 0 || statuses['200'] !== requests) throw new Error(`${target.name}: ${JSON.stringify(result)}`)
  const threads = cpuPerRequest(before, after, requests)
  return {
    rate: requests / result.seconds,
    cpu: total(threads),
    threads,
    databaseCpu: (databaseAfter - databaseBefore) / requests
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Rounds of each target, interleaved, so that other load on the machine affects all of them. */
type Rounds = ReadonlyMap<string, readonly Measured[]>

export interface Comparison {
  /** Median of the ratios of the rounds: a disturbance of a round affects both targets. */
  readonly ratio: (figure: 'cpu' | 'rate' | 'databaseCpu', over: Target, under: Target) => number
  readonly medians: ReadonlyMap<string, Measured>
}

/** Largest difference between the halves of a run, which is also the difference between two runs. */
const maxDifference = 0.05
interface Repetition {
  readonly rounds: number
  /** Limit of the number of rounds, as a multiple, when the machine is so busy that the halves never agree. */
  readonly maxRepeats?: number
  readonly databaseCpu?: DatabaseCpu
}

/** Measures rounds; the first one warms up. Adds rounds until the first and the second half of them agree. */
export async function compare(
  targets: readonly Target[],
  load: Pattern,
  { rounds, maxRepeats = 4, databaseCpu }: Repetition
): Promise<Comparison> {
  const all = new Map<string, Measured[]>(targets.map(({ name }) => [name, []]))
  for (const target of targets) await target.check()
  for (const target of targets) await measure(target, load, databaseCpu)
  for (let round = 0; round < rounds || (round < rounds * maxRepeats && !isSteady(all)); round++)
    for (const target of round % 2 === 0 ? targets : targets.toReversed())
      all.get(target.name)?.push(await measure(target, load, databaseCpu))
  return {
    ratio: (figure, over, under) => ratioOf(all, figure, [over.name, under.name]),
    medians: new Map([...all].map(([name, measured]) => [name, medians(measured)]))
  }
}

function isSteady(rounds: Rounds): boolean {
  const [first = '', ...others] = rounds.keys()
  const halves = [0, 1].map(
    (half) => new Map([...rounds].map(([name, all]) => [name, all.filter((_, index) => index % 2 === half)]))
  )
  return others.every((other) =>
    (['cpu', 'rate'] as const).every((figure) => {
      const [one = 0, two = 0] = halves.map((half) => ratioOf(half, figure, [first, other]))
      return Math.abs(one - two) <= maxDifference * one
    })
  )
}

function ratioOf(
  rounds: Rounds,
  figure: 'cpu' | 'rate' | 'databaseCpu',
  [over, under]: readonly [string, string]
): number {
  const unders = rounds.get(under) ?? []
  const ratios = (rounds.get(over) ?? []).map(
    (measured, index) => measured[figure] / (unders[index]?.[figure] ?? Number.NaN)
  )
  return median(ratios)
}

function medians(measured: readonly Measured[]): Measured {
  const names = new Set(measured.flatMap(({ threads }) => [...threads.keys()]))
  const thread = (name: string) => median(measured.map(({ threads }) => threads.get(name) ?? 0))
  return {
    rate: median(measured.map(({ rate }) => rate)),
    cpu: median(measured.map(({ cpu }) => cpu)),
    threads: new Map([...names].map((name) => [name, thread(name)])),
    databaseCpu: median(measured.map(({ databaseCpu }) => databaseCpu))
  }
}
