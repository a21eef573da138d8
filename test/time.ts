/** Waiting in tests. A shared machine stalls at times, so that a late event is not a failure. */
import { setTimeout } from 'node:timers/promises'

const turnMs = 5

/**
 * Waits in event-loop turns of 5 ms. A stall of this process counts as one turn, and input that arrived meanwhile is
 * read before the next. A busy event loop lengthens the wait.
 * @param signal ends the wait early, so that a test that is over does not keep its process
 */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  for (let slept = 0; slept < milliseconds && signal?.aborted !== true; slept += turnMs)
    await setTimeout(turnMs)
}

/**
 * Waits until the condition holds, at most 4,000 turns.
 * @throws {Error} if it does not hold by then
 */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 20_000; waited += turnMs) {
    if (await condition()) return
    await setTimeout(turnMs)
  }
  throw new Error(`still false: ${condition}`)
}

/** Returns the least of up to three measurements, and stops at the first below the limit: a stall makes a figure larger. */
export async function least(limit: number, measure: () => Promise<number>): Promise<number> {
  let figure = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 3 && figure >= limit; tries++) figure = Math.min(figure, await measure())
  return figure
}

/**
 * Returns the outcome of the first attempt that no stall has spoilt, each with a time-out four times as long as that of
 * the one before; of the third in any case.
 */
export async function unstalled<T>(
  timeout: number,
  attempt: (timeout: number) => Promise<T>,
  isSpoilt: (outcome: T) => boolean
): Promise<T> {
  const outcome = await attempt(timeout)
  if (!isSpoilt(outcome)) return outcome
  const second = await attempt(4 * timeout)
  return isSpoilt(second) ? attempt(16 * timeout) : second
}
