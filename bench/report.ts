/** Prints the figures of the benchmarks, and compares them with their targets. */
import { formatRows, paintFor } from '@contract-first/cli/format'
import type { Measured } from './measure.ts'

const paint = paintFor(process.stdout, process.env)

type Medians = ReadonlyMap<string, Measured>

/** Number of targets reached so far. */
let reached = 0
const missed: string[] = []

export function heading(title: string): void {
  console.log(`\n${paint('bold', title)}\n`)
}

/** Prints one line for each server: medians of the rounds. */
export function table(title: string, measured: Medians): void {
  heading(title)
  const rows = [...measured].map(([name, { rate, cpu, threads, databaseCpu }]) => {
    const figures = `${rate.toFixed(0).padStart(8)} creates/s${cpu.toFixed(1).padStart(8)} µs CPU`
    return [name, `${figures}  (${byThread({ threads, databaseCpu })})`] as const
  })
  console.log(`${formatRows(rows)}\n`)
}

function byThread(figures: Pick<Measured, 'threads' | 'databaseCpu'>): string {
  return partsOf(figures)
    .map(({ name, value }) => `${name} ${value.toFixed(1)}`)
    .join(', ')
}

const threadNames = ['event loop', 'SQLite', 'V8', 'others', 'database']

/** Returns the threads of the server, and the processes of its database. */
function partsOf({ threads, databaseCpu }: Pick<Measured, 'threads' | 'databaseCpu'>) {
  const found = new Map([...threads, ['database', databaseCpu]])
  return threadNames
    .map((name) => ({ name, value: found.get(name) ?? 0 }))
    .filter(({ value }) => value >= 0.05)
}

/** Prints a figure that has no target. */
export function information(what: string, value: number): void {
  console.log(`           ${what}: ${value.toFixed(2)}`)
}

/** Prints a figure and whether it reached its target. */
export function verdict(what: string, value: number, bound: string, holds: boolean): void {
  if (holds) reached++
  else missed.push(what)
  const word = holds ? paint('green', 'reached') : paint('red', 'MISSED ')
  console.log(`  ${word}  ${what}: ${value.toFixed(2)} (${bound})`)
}

export interface Figure {
  readonly what: string
  readonly value: number
  readonly isBetterHigh: boolean
}

/** The ratios of this run so far. */
export const figures: Figure[] = []

export function atLeast(what: string, value: number, bound: number): void {
  figures.push({ what, value, isBetterHigh: true })
  verdict(what, value, `at least ${bound}`, value >= bound)
}

export function atMost(what: string, value: number, bound: number): void {
  figures.push({ what, value, isBetterHigh: false })
  verdict(what, value, `at most ${bound}`, value <= bound)
}

/** Prints the last line of a run. */
export function printOutcome(): void {
  const all = reached + missed.length
  if (all === 0) return
  const text =
    missed.length === 0 ? `all ${all} targets reached` : `${missed.length} of ${all} targets missed`
  console.log(`\n${paint('bold', text)}`)
}
