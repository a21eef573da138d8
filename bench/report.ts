/** Prints the figures of the benchmarks, and whether they reached their targets. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatRows, paintFor } from '../src/service/terminal/format.ts'
import { barChart } from './chart.ts'
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
  return `(${partsOf(threads)
    .map(({ name, value }) => `${name} ${value.toFixed(1)}`)
    .join(', ')})`
}

/** Draws the CPU by thread, and the rate, of each server into docs/images/. */
export function draw(name: string, title: string, measured: ReadonlyMap<string, Measured>): void {
  const folder = join(import.meta.dirname, '../docs/images')
  const cpu = [...measured].map(([server, { threads }]) => ({ name: server, parts: partsOf(threads) }))
  const rate = [...measured].map(([server, { rate }]) => ({
    name: server,
    parts: [{ name: '', value: rate }]
  }))
  const charts = {
    cpu: { title: `CPU of a create: ${title}`, unit: 'µs', bars: cpu },
    rate: { title: `Creates a second: ${title}`, unit: '', bars: rate }
  }
  for (const [figure, chart] of Object.entries(charts))
    writeFileSync(join(folder, `${name}-${figure}.svg`), barChart(chart))
}

function partsOf(threads: ThreadCpu) {
  return [...threads].filter(([, value]) => value >= 0.05).map(([name, value]) => ({ name, value }))
}

/** Prints a figure and whether it reached its target. */
export function verdict(what: string, value: number, bound: string, holds: boolean): void {
  if (holds) reached++
  else missed.push(what)
  const word = holds ? paint('green', 'reached') : paint('red', 'MISSED ')
  console.log(`  ${word}  ${what}: ${value.toFixed(2)} (${bound})`)
}

/** The ratios of this run so far. */
export const figures: { readonly what: string; readonly value: number; readonly isBetterHigh: boolean }[] = []

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
