import type { Measured } from './measure.ts'

/** One line for each target, medians of the rounds. */
export function table(title: string, measured: ReadonlyMap<string, Measured>): void {
  console.log(`\n${title}`)
  for (const [name, { rate, cpu, databaseCpu }] of measured) {
    const database = databaseCpu > 0 ? `${databaseCpu.toFixed(1).padStart(8)} µs CPU in the database` : ''
    console.log(
      `  ${name.padEnd(28)}${rate.toFixed(0).padStart(8)} creates/s${cpu.toFixed(1).padStart(8)} µs CPU${database}`
    )
  }
}

/** A figure against its target. */
export function verdict(what: string, value: number, bound: string, holds: boolean): void {
  console.log(`  ${holds ? 'reached' : 'MISSED '}  ${what}: ${value.toFixed(2)} (${bound})`)
}

export function atLeast(what: string, value: number, bound: number): void {
  verdict(what, value, `at least ${bound}`, value >= bound)
}

export function atMost(what: string, value: number, bound: number): void {
  verdict(what, value, `at most ${bound}`, value <= bound)
}
