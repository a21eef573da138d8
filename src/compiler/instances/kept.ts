/** Filters instances by a bounded number of trials. */
import fc from 'fast-check'

/** Numbers of trials before instances count as impossible: most need only the first few. */
const trials = [3, 60]

/** @returns undefined if none of the trials is accepted */
export function kept<T>(
  instances: fc.Arbitrary<T> | undefined,
  isAccepted: (instance: T) => boolean
): fc.Arbitrary<T> | undefined {
  if (instances === undefined) return undefined
  const isPossible = trials.some((numRuns) => fc.sample(instances, { seed: 1, numRuns }).some(isAccepted))
  return isPossible ? instances.filter(isAccepted) : undefined
}
