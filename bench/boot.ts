/** Time from the command to the first 200, of `npm start` and of what `npm run build` makes, against a bare Fastify route. */
import { join } from 'node:path'
import { formatRows } from '@contract-first/cli/format'
import { type FirstAnswer, firstAnswer } from './first-answer.ts'
import { median } from './measure.ts'
import { atMost, heading } from './report.ts'
import type { Plan } from './sqlite.ts'
import { builtCommand, startCommand } from './start-command.ts'
import { token } from './target.ts'

const names = {
  built: 'node dist/main.js',
  builtFirst: '… without compiled code',
  start: 'npm start',
  first: '… without compiled code',
  bare: 'bare Fastify'
} as const
type Name = keyof typeof names
type Round = Readonly<Record<Name, FirstAnswer>>

export async function benchBoot({ folder, rounds }: Plan): Promise<void> {
  const measured: Round[] = []
  // The first start fills the file cache of the system.
  for (let round = 0; round <= rounds * 2; round++)
    measured.push(await measureRound(join(folder, `boot-${round}`)))
  const counted = measured.slice(1)
  heading('Boot to the first 200')
  const rows = (Object.keys(names) as Name[]).map((name) => [names[name], line(counted, name)] as const)
  console.log(`${formatRows(rows)}\n`)
  atMost('time of node dist/main.js against bare Fastify', ratio(counted, 'built', 'wall'), 1)
  atMost('CPU of node dist/main.js against bare Fastify', ratio(counted, 'built', 'cpu'), 1)
  atMost('time of npm start against bare Fastify', ratio(counted, 'start', 'wall'), 1.25)
}

/** @param folder folder of this round, for its database and its compiled code */
async function measureRound(folder: string): Promise<Round> {
  const service = {
    DATABASE_URL: `sqlite:${join(folder, 'plants.db')}`,
    AUTH_TOKENS: token,
    LOG_LEVEL: 'warn'
  }
  const cached = (name: string) => ({ ...service, NODE_COMPILE_CACHE: join(folder, name) })
  const builtFirst = await firstAnswer(builtCommand(), cached('built'))
  const built = await firstAnswer(builtCommand(), cached('built'))
  const first = await firstAnswer(startCommand, cached('sources'))
  const start = await firstAnswer(startCommand, cached('sources'))
  const bare = await firstAnswer(['bench/targets/server.cjs'], {})
  return { built, builtFirst, start, first, bare }
}

function line(rounds: readonly Round[], name: Name): string {
  const columns = (['wall', 'cpu'] as const).map((figure) => {
    const time = median(rounds.map((round) => round[name][figure]))
    return `${time.toFixed(0).padStart(6)} ms${figure === 'cpu' ? ' CPU' : ''}${ratio(rounds, name, figure).toFixed(2).padStart(7)}`
  })
  return columns.join('   ')
}

/** Returns the median of the ratios to the bare route of the same round. */
function ratio(rounds: readonly Round[], name: Name, figure: keyof FirstAnswer): number {
  return median(rounds.map((round) => round[name][figure] / round.bare[figure]))
}
