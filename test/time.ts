/** Time in tests. Machines that others share stall at times: what is late then is no fault. */
import { setTimeout } from 'node:timers/promises'

/** Milliseconds between two looks. */
const turn = 5

/**
 * So many milliseconds in turns of the event loop: a stall of this process counts as one of them, and what came meanwhile
 * is read before the next. Where the event loop is kept busy it is longer than that.
 */
export async function sleep(milliseconds: number): Promise<void> {
  for (let slept = 0; slept < milliseconds; slept += turn) await setTimeout(turn)
}

/** Until it holds, for twenty seconds at most; what is asserted next says that it does not. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 20_000 && !(await condition()); waited += turn) await setTimeout(turn)
}

/** The least of up to three measurements, no more of them once one is below the limit: a stall makes a figure larger. */
export async function least(limit: number, measure: () => Promise<number>): Promise<number> {
  let figure = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 3 && figure >= limit; tries++) figure = Math.min(figure, await measure())
  return figure
}
