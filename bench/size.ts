/** The cost of a create in a large store, which import fills; and of import and export. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { formatRows } from '../src/service/terminal/format.ts'
import { compare } from './measure.ts'
import { atMost, heading, table } from './report.ts'
import { residentMegabytes } from './resident.ts'
import type { Plan } from './sqlite.ts'
import { Target } from './target.ts'

const few = 10_000
const flags = ['--max-semi-space-size=4']

/** @param many plants in the large store */
export async function benchSize({ folder, seconds, rounds }: Plan, many: number): Promise<void> {
  const targets: Target[] = []
  for (const count of [few, many]) {
    const url = `sqlite:${join(folder, `${count}.db`)}`
    const imported = await run('scripts/import.ts', url, plants(count))
    const exported = await run('scripts/export.ts', url)
    heading(`${count.toLocaleString('en')} plants on SQLite`)
    const rows = [['import', rate(count, imported)] as const, ['export', rate(count, exported)] as const]
    console.log(`${formatRows(rows)}\n`)
    if (count === many) atMost('memory of the export, MB', exported.megabytes, 200)
    targets.push(await Target.service(url))
  }
  const named = targets.map((target, index) =>
    Object.assign(target, { name: `${[few, many][index]} plants` })
  )
  const [small, large] = named as [Target, Target]
  for (const ids of ['rising', 'scattered'] as const) {
    const measured = await compare(named, { connections: 64, seconds, ids }, { rounds })
    table(`SQLite, 64 connections, ${ids} ids`, measured.medians)
    atMost(`CPU at ${many} plants against ${few}`, measured.ratio('cpu', large, small), 1.3)
    atMost(`time at ${many} plants against ${few}`, measured.ratio('rate', small, large), 1.3)
  }
  await Promise.all(named.map((target) => target.stop()))
}

interface Run {
  readonly seconds: number
  /** Peak resident memory; Linux only. */
  readonly megabytes: number
}

function rate(count: number, { seconds, megabytes }: Run): string {
  return `${Math.round(count / seconds)} a second, ${Math.round(megabytes)} MB at most`
}

/** Runs a script with the flags of the npm script of that name. */
async function run(script: string, databaseUrl: string, input?: Iterable<string>): Promise<Run> {
  const began = performance.now()
  const child = spawn(process.execPath, [...flags, join(import.meta.dirname, '..', script)], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['pipe', 'pipe', 'inherit']
  })
  child.stdout.resume()
  let megabytes = 0
  const timer = setInterval(() => {
    megabytes = Math.max(megabytes, residentMegabytes(child.pid))
  }, 50)
  const exit = once(child, 'exit')
  for (const text of input ?? []) if (!child.stdin.write(text)) await once(child.stdin, 'drain')
  child.stdin.end()
  const [code] = await exit
  clearInterval(timer)
  if (code !== 0) throw new Error(`${script} ended with ${code}`)
  return { seconds: (performance.now() - began) / 1_000, megabytes }
}

/** Spreads the ids over the range from which the load generator takes its own. */
function* plants(count: number): Generator<string> {
  let text = ''
  for (let index = 0; index < count; index++) {
    text += `{"id":${1e15 + Math.floor(8e15 / count) * index},"name":"Monstera deliciosa","tag":"climber"}\n`
    if (text.length < 65_536) continue
    yield text
    text = ''
  }
  yield text
}
