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
  /** True to write the ratios as those of a release. */
  readonly releases: boolean
}

export async function benchSqlite({ folder, seconds, rounds }: Plan): Promise<void> {
  const service = await Target.service(`sqlite:${join(folder, 'service.db')}`)
  const bare = await Target.start('bare Fastify, no store', ['bench/targets/bare.ts'])
  const insert = await Target.start('one INSERT per request', [
    'bench/targets/insert-sqlite.ts',
    join(folder, 'insert.db')
  ])
  const engine = await Target.start('the engine alone, no store', ['bench/targets/engine.ts'])
  const targets = [bare, engine, service, insert]
  const many = await compare(targets, { connections: 64, seconds }, { rounds })
  table('SQLite, 64 connections', many.medians)
  atMost('CPU against no store', many.ratio('cpu', service, bare), 1.6)
  atMost('CPU of the engine alone', many.ratio('cpu', engine, bare), 1.05)
  atLeast('throughput against one INSERT', many.ratio('rate', service, insert), 7)
  const lone = await compare([service, insert], { connections: 1, seconds }, { rounds })
  table('SQLite, 1 connection', lone.medians)
  atMost('time against one INSERT', lone.ratio('rate', insert, service), 1.2)
  await Promise.all(targets.map((target) => target.stop()))
}
