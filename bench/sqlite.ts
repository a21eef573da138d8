/** Durable creates on SQLite, against the same route without a store and with one committed INSERT per request. */
import { join } from 'node:path'
import { compare } from './measure.ts'
import { atLeast, atMost, table } from './report.ts'
import { Target } from './target.ts'

export interface Plan {
  /** Folder for the files of the benchmark. */
  readonly folder: string
  readonly seconds: number
  readonly rounds: number
}

export async function benchSqlite({ folder, seconds, rounds }: Plan): Promise<void> {
  const service = await Target.service(`sqlite:${join(folder, 'service.db')}`)
  const bare = await Target.start('bare Fastify, no store', ['bench/targets/bare.ts'])
  const insert = await Target.start('one INSERT per request', [
    'bench/targets/insert-sqlite.ts',
    join(folder, 'insert.db')
  ])
  const targets = [service, bare, insert]
  const many = await compare(targets, { connections: 64, seconds }, { rounds })
  table('SQLite, 64 connections', many)
  atMost('CPU against no store', ratio(many, 'cpu', service, bare), 1.25)
  atLeast('throughput against one INSERT', ratio(many, 'rate', service, insert), 7)
  const lone = await compare([service, insert], { connections: 1, seconds }, { rounds })
  table('SQLite, 1 connection', lone)
  atMost('time against one INSERT', ratio(lone, 'rate', insert, service), 1.2)
  await Promise.all(targets.map((target) => target.stop()))
}

type Medians = Awaited<ReturnType<typeof compare>>

export function ratio(
  measured: Medians,
  figure: 'cpu' | 'rate' | 'databaseCpu',
  over: Target,
  under: Target
): number {
  return (
    (measured.get(over.name)?.[figure] ?? Number.NaN) / (measured.get(under.name)?.[figure] ?? Number.NaN)
  )
}
