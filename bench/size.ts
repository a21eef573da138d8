/** The cost of a create in a large store, which import fills; and of import and export. */
import { join } from 'node:path'
import { formatRows } from '@contract-first/cli/format'
import { plants, type Run, run } from './fill.ts'
import { compare } from './measure.ts'
import { atMost, heading, table } from './report.ts'
import type { Plan } from './sqlite.ts'
import { Target } from './target.ts'

const few = 10_000

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

function rate(count: number, { seconds, megabytes }: Run): string {
  return `${Math.round(count / seconds)} a second, ${Math.round(megabytes)} MB at most`
}
