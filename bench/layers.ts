/** The cost of each layer of a create on PostgreSQL, from the smallest program that commits to the whole service. */
import { v8Options } from '../src/process.ts'
import { Cluster } from '../test/store/postgres/cluster.ts'
import { compare } from './measure.ts'
import { information, table } from './report.ts'
import type { Plan } from './sqlite.ts'
import { startOptions } from './start-command.ts'
import { Target, token } from './target.ts'

/** Options of V8 for every target: those that `npm start` has. */
const options = [...startOptions, ...v8Options]

export async function benchLayers({ seconds, rounds }: Plan): Promise<void> {
  const cluster = await Cluster.create()
  const start = async (name: string, file: string) => {
    const variables = {
      PORT: '0',
      AUTH_TOKENS: token,
      LOG_LEVEL: 'warn',
      DATABASE_URL: await cluster.database(file)
    }
    return Target.start(name, [...options, `bench/targets/${file}-postgres.ts`], variables)
  }
  try {
    await cluster.start()
    const insert = await start('one INSERT through pg', 'insert')
    const least = await start('the least that commits', 'least')
    const engine = await start('with the engine', 'engine')
    const service = await start('with the service around it', 'service')
    const store = await Target.service(await cluster.database('store'))
    const targets = [insert, least, engine, service, store]
    const { medians, ratio } = await compare(targets, { connections: 64, seconds }, { rounds })
    table('Layers of a create on PostgreSQL, 64 connections', medians)
    for (const target of targets.slice(1))
      information(`${target.name}: throughput against one INSERT`, ratio('rate', target, insert))
    await Promise.all(targets.map((target) => target.stop()))
  } finally {
    await cluster.remove()
  }
}
