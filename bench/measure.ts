/** Measures targets under load: responses a second and CPU time for each, as medians of interleaved rounds. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Load, LoadResult } from './load.ts'
import { type Target, token } from './target.ts'

export interface Measured {
  /** Responses a second. */
  readonly rate: number
  /** Microseconds of CPU of the target for each request. */
  readonly cpu: number
  /** Microseconds of CPU of the database for each request. */
  readonly databaseCpu: number
}

export type Pattern = Omit<Load, 'url' | 'token'>

/** Returns the CPU time of the database so far, in microseconds. */
export type DatabaseCpu = () => Promise<number>

export async function generate(load: Load): Promise<LoadResult> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'load.ts'), JSON.stringify(load)], {
    stdio: ['ignore', 'pipe', 'ignore']
  })
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
  const before = { ...(await target.use()), database: await databaseCpu() }
  const result = await generate({ url: `${target.origin}/plants`, token, ...load })
  const after = { ...(await target.use()), database: await databaseCpu() }
  const { requests, errors, statuses } = result
  if (errors > 0 || statuses['200'] !== requests) throw new Error(`${target.name}: ${JSON.stringify(result)}`)
  return {
    rate: requests / result.seconds,
    cpu: (after.cpu - before.cpu) / requests,
    databaseCpu: (after.database - before.database) / requests
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Interleaves the targets, so that other load on the machine affects all of them; the first round warms up. */
export async function compare(
  targets: readonly Target[],
  load: Pattern,
  { rounds, databaseCpu }: { readonly rounds: number; readonly databaseCpu?: DatabaseCpu }
): Promise<Map<string, Measured>> {
  const all = new Map<string, Measured[]>(targets.map(({ name }) => [name, []]))
  for (const target of targets) await target.check()
  for (let round = 0; round <= rounds; round++) {
    for (const target of targets) {
      const measured = await measure(target, load, databaseCpu)
      if (round > 0) all.get(target.name)?.push(measured)
    }
  }
  return new Map([...all].map(([name, measured]) => [name, medians(measured)]))
}

function medians(measured: readonly Measured[]): Measured {
  return {
    rate: median(measured.map(({ rate }) => rate)),
    cpu: median(measured.map(({ cpu }) => cpu)),
    databaseCpu: median(measured.map(({ databaseCpu }) => databaseCpu))
  }
}
