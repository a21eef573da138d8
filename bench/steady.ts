/** The part of the gate that other work on the machine does not disturb, for continuous integration. */
import { compareWith, holds, readReleased } from './gate.ts'
import { median } from './measure.ts'
import { type Figure, figures, heading } from './report.ts'
import { type SideBySide, sideBySide } from './side-by-side.ts'
import type { Plan } from './sqlite.ts'

/**
 * Number of processes for the median of a release: V8 compiles differently in each, which changes the ratio by up to 5
 * %.
 */
const releaseProcesses = 5
/** Most attempts: a disturbed measurement is repeated; a change of the code fails in each of them. */
const maxAttempts = 3

export async function benchSteady({ releases }: Plan): Promise<void> {
  if (releases) {
    figures.push(...(await measure(releaseProcesses)))
    return
  }
  const released = readReleased()
  let measured = await measure(1)
  for (let attempt = 1; attempt < maxAttempts && !allHold(measured, released); attempt++)
    measured = await measure(1)
  if (measured.every(({ value }) => value > 0)) compareWith(released, measured)
  else console.log('  not compared: this system does not count the CPU of a thread')
}

const allHold = (measured: readonly Figure[], released: Readonly<Record<string, number>>): boolean =>
  measured.every((figure) => holds(figure, released))

async function measure(processes: number): Promise<readonly Figure[]> {
  const found: SideBySide[] = []
  while (found.length < processes) found.push(await sideBySide())
  const figures = [
    { what: 'side by side: CPU of the engine alone', value: median(found.map(({ engine }) => engine)) },
    { what: 'side by side: CPU without a database', value: median(found.map(({ service }) => service)) }
  ].map((figure) => ({ ...figure, isBetterHigh: false }))
  heading('Side by side with bare Fastify in one process')
  for (const { what, value } of figures) console.log(`  ${what}: ${value.toFixed(3)}`)
  return figures
}
