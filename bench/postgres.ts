/** Creates on a PostgreSQL of this machine, against one INSERT per request through a pool of `pg`. */
import { readFileSync } from 'node:fs'
import { Cluster } from '../test/store/postgres/cluster.ts'
import { compare } from './measure.ts'
import { atLeast, atMost, table } from './report.ts'
import type { Plan } from './sqlite.ts'
import { Target } from './target.ts'

export async function benchPostgres({ seconds, rounds }: Plan): Promise<void> {
  const cluster = await Cluster.create()
  try {
    await cluster.start()
    const service = await Target.service(await cluster.database('service'))
    const insert = await Target.start('one INSERT through pg', ['bench/targets/insert-postgres.ts'], {
      DATABASE_URL: await cluster.database('insert')
    })
    const databaseCpu = () => cpuOf(cluster)
    const many = await compare([service, insert], { connections: 64, seconds }, { rounds, databaseCpu })
    table('PostgreSQL, 64 connections', many.medians)
    atLeast('PostgreSQL: throughput against one INSERT', many.ratio('rate', service, insert), 3)
    atMost(
      'PostgreSQL: CPU in the database against one INSERT',
      many.ratio('databaseCpu', service, insert),
      0.2
    )
    const lone = await compare([service, insert], { connections: 1, seconds }, { rounds, databaseCpu })
    table('PostgreSQL, 1 connection', lone.medians)
    atMost('PostgreSQL: time against one INSERT', lone.ratio('rate', insert, service), 1.2)
    await Promise.all([service, insert].map((target) => target.stop()))
  } finally {
    await cluster.remove()
  }
}

/**
 * Returns the user and system time of every process of the server, in microseconds; Linux only (proc_pid_stat(5),
 * fields 14 and 15).
 */
async function cpuOf(cluster: Cluster): Promise<number> {
  const rows = await cluster.query((sql) => sql<{ pid: number }[]>`select pid from pg_stat_activity`)
  const ticks = rows.map(({ pid }) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const [user, system] = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .slice(11, 13)
      return Number(user) + Number(system)
    } catch {
      return 0
    }
  })
  return ticks.reduce((sum, each) => sum + each, 0) * 10_000
}
