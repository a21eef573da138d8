/** Compares the ratios of a run with those of the last release. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Mistake } from '@contract-first/cli/command'
import { benchPostgres } from './postgres.ts'
import { type Figure, figures, heading, verdict } from './report.ts'
import { benchSqlite, type Plan } from './sqlite.ts'

/** Part by which a ratio may be worse. */
const tolerance = 0.1
const file = join(import.meta.dirname, 'released.json')

/** Ratios by the name of the figure. */
type Released = Readonly<Record<string, number>>

export async function benchGate(plan: Plan): Promise<void> {
  const released = readReleased()
  await benchSqlite(plan)
  await benchPostgres(plan)
  compareWith(released, figures)
}

/** @throws {Mistake} before the first release */
export function readReleased(): Released {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Released
  throw new Mistake(['no release was measured yet: run "npm run bench -- sqlite postgres --release"'])
}

/** Reports each figure, and sets the exit code when one is worse than the tolerance. */
export function compareWith(released: Released, measured: readonly Figure[]): void {
  heading('Against the last release')
  for (const figure of measured) {
    const { what, value, isBetterHigh } = figure
    const before = released[what] ?? value
    const bound = `${isBetterHigh ? 'at least' : 'at most'} ${worst(figure, before).toFixed(2)}`
    const isKept = holds(figure, released)
    verdict(`${what}, released ${before}`, value, bound, isKept)
    if (!isKept) process.exitCode = 1
  }
}

/** Returns whether a ratio is within the tolerance; true for a new figure. */
export function holds(figure: Figure, released: Released): boolean {
  const { what, value, isBetterHigh } = figure
  const bound = worst(figure, released[what] ?? value)
  return isBetterHigh ? value >= bound : value <= bound
}

function worst({ isBetterHigh }: Figure, before: number): number {
  return isBetterHigh ? before * (1 - tolerance) : before * (1 + tolerance)
}

/** Writes the ratios of this run as those of the release; other ones stay. */
export function release(): void {
  const before = existsSync(file) ? readReleased() : {}
  const measured = figures.map(({ what, value }) => [what, Number(value.toFixed(2))])
  const rows = { ...before, ...Object.fromEntries(measured) }
  writeFileSync(file, `${JSON.stringify(rows, undefined, 2)}\n`)
}
