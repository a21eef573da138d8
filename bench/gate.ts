/** Compares the ratios of a run with those of the last release. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Mistake } from '@contract-first/service/command/command'
import { benchPostgres } from './postgres.ts'
import { figures, heading, verdict } from './report.ts'
import { benchSqlite, type Plan } from './sqlite.ts'

/** Part by which a ratio may be worse. */
const tolerance = 0.1
const file = join(import.meta.dirname, 'released.json')

export async function benchGate(plan: Plan): Promise<void> {
  if (!existsSync(file))
    throw new Mistake([
      'no release was measured yet: run "npm run bench -- sqlite postgres --release" on a quiet machine'
    ])
  await benchSqlite(plan)
  await benchPostgres(plan)
  const released = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, number>>
  heading('Against the last release')
  for (const { what, value, isBetterHigh } of [...figures]) {
    const before = released[what] ?? value
    const worst = isBetterHigh ? before * (1 - tolerance) : before * (1 + tolerance)
    const holds = isBetterHigh ? value >= worst : value <= worst
    verdict(
      `${what}, released ${before}`,
      value,
      `${isBetterHigh ? 'at least' : 'at most'} ${worst.toFixed(2)}`,
      holds
    )
    if (!holds) process.exitCode = 1
  }
}

/** Writes the ratios of this run as those of the release. */
export function release(): void {
  const rows = figures.map(({ what, value }) => [what, Number(value.toFixed(2))])
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(rows), undefined, 2)}\n`)
}
