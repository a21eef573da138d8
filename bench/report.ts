/** Prints the figures of the benchmarks, and whether they reached their targets. */
import { formatRows, paintFor } from '../src/service/terminal/format.ts'
import type { Measured } from './measure.ts'
import type { ThreadCpu } from './thread-cpu.ts'

const paint = paintFor(process.stdout, process.env)

/** Targets reached so far. */
let reached = 0
const missed: string[] = []

export function heading(title: string): void {
  console.log(`\n${paint('bold', title)}\n`)
}

/** Prints one line for each server: medians of the rounds. */
export function table(title: string, measured: ReadonlyMap<string, Measured>): void {
  heading(title)
  const rows = [...measured].map(([name, { rate, cpu, threads, databaseCpu }]) => {
    const database = databaseCpu > 0 ? `${databaseCpu.toFixed(1).padStart(8)} µs in the database` : ''
    const figures = `${rate.toFixed(0).padStart(8)} creates/s${cpu.toFixed(1).padStart(8)} µs CPU`
    return [name, `${figures}  ${byThread(threads)}${database}`] as const
  })
  console.log(`${formatRows(rows)}\n`)
}

function byThread(threads: ThreadCpu): string {
  const shown = [...threads].filter(([, microseconds]) => microseconds >= 0.05)
  return `(${shown.map(([name, microseconds]) => `${name} ${microseconds.toFixed(1)}`).join(', ')})`
}

/** Prints a figure and whether it reached its target. */
export function verdict(what: string, value: number, bound: string, holds: boolean): void {
  if (holds) reached++
  else missed.push(what)
  const word = holds ? paint('green', 'reached') : paint('red', 'MISSED ')
  console.log(`  ${word}  ${what}: ${value.toFixed(2)} (${bound})`)
}

export function atLeast(what: string, value: number, bound: number): void {
  verdict(what, value, `at least ${bound}`, value >= bound)
}

export function atMost(what: string, value: number, bound: number): void {
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
