/**
 * The least of up to three measurements, no more of them once one is below the limit. A machine that others share stalls
 * at times, which makes a figure larger, never smaller.
 */
export async function least(limit: number, measure: () => Promise<number>): Promise<number> {
  let figure = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < 3 && figure >= limit; turn++) figure = Math.min(figure, await measure())
  return figure
}
